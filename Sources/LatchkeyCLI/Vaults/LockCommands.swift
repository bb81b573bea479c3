internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
internal import PlainText

/// `latchkey unlock`
enum UnlockCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let biometry = Option("--biometry", says: "use the sensor alone, without the passcode as the fallback")
        let login = Option(
            "--login-password",
            says: "read the login password from standard input, for pam_exec and services (docs/login.md)"
        )
    }

    static let declaration = Declaration(
        name: "unlock", summary: "unlock the vault",
        text: """
            Unlocks the vault until you lock it or do not use it for a while. Other commands do this themselves when they need
            it. Asks for a finger or face if a sensor can unlock the vault, with the passcode as the fallback, and otherwise for
            the passcode. A sensor can unlock the vault only after the passcode has done so once since the agent started.
            """,
        options: Options(),
        examples: [("latchkey unlock", ""), ("latchkey unlock --biometry", "uses the sensor")],
        statuses: ExitStatus.all(but: [.notFound, .exists]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        if given[\.login] { return try passOn(given) }
        let access = try VaultAccess(given[\.vault])
        do throws(AgentError) {
            _ = try access.client.ask(UnlockCall(bySensor: given[\.biometry]), of: access.user)
        } catch { throw access.withRefusal(error) }
        Output.confirm("Unlocked the vault.")
        return ""
    }

    /// Passes the login password on to the agent, which checks it after this command has ended.
    private static func passOn(_ given: Given<Options>) throws -> String {
        if given[\.biometry] { throw UsageError("--login-password and --biometry exclude each other") }
        if isatty(STDIN_FILENO) == 1 {
            throw UsageError("--login-password reads no terminal: to unlock the vault, run `latchkey unlock`")
        }
        let password = try SecretInput.read(STDIN_FILENO, called: "standard input")
        let access = try VaultAccess(given[\.vault], mayAsk: false)
        let isTaken = try access.client.ask(UnlockAtLoginCall(), sending: password, of: nil).reply.isTaken
        // A login must not wait for the check.
        if isTaken && getenv("PAM_TYPE") != nil { return "" }
        let deadline = Deadline(patience)
        while true {
            if try access.status().state == .unlocked { return "" }
            guard isTaken else {
                throw AgentError(
                    .request,
                    "the vault stays locked, because its passcode is not your login password: run `latchkey unlock` in a terminal"
                )
            }
            guard deadline.left > 1 else {
                throw AgentError(
                    .wrong,
                    "the vault stays locked, because the login password is wrong or was not checked: run `latchkey log` to see "
                        + "which")
            }
            usleep(50_000)
        }
    }

    /// The time for the check of a login password, in milliseconds.
    private static let patience: Int32 = 10_000
}

/// `latchkey lock`
enum LockCommand {
    static let declaration = Declaration(
        name: "lock", summary: "lock the vault",
        text: """
            Locks the vault: the agent wipes the keys, dismisses open prompts, and forgets every authentication. That waits for no
            other program. If the audit log has no record of the lock yet, the command says so; the vault is locked all the same.
            Then the kernel forgets the keys of protected folders. If a program keeps files of such a folder open, the command
            names it.
            """,
        options: VaultOption(), examples: [("latchkey lock", "")],
        statuses: ExitStatus.all(but: [.notFound, .exists, .wrong, .dismissed, .noTerminal]), group: "the vault",
        run: run)

    @Sendable private static func run(_ given: Given<VaultOption>) throws -> String {
        // Without an agent, no process holds the keys: the vault is locked.
        let place = try VaultAccess.place(given[\.vault])
        guard let client = try AgentClient.connect(to: place, app: "latchkey") else {
            // An agent that cannot be reached is stopped, which wipes its keys.
            if let process = AgentClient.cutOff(from: place) { try AgentClient.end(process, of: place) }
            Output.confirm("The vault is locked.")
            return ""
        }
        let report = try client.ask(LockCall(), of: nil).reply
        // Before anything that takes time: the keys are gone.
        Output.confirm("Locked the vault.")
        if let trouble = report.trouble {
            Output.complain("the audit log has no record of this lock, and the agent ends: \(trouble)")
        }
        if report.hasFolders { try FolderAccess.tellHeld(client) }
        return ""
    }
}

/// `latchkey status`
enum StatusCommand {
    static let declaration = Declaration(
        name: "status", summary: "show the state of the vault",
        text:
            "Shows whether the vault is unlocked, what checks the passcode, and the state of the sensor. Never prompts.",
        options: VaultReportOptions(),
        examples: [("latchkey status", ""), ("latchkey status --json", "prints the same for programs")],
        statuses: ExitStatus.all(but: [.notFound, .exists, .wrong, .dismissed, .noTerminal, .denied]),
        group: "the vault",
        run: run)

    @Sendable private static func run(_ given: Given<VaultReportOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault], mayAsk: false)
        let status = try access.status()
        if given[\.json] { return status.head.text + "\n" }
        var table = TextTable()
        let place = try VaultAccess.place(given[\.vault])
        for (label, text, tone) in rows(of: status) + diskRows(ofVaultAt: place.vault) {
            table.rows.append([.init(label, .faint), .init(Terminal.line(text), tone)])
        }
        return table.text(colored: Output.isColored)
    }

    private static func rows(of status: StatusReport) -> [(String, String, TextTable.Tone)] {
        var rows: [(String, String, TextTable.Tone)] = [("vault", status.vault, .plain)]
        switch status.state {
        case .unlocked: rows.append(("state", "unlocked", .good))
        case .locked: rows.append(("state", "locked", .bad))
        case .beforeFirstUnlock: rows.append(("state", "locked, and not unlocked since the agent started", .bad))
        }
        let lock =
            status.locksAfter.map { "after \(counted(seconds: $0)) without a request" } ?? "only when you lock it"
        rows.append(("locks", lock, .plain))
        let passcode = status.service.map { "your login password, checked by PAM (\($0))" } ?? "the vault's own"
        rows.append(("passcode", passcode, .plain))
        if status.failedAttempts > 0 {
            let delay = status.delay > 0 ? ", none accepted for another \(counted(seconds: status.delay))" : ""
            rows.append(("attempts", "\(counted(status.failedAttempts, "different wrong passcode"))\(delay)", .bad))
        }
        if let seconds = status.formerOpensFor {
            rows.append(
                (
                    "",
                    "the former login password opens the vault for \(TypedTime.rough(seconds)), or until the new one has",
                    .bad
                )
            )
        }
        if status.areSettingsUnchecked {
            rows.append(("settings", "not checked until the next unlock: strict ones hold meanwhile", .plain))
        }
        if let time = status.settingsPutBack {
            rows.append(
                (
                    "settings",
                    "another program changed them without the passcode, and the vault put back yours "
                        + ShownTime.text(Int64(time) * 1000) + ": see `latchkey doctor`", .bad
                ))
        }
        rows.append(("sensor", sensor(of: status), status.isSensorFake ? .bad : .plain))
        if let trouble = status.sensorTrouble { rows.append(("", trouble, .bad)) }
        if let log = status.logWords {
            rows.append(("log", log, .plain))
        }
        rows.append(("agent", "process \(status.process)", .plain))
        rows += status.limitTroubles.map { ("", $0, .bad) }
        return rows
    }

    /// Returns the rows about the disk; none if nothing is wrong.
    private static func diskRows(ofVaultAt folder: String) -> [(String, String, TextTable.Tone)] {
        guard let room = DiskRoom(ofVaultAt: folder), !room.isReserveWhole else { return [] }
        return [("disk", "full, and \(room.reserveWords) for unlocking are left: free 1 MiB", .bad)]
    }

    private static func sensor(of status: StatusReport) -> String {
        if status.sensor == "none" { return "none" }
        let known =
            status.enrolled.isEmpty ? "nothing enrolled" : "enrolled: \(status.enrolled.joined(separator: ", "))"
        let isFake =
            status.isSensorFake
            ? " (FAKE: anyone can pass it)"
            : status.areSettingsUnchecked ? " (not checked until the next unlock: it may be a fake)" : ""
        return "\(status.sensor)\(isFake), \(known)"
    }
}
