internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import PlainText

/// `latchkey watch`
enum WatchCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let json = Option("--json", says: "print one JSON object on each line")
    }

    static let declaration = Declaration(
        name: "watch", summary: "show what happens to the vault, until you press Ctrl-C",
        text: """
            Shows the state of the vault, and then each change of it and each new record of the audit log, within a second. It
            never changes anything, shows no secret, and does not keep the vault unlocked.

            With --json, each line is an object with one key: state, as latchkey status --json prints it, or record, as latchkey
            log --json prints it.
            """,
        options: Options(),
        examples: [("latchkey watch", ""), ("latchkey watch --json", "prints the same for programs")],
        statuses: ExitStatus.all(but: [.notFound, .exists, .wrong, .dismissed, .noTerminal]), group: "the vault",
        run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault], mayAsk: false)
        // The first request only finds the end of the log.
        var last = try LogReading.read(access.client, after: 0, latest: 0) { _, _ in }
        var known: WatchedState?
        var lines = LogLines()
        while true {
            let status = try access.status()
            let state = WatchedState(status)
            if state != known {
                Output.write(
                    given[\.json]
                        ? "{\"state\":\(status.head.text)}\n"
                        : lines.line(at: Int64(time(nil)) * 1000, ["state", state.words]))
            }
            known = state
            last = try LogReading.read(access.client, after: last, latest: nil) { text, record in
                Output.write(given[\.json] ? "{\"record\":\(text)}\n" : lines.line(record))
            }
            sleep(1)
        }
    }
}

/// The parts of a vault's state that stay the same while nothing happens.
private struct WatchedState: Hashable {
    let state: StatusReport.State
    let sensor: String
    let sensorTrouble: String?
    let enrolled: [String]
    let failedAttempts: Int

    init(_ status: StatusReport) {
        state = status.state
        sensor = status.sensor
        sensorTrouble = status.sensorTrouble
        enrolled = status.enrolled
        failedAttempts = status.failedAttempts
    }

    /// The state in one line.
    var words: String {
        var parts: [String]
        switch state {
        case .unlocked: parts = ["unlocked"]
        case .locked: parts = ["locked"]
        case .beforeFirstUnlock: parts = ["locked, and not unlocked since the agent started"]
        }
        if sensor != "none" {
            parts.append("\(sensor), enrolled: \(enrolled.isEmpty ? "nothing" : enrolled.joined(separator: ", "))")
        }
        if let sensorTrouble { parts.append(sensorTrouble) }
        if failedAttempts > 0 { parts.append(counted(failedAttempts, "different wrong passcode")) }
        return parts.joined(separator: "; ")
    }
}
