/// Why something is no assignment. Nothing of the line is in it: a line that went wrong may be a piece of a secret.
package enum EnvironmentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no equals sign.
    case noAssignment
    /// A variable cannot be called that.
    case badVariable
    /// A secret cannot be called that.
    case badName(SecretNameError)
    /// The loader reads this variable.
    case loaders(String)
    /// Programs read this variable for code, commands or places.
    case noPlaceForSecrets(String)
    /// A quotation has no end.
    case openQuote
    /// Something follows a quotation.
    case afterQuote
    /// A backslash before a character that it does nothing to.
    case badEscape
    /// A `{{` has no `}}`.
    case openReference
    /// A reference is a part of a value without braces.
    case bareReference
    /// A percent sign without two hexadecimal digits, or they make no text.
    case badPercent
    /// The bytes are no UTF-8, or have a zero byte.
    case noText

    /// What is wrong, and the way out.
    package var description: String {
        switch self {
        case .noAssignment: "there is no “=”: write VARIABLE=…, and quote a value of several lines"
        case .badVariable:
            "what stands before “=” is no name of a variable: use letters, digits and _, and no digit in front"
        case .badName(let error): error.description
        case .loaders(let name):
            "\(name) makes every program load foreign code, also one that is given secrets: set it in the command itself "
                + "(env \(name)=… program)"
        case .noPlaceForSecrets(let name):
            "\(name) tells programs where to look or what to run, and a secret there would be shown or run: choose another variable"
        case .openQuote: "a quotation mark has no second one: add it, or put a backslash before it"
        case .afterQuote: "something follows the closing quotation mark: quote the whole value"
        case .badEscape:
            "a backslash means nothing before this character: write \\\\ for a backslash, or use single quotes"
        case .openReference: "“{{” has no “}}”: write {{latchkey://NAME}}"
        case .bareReference: "a reference inside a value needs braces: write {{latchkey://NAME}}"
        case .badPercent:
            "a “%” in a reference needs two hexadecimal digits of UTF-8 behind it: write %25 for the sign itself"
        case .noText: "this is no text in UTF-8: write it anew, or encode the value"
        }
    }
}
