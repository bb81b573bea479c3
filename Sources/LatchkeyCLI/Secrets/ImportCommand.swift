internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
internal import LinuxSystem
internal import PlainText
internal import SecretTools
internal import SodiumKit

/// `latchkey import`
enum ImportCommand {
    private static let columns: [(option: String, role: CSVImport.Role, what: String)] = [
        ("--name-column", .name, "names"), ("--folder-column", .folder, "folders"),
        ("--secret-column", .secret, "secrets"), ("--user-column", .user, "user names"), ("--url-column", .url, "URLs"),
        ("--notes-column", .comment, "notes"),
    ]

    /// The options of a source: its own, then those of every source.
    struct Options<Own: OptionList>: OptionList {
        let vault = VaultAccess.option
        let taken: Taken<Own>
        let policy = ItemPolicyWords.Options()

        init(_ own: Own) { taken = Taken(own: own) }
    }

    struct Taken<Own: OptionList>: OptionList {
        let heading = "import"
        let own: Own
        let under = Option("--under", value: "FOLDER", says: "put this folder before each name", values: .secret)
        let dryRun = Option("--dry-run", says: "print the names, and import nothing")
    }

    struct PassOptions: OptionList {
        let whole = Option("--whole", says: "take the whole file as the secret, not its first line")
    }

    struct CSVOptions: OptionList {
        let columns = ImportCommand.columns.map {
            Option($0.option, value: "COLUMN", says: "the column with the \($0.what), as named in the first line")
        }
    }

    static let declaration = Declaration(
        name: "import", summary: "import secrets from another password manager",
        text: """
            Copies secrets from another password manager, which is not changed. Existing secrets are never replaced: the
            command names each that it leaves out. User name and URL become the comment of a secret. Notes may be secret
            themselves, so they become a secret NAME/notes.
            """,
        commands: [
            Declaration(
                name: "pass", summary: "import the password store of pass, with gpg",
                text:
                    "Imports ~/.password-store, or FOLDER. The first line of each file is the secret; the rest are its notes.",
                operands: [Operand(name: "FOLDER", values: .folder, isOptional: true, takesAnyBytes: true)],
                options: Options(PassOptions()),
                examples: [
                    ("latchkey import pass --dry-run", "prints the names first"),
                    ("latchkey import pass --under pass", ""),
                ],
                statuses: statuses, run: importPass),
            Declaration(
                name: "secret-tool", summary: "import from the desktop keyring, with secret-tool",
                text: "Imports the secrets that secret-tool finds by attributes, of which it needs at least one.",
                operands: [Operand(name: "ATTRIBUTE=VALUE", isRepeated: true)], options: Options(NoOptions()),
                examples: [
                    (
                        "latchkey import secret-tool xdg:schema=org.freedesktop.Secret.Generic",
                        "imports what programs store there"
                    )
                ],
                statuses: statuses, run: importKeyring),
            Declaration(
                name: "csv", summary: "import the CSV file that a browser or password manager exports",
                text: """
                    Imports FILE, or standard input. The command knows the column names that browsers and password managers
                    use; name others with options.
                    """,
                operands: [Operand(name: "FILE", values: .file, isOptional: true, takesAnyBytes: true)],
                options: Options(CSVOptions()),
                examples: [
                    ("latchkey import csv passwords.csv --under web", ""),
                    ("latchkey import csv --name-column site --secret-column key export.csv", ""),
                ],
                statuses: statuses, run: importCSV),
        ],
        examples: [
            ("latchkey import pass --dry-run", ""), ("latchkey import csv passwords.csv --under web", ""),
        ],
        statuses: statuses, group: "secrets")

    private static let statuses: [(status: Int32, says: String)] =
        [(1, "something was left out")] + ExitStatus.all(but: [.notFound])

    // MARK: - Sources

    @Sendable private static func importPass(_ given: Given<Options<PassOptions>>) throws -> String {
        let folder =
            given.rawWords.first?.pathText ?? SystemPath.variable("PASSWORD_STORE_DIR")
            ?? (SystemPath.variable("HOME") ?? "") + "/.password-store"
        return try importSecrets(given) { try PasswordStore(folder: folder).secrets(whole: given[\.taken.own.whole]) }
    }

    @Sendable private static func importKeyring(_ given: Given<Options<NoOptions>>) throws -> String {
        let attributes = try given.words.map { word in
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw UsageError("write an attribute as NAME=VALUE") }
            return ImportedSecret.Attribute(parts[0], parts[1])
        }
        return try importSecrets(given) { try KeyringListing.secrets(in: try KeyringListing.search(attributes)) }
    }

    @Sendable private static func importCSV(_ given: Given<Options<CSVOptions>>) throws -> String {
        var named: [CSVImport.Role: String] = [:]
        for (column, name) in zip(columns, given[\.taken.own.columns]) { named[column.role] = name }
        let source = CSVImport(columns: named)
        return try importSecrets(given) {
            switch given.rawWords.first {
            case nil, RawText("-"): try source.secrets(in: try SecretInput.read(STDIN_FILENO, called: "standard input"))
            case .some(let path): try source.secrets(in: try SecretInput.read(fileAt: path))
            }
        }
    }

    // MARK: - Into the vault

    private static func importSecrets<Own: OptionList>(
        _ given: Given<Options<Own>>, _ read: () throws -> ImportedSecrets
    ) throws
        -> String
    {
        let policy = try ItemPolicyWords.policy(given[\.policy])
        let access = given[\.taken.dryRun] ? nil : try VaultAccess(given[\.vault])
        if access == nil { try CrashSafety.shutOff() }
        let found: ImportedSecrets
        do { found = try read() } catch let error as ImportError { throw AgentError(.request, "\(error)") }
        let prefix = given[\.taken.under].map { $0 + "/" } ?? ""
        for skipped in found.skipped { Output.complain("left out: \(skipped)") }
        guard let access else {
            for secret in found.secrets { Output.write(Terminal.line(prefix + secret.name.text) + "\n") }
            return ""
        }
        var (taken, left) = (0, found.skipped.count)
        for secret in found.secrets {
            let name = prefix + secret.name.text
            var parts = [Part(name: name, note: secret.note)]
            if secret.comment != nil { parts.append(Part(name: name + "/notes", note: "notes of \(name)")) }
            for (place, part) in parts.enumerated() {
                // Saving over an existing secret would ask for its authentication, so look first.
                if try access.has(part.name, because: "import secrets") {
                    Output.complain("left out: \(part.name): it exists already")
                    left += 1
                    continue
                }
                let isKept: Bool
                if place > 0, let comment = try secret.comment?.copy() {
                    isKept = try keep(comment, part, policy, access)
                } else {
                    isKept = try keep(try secret.secret.copy(), part, policy, access)
                }
                if isKept { taken += 1 } else { left += 1 }
            }
        }
        Output.write("Imported \(counted(taken, "secret")), left out \(left).\n")
        if left > 0 { exit(1) }
        return ""
    }

    private struct Part {
        let name: String
        let note: String
    }

    private static func keep(
        _ secret: borrowing SecureBytes, _ part: Part, _ policy: ItemPolicy?, _ access: VaultAccess
    ) throws -> Bool {
        let request = Request.add(part.name, policy, comment: part.note.isEmpty ? nil : part.note, replaces: false)
        do throws(AgentError) {
            _ = try access.ask(request, because: "import secrets", sending: secret)
            return true
        } catch {
            guard error.kind == .exists || error.kind == .request else { throw error }
            Output.complain("left out: \(part.name): \(error)")
            return false
        }
    }
}

extension ImportedSecret {
    /// The comment, from a file of our export, or else user name, URL and attributes. None of these is secret.
    fileprivate var note: String {
        if !ownComment.isEmpty { return ownComment }
        var parts = [user, url].filter { !$0.isEmpty }
        parts += attributes.map { "\($0.name)=\($0.value)" }
        return parts.joined(separator: ", ")
    }
}
