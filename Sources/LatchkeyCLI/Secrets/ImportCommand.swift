internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
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
            command names each that it leaves out. User name, URL, notes and other fields become fields of a secret, protected
            like it: latchkey get NAME user. A seed of one-time codes becomes a secret NAME/otp, for latchkey otp NAME. If a
            seed gives no code, the command leaves it out and names it; a line of pass with one stays in the notes. User name and
            URL of a table are also its comment, which latchkey search finds. Columns that are not taken are named.
            """,
        commands: [
            Declaration(
                name: "pass", summary: "import the password store of pass, with gpg",
                text:
                    """
                    Imports ~/.password-store, or FOLDER. The first line of each file is the secret. Below it, a line "login: ",
                    "user: " or "username: " becomes the field user, "url: " the field url, "pin: " the field pin, an otpauth:// URI
                    the secret NAME/otp, and the rest the field notes.
                    """,
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
                    use; name others with options. Lines "NAME: value" of a column "fields", as Bitwarden writes it, become fields.
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
            ("latchkey import pass --dry-run", "the store of pass"),
            ("latchkey import csv passwords.csv --under web", "the CSV file of a browser or a password manager"),
            ("latchkey import secret-tool xdg:schema=org.freedesktop.Secret.Generic", "the desktop keyring"),
        ],
        statuses: statuses, group: "secrets", pointer: ImportPointer.words)

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
        if isatty(STDIN_FILENO) == 1 {
            guard let word = given.rawWords.first else {
                throw UsageError("FILE is missing: name it, as in latchkey import csv FILE, or pipe its contents in")
            }
            if word == RawText("-") { Output.confirm("Reading a CSV table from the terminal. Ctrl-D ends it.") }
        }
        return try importSecrets(given, from: given.rawWords.first.flatMap { $0 == RawText("-") ? nil : $0 }) {
            switch given.rawWords.first {
            case nil, RawText("-"): try source.secrets(in: try SecretInput.read(STDIN_FILENO, called: "standard input"))
            case .some(let path): try source.secrets(in: try SecretInput.read(fileAt: path))
            }
        }
    }

    // MARK: - Into the vault

    private static func importSecrets<Own: OptionList>(
        _ given: Given<Options<Own>>, from file: RawText? = nil, _ read: () throws -> ImportedSecrets
    ) throws -> String {
        let policy = try ItemPolicyWords.policy(given[\.policy])
        let access = try VaultAccess(given[\.vault])
        let found: ImportedSecrets
        do { found = try read() } catch let error as ImportError {
            let place = file.map { Terminal.line($0.text) + ": " } ?? ""
            throw AgentError(.request, "\(place)\(error)")
        }
        var plan = ImportPlan(under: given[\.taken.under], policy)
        var (taken, left) = (0, found.skipped.count)
        for skipped in found.skipped { Output.complain("left out: \(skipped)") }
        for secret in found.secrets {
            for part in ImportPlan.Part.allCases where part != .notes || secret.comment != nil {
                switch try plan.step(part, of: secret, access) {
                case .take(let name, let request):
                    if given[\.taken.dryRun] {
                        Output.write(Terminal.line(name) + "\n")
                    } else if let fault = try keep(part, of: secret, by: request, access) {
                        Output.complain("left out: \(name): \(fault)")
                        left += 1
                        continue
                    }
                    taken += 1
                case .leave(let name, let why):
                    Output.complain("left out: \(name): \(why)")
                    left += 1
                }
            }
        }
        if !found.columnsLeft.isEmpty {
            let names = found.columnsLeft.map { Terminal.line($0, longest: 80) }
            Output.complain("not imported: the \(names.count == 1 ? "column" : "columns") \(enumerated(names, "and"))")
        }
        if !given[\.taken.dryRun] { Output.write("Imported \(counted(taken, "secret")), left out \(left).\n") }
        if let file, !given[\.taken.dryRun] {
            let path = file.text
            // The name of another file could look the same as one that is not UTF-8.
            let remedy = file.isText ? "shred -u \(Shell.word(path))" : "delete it"
            Output.confirm(
                "\(Terminal.line(path)) is not encrypted. Once you have looked at what was imported: \(remedy)")
        }
        if left > 0 { exit(1) }
        return ""
    }

    /// Saves one part of a secret. Returns the reason if the vault refuses it.
    private static func keep(
        _ part: ImportPlan.Part, of secret: ImportedSecret, by request: AddCall, _ access: VaultAccess
    ) throws -> AgentError? {
        do throws(AgentError) {
            switch part {
            case .value:
                if secret.fields.isEmpty {
                    _ = try access.ask(request, because: ImportPlan.reason, sending: secret.secret)
                    break
                }
                let packed: SecureBytes
                do { packed = try SecretField.packed(secret.secret, secret.fields) } catch {
                    return AgentError(.vault, "\(error)")
                }
                _ = try access.ask(request, because: ImportPlan.reason, sending: packed)
            case .notes:
                switch secret.comment {
                case .some(let notes): _ = try access.ask(request, because: ImportPlan.reason, sending: notes)
                case .none: break
                }
            }
            return nil
        } catch {
            guard error.kind == .exists || error.kind == .request else { throw error }
            return error
        }
    }
}

/// The decisions of an import: which parts are saved, and under which names. A dry run makes the same ones.
struct ImportPlan {
    /// A part of an imported secret that becomes a secret of its own.
    enum Part: CaseIterable {
        case value, notes
    }

    /// The fate of a part.
    enum Step {
        case take(String, AddCall)
        case leave(String, String)
    }

    static let reason = "import secrets"

    private let prefix: String
    private let policy: ItemPolicy?
    private var taken: Set<SecretName> = []

    init(under folder: String?, _ policy: ItemPolicy?) {
        prefix = folder.map { String.folder($0) + "/" } ?? ""
        self.policy = policy
    }

    /// Decides what becomes of a part, and counts on that.
    mutating func step(_ part: Part, of secret: ImportedSecret, _ access: VaultAccess) throws -> Step {
        let whole = prefix + secret.name.text
        let (text, note, count, fields) =
            switch part {
            case .value:
                (
                    whole, secret.note, secret.fields.reduce(secret.secret.count) { $0 + $1.bytes.count + 4 },
                    secret.fields.map { $0.name }
                )
            case .notes: (whole + "/notes", "notes of \(whole)", secret.notesCount, [])
            }
        let name: SecretName
        do { name = try SecretName(text) } catch { return .leave(text, "\(error)") }
        let request = AddCall(text, policy, comment: note.isEmpty ? nil : note, replaces: false, fields: fields)
        if let fault = AgentClient.fault(of: request, because: Self.reason, secret: count) {
            return .leave(text, fault.message)
        }
        // Saving over an existing secret would ask for its authentication, so look first.
        if try taken.contains(name) || access.has(text, because: Self.reason) {
            return .leave(text, "it exists already")
        }
        taken.insert(name)
        return .take(text, request)
    }
}

extension ImportedSecret {
    /// The number of bytes of the notes.
    fileprivate var notesCount: Int {
        switch comment {
        case .some(let notes): notes.count
        case .none: 0
        }
    }

    /// The comment, from a file of our export, or else user name, URL and attributes. None of these is secret.
    fileprivate var note: String {
        if !ownComment.isEmpty { return ownComment }
        var parts = [user, url].filter { !$0.isEmpty }
        parts += attributes.map { "\($0.name)=\($0.value)" }
        return parts.joined(separator: ", ")
    }
}
