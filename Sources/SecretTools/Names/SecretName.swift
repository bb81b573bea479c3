/// The name of a secret: a path such as `work/github/token`. Names are equal if their bytes are.
package struct SecretName: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let text: String

    /// The most bytes that a name can have.
    package static let longest = 1024

    /// Creates a name. Throws if `text` is not valid, with a suggestion of a valid one.
    package init(_ text: String) throws(SecretNameError) {
        if let fault = Self.fault(of: text) {
            let other = NameMaker.cleaned(text)
            throw SecretNameError(fault, in: text, instead: Self.fault(of: other) == nil ? other : "work/github/token")
        }
        self.text = text
    }

    /// The parts between the slashes. These are bytes, as in the path of a file: a slash and an accent after it are one
    /// character of a text.
    package var parts: [Substring] { text.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) } }

    /// The folder of the name; nil if it is in none.
    package var parent: SecretName? {
        text.utf8.lastIndex(of: UInt8(ascii: "/")).map { SecretName(checked: String(Substring(text.utf8[..<$0]))) }
    }

    package var description: String { text }

    private init(checked text: String) { self.text = text }

    private static func fault(of text: String) -> SecretNameError.Fault? {
        if text.isEmpty { return .empty }
        if text.utf8.count > longest { return .tooLong(text.utf8.count) }
        if let scalar = text.unicodeScalars.first(where: { !isPrintable($0) }) { return .unprintable(scalar) }
        for part in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map({
            Substring($0)
        }) {
            if part.isEmpty { return .emptyPart }
            if part == "." || part == ".." { return .dots(String(part)) }
        }
        return nil
    }

    /// Returns true if the character is visible and does not change those around it.
    ///
    /// Joiners, marks of direction and fillers could make two names look the same. Variation selectors belong to the character
    /// before them, and are allowed.
    static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return false
        default: return !scalar.properties.isDefaultIgnorableCodePoint || (0xFE00...0xFE0F).contains(scalar.value)
        }
    }

    /// Returns true if both have the same bytes, by which a vault distinguishes them.
    package static func == (left: SecretName, right: SecretName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(UInt8(0xFF))
    }

    /// Returns true if `left` comes first: folder by folder, with numbers by value, and letters by case only to break ties.
    package static func < (left: SecretName, right: SecretName) -> Bool {
        NaturalOrder.compare(left.text, right.text) < 0
    }
}
