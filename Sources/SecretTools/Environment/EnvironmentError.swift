/// An error in an assignment. It contains nothing of the line, which may be a piece of a secret.
package enum EnvironmentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no equals sign.
    case noAssignment
    case badVariable
    case badName(SecretNameError)
    /// The dynamic loader reads this variable.
    case loaders(String)
    /// Programs take code, commands or search paths from this variable.
    case noPlaceForSecrets(String)
    /// A quotation has no closing mark.
    case openQuote
    /// Text follows a closing quotation mark.
    case afterQuote
    /// A backslash stands before a character that it cannot escape.
    case badEscape
    /// A `{{` has no `}}`.
    case openReference
    /// A reference inside a longer value has no braces.
    case bareReference
    /// A percent sign has no two hexadecimal digits after it, or the bytes are not UTF-8.
    case badPercent
    /// The bytes are not UTF-8, or contain a zero byte.
    case noText

    /// The mistake, and how to correct it.
    package var description: String {
        switch self {
        case .noAssignment: "there is no \"=\": write VAR=NAME, such as TOKEN=work/token"
        case .badVariable:
            "the text before \"=\" is not a variable name: use letters, digits and _, and begin with no digit"
        case .badName(let error): error.description
        case .loaders(let name):
            "\(name) makes every program load foreign code, even one that gets secrets: set it in the command itself, with "
                + "`env \(name)=… program`"
        case .noPlaceForSecrets(let name):
            "programs take paths or commands from \(name), so a secret there would be shown or run: use another variable"
        case .openQuote: "a quotation has no closing mark: add it, or put a backslash before the opening one"
        case .afterQuote: "text follows the closing quotation mark: quote the whole value"
        case .badEscape:
            "a backslash cannot escape this character: write \\\\ for a backslash, or use single quotes"
        case .openReference: "\"{{\" has no \"}}\": write {{latchkey://NAME}}"
        case .bareReference: "a reference inside a value needs braces: write {{latchkey://NAME}}"
        case .badPercent:
            "a \"%\" in a reference needs two hexadecimal digits of UTF-8 after it: write %25 for the sign itself"
        case .noText: "this is not UTF-8: save the text as UTF-8, or encode the value"
        }
    }
}
