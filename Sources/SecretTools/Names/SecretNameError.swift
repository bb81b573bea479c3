internal import PlainText

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
        let shown = Terminal.line(text, longest: 80)
        return switch fault {
        case .empty: "a name must not be empty: type a path such as \(instead)"
        case .tooLong(let count):
            "a name has at most \(SecretName.longest) bytes, and “\(shown)” has \(count): type a shorter one"
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
