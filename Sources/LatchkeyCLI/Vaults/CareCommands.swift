internal import AccessPolicy
internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
internal import PlainText

/// `latchkey verify`
enum VerifyCommand {
    static let declaration = Declaration(
        name: "verify", summary: "check the vault for damage",
        text: """
            Checks every item, the list of all items, and the audit log. Names what is damaged, missing, added, or older than
            the last write. Changes nothing, and never prompts.
            """,
        options: VaultReportOptions(), examples: [("latchkey verify", "")],
        statuses: ExitStatus.all(but: [.notFound, .exists, .locked, .dismissed, .noTerminal, .wrong, .denied]),
        group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<VaultReportOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault], mayAsk: false)
        var findings: [String] = []
        let reply = try access.client.ask(VerifyCall(), of: nil) { findings.append($0) }.reply
        if given[\.json] {
            let report = WireObject([
                "items": .number("\(reply.items)"), "opened": .number("\(reply.opened)"),
                "findings": .array(findings.map { .string($0) }),
            ])
            Output.write(report.text + "\n")
        } else {
            for finding in findings { Output.write("\(Terminal.line(finding))\n") }
            let outcome = findings.isEmpty ? "no damage found" : counted(findings.count, "finding")
            let looked =
                reply.opened == reply.items
                ? "" : " (decrypted \(reply.opened); reading the others needs authentication)"
            Output.write("\(counted(reply.items, "secret"))\(looked): \(outcome)\n")
        }
        if !findings.isEmpty { exit(ExitStatus.of(.damaged)) }
        return ""
    }
}

/// `latchkey backup`
enum BackupCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let allowMissing = Option("--allow-missing", says: "exit with 0 even if secrets were left out")
    }

    static let declaration = Declaration(
        name: "backup", summary: "write an encrypted backup of the vault",
        text: """
            Writes a backup to FILE, which must not exist, encrypted with a passphrase. The command asks for the passcode, and
            includes every secret that the passcode alone opens. It names each secret that it leaves out, with the reason:
            those of the class whenPasscodeSetThisDeviceOnly, those that need a finger, and those that are invalidated. The
            backup contains these names, so that latchkey restore can tell you what is missing.

            New secrets may leave this device. One saved with --this-device-only can be restored into this vault only. To let
            it travel, change it with latchkey edit NAME --accessible whenUnlocked.
            """,
        operands: [Operand(name: "FILE", values: .file)],
        options: Options(),
        examples: [
            ("latchkey backup ~/latchkey.backup", ""),
            ("latchkey backup --allow-missing /mnt/disk/latchkey.backup", "succeeds if secrets have to stay"),
        ],
        statuses: [(1, "something was left out")] + ExitStatus.all(but: [.notFound]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        let path = try access.newFile(given.words[0])
        var leftOut: [LeftOutNote] = []
        let reply = try access.ask(BackUpCall(path), because: "make a backup") { leftOut.append($0) }.reply
        for note in leftOut.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            Output.complain("left out: \(note.name ?? "a secret whose name is locked"): \(note.why)")
        }
        if reply.damaged > 0 {
            Output.complain("left out: \(counted(reply.damaged, "damaged item")): run `latchkey verify`")
        }
        Output.write("Wrote \(counted(reply.written, "secret")) to \(Terminal.line(given.words[0])).\n")
        if let warning = reply.warning { Output.complain(warning) }
        try tellOfBound(access, but: Set(leftOut.compactMap(\.name)))
        if (!leftOut.isEmpty || reply.damaged > 0) && !given[\.allowMissing] { exit(1) }
        return ""
    }

    /// Names the secrets in the backup that only this vault can restore. They are lost if this vault is lost.
    private static func tellOfBound(_ access: VaultAccess, but leftOut: Set<String>) throws {
        let bound = try access.entries(because: "look for what a backup leaves out").entries.filter {
            $0.policy.protection.isThisDeviceOnly && !leftOut.contains($0.name)
        }
        if bound.isEmpty { return }
        Output.complain(
            "\(counted(bound.count, "secret")) in the backup can be restored into this vault only: "
                + "\(bound.prefix(5).map(\.name).joined(separator: ", "))\(bound.count > 5 ? " and others" : ""); to let one "
                + "travel, run `latchkey edit NAME --accessible whenUnlocked` and back up again")
    }
}

extension VaultAccess {
    /// Returns the absolute path of a file that the agent is to write under a passphrase. Throws if nothing can be asked. The agent
    /// looks before it prompts if the file can be written.
    func newFile(_ word: String) throws -> String {
        guard user != nil else { throw refusal }
        return try Self.absolute(word)
    }
}

/// `latchkey restore`
enum RestoreCommand {
    static let declaration = Declaration(
        name: "restore", summary: "restore the secrets of a backup",
        text: """
            Restores every secret in the backup FILE that this vault can store, in one step. Existing secrets are never
            replaced. The command names each secret that stayed on the device of the backup, and says how to bring it.
            """,
        operands: [Operand(name: "FILE", values: .file)],
        options: VaultOption(), examples: [("latchkey restore ~/latchkey.backup", "")],
        statuses: [(1, "something was left out")] + ExitStatus.all(but: [.notFound]), group: "the vault",
        run: run)

    @Sendable private static func run(_ given: Given<VaultOption>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        guard access.user != nil else { throw access.refusal }
        let path = try VaultAccess.absolute(given.words[0])
        try BroughtFile.requireReadable(path)
        var leftBehind: [LeftBehindNote] = []
        let reply = try access.ask(ImportBackupCall(path), because: "restore a backup") { leftBehind.append($0) }.reply
        Output.write("Restored \(counted(reply.added, "secret")); \(reply.duplicates) existed already.\n")
        for note in leftBehind.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) { Output.complain(note.text) }
        if reply.refused > 0 {
            Output.complain(
                "\(counted(reply.refused, "secret")) left out: this vault cannot store their access policies")
        }
        for reason in LeftBehindReason.allCases {
            guard let note = leftBehind.first(where: { $0.reason == reason && !$0.isKey }) else { continue }
            Output.complain(LeftBehindNote.advice(on: reason, such: note.name))
        }
        if leftBehind.contains(where: \.isKey) {
            Output.complain(
                "to replace a key, run `latchkey key generate NAME` here, and give the new public key to those who had the "
                    + "old one")
        }
        if reply.refused + leftBehind.count > 0 { exit(1) }
        return ""
    }
}
