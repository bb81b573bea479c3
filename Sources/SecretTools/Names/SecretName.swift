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

    /// Whether both have the same bytes: a vault tells them apart by these.
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

/// Why a text is no name, and which one to type instead.
package struct SecretNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Fault: Hashable, Sendable {
        /// There is nothing.
        case empty
        /// It has too many bytes.
        case tooLong(Int)
        /// A slash has nothing before or after it.
        case emptyPart
        /// A part is `.` or `..`.
        case dots(String)
        /// It has a character that cannot be seen or that turns text around.
        case unprintable(Unicode.Scalar)
    }

    /// What is wrong.
    package let fault: Fault
    /// A name that could be meant.
    package let instead: String
    private let text: String

    init(_ fault: Fault, in text: String, instead: String) {
        self.fault = fault
        self.instead = instead
        self.text = text
    }

    /// What is wrong, and what to type instead.
    package var description: String {
        let shown = String(
            text.unicodeScalars.prefix(80).map { SecretName.isPrintable($0) ? Character($0) : "\u{FFFD}" })
        return switch fault {
        case .empty: "a name must not be empty: type a path such as \(instead)"
        case .tooLong(let count):
            "a name has at most \(SecretName.longest) bytes, and “\(shown)…” has \(count): type a shorter one"
        case .emptyPart:
            "“\(shown)” has a slash with nothing before or after it, and each part of a name needs a character: type \(instead)"
        case .dots(let part): "“\(shown)” has the part “\(part)”, which would mean a folder elsewhere: type \(instead)"
        case .unprintable(let scalar):
            "“\(shown)” has the character U+\(hexadecimal(scalar)), which cannot be seen: type \(instead)"
        }
    }

    private func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
