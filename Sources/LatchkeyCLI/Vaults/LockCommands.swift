internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
internal import PlainText

/// `latchkey unlock`
enum UnlockCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let biometry = Option("--biometry", says: "by the sensor instead of the passcode")
    }

    static let declaration = Declaration(
        name: "unlock", summary: "unlock the vault",
        text: """
            Asks for the passcode and unlocks the vault, until it is locked or has not been used for a while. Other commands do
            so themselves where it is needed. With --biometry the sensor is asked, which can unlock only what was unlocked by
            the passcode before, since the agent started.
            """,
        options: Options(),
        statuses: ExitStatus.all(but: [.notFound, .exists]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        _ = try access.client.ask(.unlock(bySensor: given[\.biometry]), of: access.user)
        return ""
    }
}

/// `latchkey lock`
enum LockCommand {
    static let declaration = Declaration(
        name: "lock", summary: "lock the vault",
        text: """
            Locks the vault: the keys are wiped, prompts that are open end, and what anybody has proved counts no more.
            """,
        options: VaultOptions(),
        statuses: ExitStatus.all(but: [.notFound, .exists, .wrong, .dismissed, .nobody]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<VaultOptions>) throws -> String {
        // Without an agent there are no keys.
        let place = try VaultAccess.place(given[\.vault])
        guard let client = try AgentClient.connect(to: place, app: "latchkey") else {
            // An agent that cannot be reached is ended, which wipes its keys.
            if let process = AgentClient.cutOff(from: place) { try AgentClient.end(process, of: place) }
            return ""
        }
        _ = try client.ask(.lock, of: nil)
        return ""
    }
}

/// `latchkey status`
enum StatusCommand {
    static let declaration = Declaration(
        name: "status", summary: "say how the vault is",
        text:
            "Says whether the vault is unlocked, who judges the passcode, and how the sensor is. Nobody is asked anything.",
        options: VaultReportOptions(),
        statuses: ExitStatus.all(but: [.notFound, .exists, .wrong, .dismissed, .nobody, .denied]), group: "the vault",
        run: run)

    @Sendable private static func run(_ given: Given<VaultReportOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault], mayAsk: false)
        let reply = try access.client.ask(.status, of: nil)
        if given[\.json] { return reply.head.text + "\n" }
        var head = reply.head
        let status = try StatusReport(reading: &head)
        var table = TextTable()
        for (label, text, tone) in rows(of: status) {
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
        let lock = status.locksAfter.map { "after \(counted($0, "second")) without a request" } ?? "never by itself"
        rows.append(("locks", lock, .plain))
        rows.append(
            ("passcode", status.service.map { "judged by PAM (\($0)) and the keys" } ?? "judged by the keys", .plain))
        if status.failedAttempts > 0 {
            let delay = status.delay > 0 ? ", none is taken for \(counted(status.delay, "second"))" : ""
            rows.append(("attempts", "\(counted(status.failedAttempts, "different wrong passcode"))\(delay)", .bad))
        }
        rows.append(("sensor", sensor(of: status), status.isSensorFake ? .bad : .plain))
        if let trouble = status.sensorTrouble { rows.append(("", trouble, .bad)) }
        if let log = SettingsCommand.words(status.log) { rows.append(("log", log, .plain)) }
        rows.append(("agent", "process \(status.process)", .plain))
        rows += status.limitTroubles.map { ("", $0, .bad) }
        return rows
    }

    private static func sensor(of status: StatusReport) -> String {
        if status.sensor == "none" { return "none" }
        let known = status.enrolled.isEmpty ? "nobody is enrolled" : "knows \(status.enrolled.joined(separator: ", "))"
        let isFake = status.isSensorFake ? " (a FAKE one, which anybody can pass)" : ""
        return "\(status.sensor)\(isFake), \(known)"
    }
}
