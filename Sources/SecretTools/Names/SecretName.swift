/// The name of a secret: a path such as `work/github/token`. Two names are the same where their bytes are.
package struct SecretName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// As it is typed.
    package let text: String

    /// The most bytes that a name has.
    package static let longest = 1024

    /// The name that `text` is, or what is wrong with it.
    package init(_ text: String) throws(SecretNameError) {
        if let fault = Self.fault(of: text) {
            let other = NameMaker.cleaned(text)
            throw SecretNameError(fault, in: text, instead: Self.fault(of: other) == nil ? other : "work/github/token")
        }
        self.text = text
    }

    /// What lies between the slashes.
    package var parts: [Substring] { text.split(separator: "/") }

    /// The folder that it lies in; nil at the top.
    package var parent: SecretName? {
        text.lastIndex(of: "/").map { SecretName(checked: String(text[..<$0])) }
    }

    /// As it is typed.
    package var description: String { text }

    private init(checked text: String) { self.text = text }

    private static func fault(of text: String) -> SecretNameError.Fault? {
        if text.isEmpty { return .empty }
        if text.utf8.count > longest { return .tooLong(text.utf8.count) }
        if let scalar = text.unicodeScalars.first(where: { !isPrintable($0) }) { return .unprintable(scalar) }
        for part in text.split(separator: "/", omittingEmptySubsequences: false) {
            if part.isEmpty { return .emptyPart }
            if part == "." || part == ".." { return .dots(String(part)) }
        }
        return nil
    }

    /// Whether it can be seen, and leaves what stands around it as it is. Variation selectors are a part of what they choose
    /// the look of, and stay; joiners, marks of direction and fillers could make two names look the same.
    static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return false
        default: return !scalar.properties.isDefaultIgnorableCodePoint || (0xFE00...0xFE0F).contains(scalar.value)
        }
    }

    /// Returns true if both have the same bytes: a vault tells them apart by these.
    package static func == (left: SecretName, right: SecretName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// By its bytes.
    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(UInt8(0xFF))
    }

    /// Folder by folder, numbers by their value, and letters regardless of case as long as that decides.
    package static func < (left: SecretName, right: SecretName) -> Bool {
        NaturalOrder.compare(left.text, right.text) < 0
    }
}
