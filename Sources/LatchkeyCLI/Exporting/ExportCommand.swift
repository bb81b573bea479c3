internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
internal import PlainText
internal import SecretTools
internal import SodiumKit

/// `latchkey export`
enum ExportCommand {
    /// The options of a target: its own, then those of every target.
    struct Options<Own: OptionList>: OptionList {
        let vault = VaultAccess.option
        let chosen: Chosen<Own>

        init(_ own: Own) { chosen = Chosen(own: own) }
    }

    struct Chosen<Own: OptionList>: OptionList {
        let heading = "export"
        let own: Own
        let only = Option(
            "--only", value: "FOLDER",
            says: "export only this folder, or the names that match, where * matches anything",
            values: .secret)
    }

    struct PassOptions: OptionList {
        let recipients = Option(
            each: "--recipient", value: "KEY", says: "the key of gpg that a new store is encrypted for; may be repeated"
        )
    }

    static let declaration = Declaration(
        name: "export", summary: "export secrets to another password manager",
        text: """
            Copies secrets out of the vault, which is not changed. Each is read by its access policy, so you authenticate as
            you do to read it. The command names each secret that it leaves out. Private keys stay in the vault.
            """,
        commands: [
            Declaration(
                name: "pass", summary: "export to the password store of pass, with gpg",
                text: """
                    Writes one file for each secret into FOLDER, encrypted by gpg for the recipients of the store. A folder
                    without a .gpg-id becomes a new store with --recipient. Files that exist are never replaced. NAME/notes
                    goes below the secret NAME. A secret of several lines is a file by itself: import it with --whole.
                    """,
                operands: [Operand(name: "FOLDER", values: .folder)],
                options: Options(PassOptions()),
                examples: [
                    ("latchkey export pass ~/.password-store", ""),
                    ("latchkey export pass --recipient ann@example.com new-store", "begins a store"),
                ],
                statuses: statuses, run: exportPass),
            Declaration(
                name: "json", summary: "export to a JSON file, which is not encrypted",
                text: """
                    Writes an array with one object for each secret, to FILE or to standard output: what latchkey list --json
                    prints, with the secret as "value", or as "value-base64" if it is not text.
                    """ + notEncrypted,
                operands: [file], options: Options(ExportTarget.Options()),
                examples: [("latchkey export json secrets.json", "")], statuses: statuses
            ) { try exportFile($0, JSONRows()) },
            Declaration(
                name: "csv", summary: "export to a CSV file, which is not encrypted",
                text: """
                    Writes one line for each secret, to FILE or to standard output. latchkey import csv reads it back, and so
                    do browsers and password managers. NAME/notes and NAME/otp become columns of the secret NAME.
                    """ + notEncrypted,
                operands: [file], options: Options(ExportTarget.Options()),
                examples: [("latchkey export csv --only web passwords.csv", "exports the folder web")],
                statuses: statuses
            ) { try exportFile($0, CSVRows(kind: .own)) },
            Declaration(
                name: "keepassxc", summary: "export to a CSV file of KeePassXC, which is not encrypted",
                text: """
                    Writes one line for each secret with the columns of KeePassXC, to FILE or to standard output. In KeePassXC,
                    choose Import and then CSV File.
                    """ + notEncrypted,
                operands: [file], options: Options(ExportTarget.Options()),
                examples: [("latchkey export keepassxc passwords.csv", "")], statuses: statuses
            ) { try exportFile($0, CSVRows(kind: .keePassXC)) },
        ],
        examples: [
            ("latchkey export csv passwords.csv", ""), ("latchkey export pass ~/.password-store", ""),
        ],
        statuses: statuses, group: "secrets")

    private static let notEncrypted =
        " The file is not encrypted: only you can read it, and so can every program that you run. The command asks first."

    private static let file = Operand(name: "FILE", values: .file, isOptional: true)

    private static let statuses: [(status: Int32, says: String)] = [(1, "something was left out")] + ExitStatus.all()

    // MARK: - Targets

    private static func exportFile<Rows: ExportRows>(
        _ given: Given<Options<ExportTarget.Options>>, _ rows: Rows
    ) throws -> String {
        let target = try ExportTarget(given.words.first, given[\.chosen.own])
        var reading = try ExportReading(VaultAccess(given[\.vault]), only: given[\.chosen.only])
        try target.requireConsent(to: reading.entries.count, given[\.chosen.own], reading.access.prompter)
        let bytes = try rows.file(of: &reading)
        if reading.written == 0 { throw AgentError(.denied, "every secret was left out, and nothing was written") }
        try target.deliver(bytes, count: reading.written)
        return reading.end()
    }

    @Sendable private static func exportPass(_ given: Given<Options<PassOptions>>) throws -> String {
        let folder = given.words[0]
        do {
            // Check before the prompts, so that you never authenticate for a store that gpg cannot encrypt.
            let store = try PasswordStoreExport(folder: folder, recipients: given[\.chosen.own.recipients])
            var reading = try ExportReading(VaultAccess(given[\.vault]), only: given[\.chosen.only])
            let files = try encrypted(for: store, folder, &reading)
            // Nothing is written before every secret is read and encrypted.
            for file in files { try store.write(file) }
            Output.confirm("Wrote \(counted(reading.written, "secret")) to \(Terminal.line(folder)), encrypted by gpg.")
            return reading.end()
        } catch let error as ExportError { throw AgentError(.request, "\(error)") }
    }

    private static func encrypted(
        for store: PasswordStoreExport, _ folder: String, _ reading: inout ExportReading
    ) throws -> [PasswordStoreExport.File] {
        var files: [PasswordStoreExport.File] = []
        while let entry = reading.next() {
            guard let name = reading.name(of: entry) else { continue }
            if let fault = PasswordStoreExport.fault(of: name) {
                reading.leaveOut(name.text, fault)
                continue
            }
            if store.has(name) {
                reading.leaveOut(name.text, "\(folder) has it already")
                reading.leaveOutPart("notes", of: name, "\(folder) has \(name) already")
                continue
            }
            let secret: SecureBytes
            switch try reading.read(name.text) {
            case .some(let bytes): secret = bytes
            case .none: continue
            }
            // The notes go below a secret of one line. Below a longer one, no reader could find them.
            let isLine = ExportedSecret.isOneLine(secret)
            let fields = try reading.fields(of: name.text) { isLine && ExportReading.hasPlace($0, $1) }
            let hasNotes = fields.contains { $0.name == FieldName.notes }
            let notes = isLine && !hasNotes ? try reading.part("notes", of: name) { _ in true } : nil
            let exported = ExportedSecret(
                name: name, secret: secret, fields: fields, notes: notes, comment: entry.comment)
            reading.written += 1
            files.append(try store.file(try PasswordStoreExport.contents(of: exported), of: name))
        }
        return files
    }
}
