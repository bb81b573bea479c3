internal import AccessPolicy
internal import CommandLineKit
internal import Glibc
internal import Latchkey
internal import LatchkeyAgent
internal import LinuxSystem
internal import PlainText
internal import SecretVault

/// `latchkey verify`
enum VerifyCommand {
    static let declaration = Declaration(
        name: "verify", summary: "look whether everything in the vault is whole",
        text: """
            Looks at every item, at the account of all of them and at the audit log, and names what is damaged, missing,
            added, or older than what was written last. Nothing is changed and nobody is asked.
            """,
        options: VaultReportOptions(),
        statuses: ExitStatus.all(but: [.notFound, .exists, .locked, .dismissed, .nobody, .wrong, .denied]),
        group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<VaultReportOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault], mayAsk: false)
        var findings: [String] = []
        var head = try access.client.ask(.verify, of: nil) { part throws(WireError) in
            findings += try part.consumeTexts("findings")
        }.head
        let (items, opened) = (try head.consumeNumber("items"), try head.consumeNumber("opened"))
        if given[\.json] {
            let report = Head([
                "items": .number("\(items)"), "opened": .number("\(opened)"),
                "findings": .array(findings.map { .string($0) }),
            ])
            Output.write(report.text + "\n")
        } else {
            for finding in findings { Output.write("\(Terminal.line(finding))\n") }
            let outcome = findings.isEmpty ? "all is whole" : counted(findings.count, "finding")
            let looked = opened == items ? "" : " (\(opened) of them looked into: the others demand a proof)"
            Output.write("\(counted(Int(items), "secret"))\(looked): \(outcome)\n")
        }
        if !findings.isEmpty { exit(ExitStatus.of(.damaged)) }
        return ""
    }
}

/// `latchkey backup`
enum BackupCommand {
    static let declaration = Declaration(
        name: "backup", summary: "make a backup of what may leave this device",
        text: """
            Writes a backup into FILE, which must not exist yet, sealed under a passphrase of its own. The passcode is asked
            for, and what that alone may read is taken along. What is left out is named, and the exit status says so: secrets
            that never leave this device, that ask for a finger, or that are lost. What is kept for this device only, as it is
            unless --accessible says otherwise, is in it, and can be restored into this vault alone.
            """,
        operands: [Operand(name: "FILE", values: .file)],
        options: VaultOptions(),
        statuses: [(1, "something was left out")] + ExitStatus.all(but: [.notFound]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<VaultOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        guard access.user != nil else { throw AgentError.noTerminal }
        let path = try VaultAccess.absolute(given.words[0])
        // Before anybody has typed a passphrase for it.
        do { try Vault.requireBackupCanBeWritten(to: path) } catch { throw AgentError(KeychainError.vault(error)) }
        var leftOut: [(name: String?, why: String)] = []
        var head = try access.ask(.backUp(path), because: "make a backup") {
            part throws(WireError) in
            for value in try part.consumeList("left-out") {
                guard var one = Head(value) else { continue }
                leftOut.append((try one.consumeTextIfPresent("name"), try one.consumeText("why")))
            }
        }.head
        let (written, damaged) = (try head.consumeNumber("written"), try head.consumeNumber("damaged"))
        for (name, why) in leftOut.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            Output.complain("left out: \(name ?? "something whose name is locked"): \(why)")
        }
        if damaged > 0 {
            Output.complain("left out: \(counted(Int(damaged), "item")) that are damaged; see latchkey verify")
        }
        Output.write("\(counted(Int(written), "secret")) in \(Terminal.line(given.words[0]))\n")
        if let warning = try head.consumeTextIfPresent("warning") { Output.complain(warning) }
        try tellOfBound(access, but: Set(leftOut.compactMap(\.name)))
        if !leftOut.isEmpty || damaged > 0 { exit(1) }
        return ""
    }

    /// A backup is for the day on which this vault is gone: whoever makes one has to know what it will not bring back then.
    private static func tellOfBound(_ access: VaultAccess, but leftOut: Set<String>) throws {
        let bound = try access.entries().entries.filter {
            $0.policy.protection.isThisDeviceOnly && !leftOut.contains($0.name)
        }
        if bound.isEmpty { return }
        Output.complain(
            "\(counted(bound.count, "secret")) in it can be restored into this vault alone, being kept for this device only: "
                + "\(bound.prefix(5).map(\.name).joined(separator: ", "))\(bound.count > 5 ? " and others" : ""); latchkey edit NAME "
                + "--accessible whenUnlocked lets one travel")
    }
}

/// `latchkey restore`
enum RestoreCommand {
    static let declaration = Declaration(
        name: "restore", summary: "bring the secrets of a backup into the vault",
        text: """
            Brings in what the backup in FILE holds: all of it or nothing. What is in the vault already stays as it is, and so
            does everything that is bound to another device.
            """,
        operands: [Operand(name: "FILE", values: .file)],
        options: VaultOptions(),
        statuses: [(1, "something could not be brought in")] + ExitStatus.all(but: [.notFound]), group: "the vault",
        run: run)

    @Sendable private static func run(_ given: Given<VaultOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        guard access.user != nil else { throw AgentError.noTerminal }
        let path = try VaultAccess.absolute(given.words[0])
        guard Glibc.access(path, R_OK) == 0 else { throw AgentError(.vault, "\(path): \(SystemError.last)") }
        var head = try access.ask(.importBackup(path), because: "take in a backup").head
        let added = Int(try head.consumeNumber("added"))
        let foreign = Int(try head.consumeNumber("of-another-device"))
        let refused = Int(try head.consumeNumber("refused"))
        let there = Int(try head.consumeNumber("duplicates"))
        Output.write("\(counted(added, "secret")) brought in; \(there) were there already\n")
        if foreign > 0 { Output.complain("\(counted(foreign, "secret")) left out: bound to another device") }
        if refused > 0 {
            Output.complain("\(counted(refused, "secret")) left out: this vault cannot store what they demand")
        }
        if foreign + refused > 0 { exit(1) }
        return ""
    }
}
