internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import Prompts
internal import SecretTools
internal import SodiumKit

/// The fields of a new secret, as they are written on a command line.
enum FieldOptions {
    static let user = Option(
        "--user", value: "USER", says: "keep this user name with it; latchkey get NAME user reads it")
    static let url = Option("--url", value: "URL", says: "keep this URL with it")
    static let field = Option(
        each: "--field", value: "FIELD=VALUE",
        says: "keep this with it, if it is not secret; add a secret one with latchkey edit NAME --field FIELD")

    /// Returns the fields that these options name.
    ///
    /// - Throws: An error if one is given twice, or has no valid name.
    static func fields(user: String?, url: String?, others: [String]) throws -> [SecretField] {
        var texts: [(name: String, text: String)] = []
        if let user { texts.append((FieldName.user, user)) }
        if let url { texts.append((FieldName.url, url)) }
        for other in others {
            let parts = other.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            // No message repeats the word, which may have a secret in it.
            guard parts.count == 2, FieldName.isValid(parts[0]) else {
                throw UsageError("--field needs FIELD=VALUE, and a FIELD without blanks")
            }
            texts.append((parts[0], parts[1]))
        }
        var fields: [SecretField] = []
        for (name, text) in texts {
            if fields.contains(where: { $0.name == name }) { throw UsageError("the field \(name) is given twice") }
            fields.append(try SecretField(name, text: text))
        }
        return fields
    }

    /// Returns the contents of a field of the secret `name`: those of the file at `path`, or what the user types, or standard
    /// input. A user name or a URL is shown as it is typed.
    static func contents(
        of field: String, _ name: String, from path: RawText?, trimmed: Bool, _ access: VaultAccess
    ) throws -> SecureBytes {
        let what = "the field \(field) of \(name)"
        guard path == nil, isatty(STDIN_FILENO) == 1, access.prompter.isTerminal, FieldName.isShown(field) else {
            return try GivenSecret.read(from: path, trimmed: trimmed, access.user, for: what, field: field)
        }
        guard let typed = DoctorQuestion.ask("\(field): "), !typed.isEmpty else { throw GivenSecret.nothingTyped }
        return try SecureBytes(typed)
    }
}
