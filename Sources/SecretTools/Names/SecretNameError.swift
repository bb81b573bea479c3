internal import PlainText

/// An error in a name, with a suggestion of a valid one.
package struct SecretNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A mistake in a name.
    package enum Fault: Hashable, Sendable {
        case empty
        /// The name has this many bytes, which are too many.
        case tooLong(Int)
        /// A slash has nothing before or after it.
        case emptyPart
        /// A part is `.` or `..`.
        case dots(String)
        /// The name has a character that is invisible, or that changes the direction of text.
        case unprintable(Unicode.Scalar)
    }

    package let fault: Fault
    /// A valid name to suggest.
    package let instead: String
    private let text: String

    init(_ fault: Fault, in text: String, instead: String) {
        self.fault = fault
        self.instead = instead
        self.text = text
    }

    /// The mistake, and the name to type instead.
    package var description: String {
        let shown = Terminal.line(text, longest: 80)
        return switch fault {
        case .empty: "the name is empty: type a path such as \(instead)"
        case .tooLong(let count):
            "\"\(shown)\" has \(count) bytes, and a name has at most \(SecretName.longest): type a shorter one"
        case .emptyPart:
            "\"\(shown)\" has a slash with nothing before or after it: type \(instead)"
        case .dots(let part):
            "\"\(shown)\" has the part \"\(part)\", which would mean a folder elsewhere: type \(instead)"
        case .unprintable(let scalar):
            "\"\(shown)\" has the invisible character U+\(hexadecimal(scalar)): type \(instead)"
        }
    }

    private func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
