internal import Glibc
internal import LatchkeyAgent
internal import SystemServices

/// `latchkey agent`
enum AgentCommand {
    static let declaration = Declaration(
        name: "agent", summary: "hold the keys of a vault while it is unlocked, or end whoever does",
        text: """
            Holds the keys of a vault, and answers the other commands, until it is told to stop. They start it themselves where
            there is none; systemd can do so as well (docs/install.md). It decides about every request itself, nobody but root
            can look into it, and it writes no core.

            With stop, the agent of the vault wipes the keys at once and ends; the command comes back when its process is gone.
            """,
        operands: [Operand(name: "stop", values: .words(["stop"]), isOptional: true)],
        options: [
            OptionGroup(options: [
                VaultAccess.option,
                Option(
                    "--lock-after", value: "SECONDS",
                    "lock the vault after so many seconds without a request, 0 for never; instead of what its settings say"
                ),
            ])
        ],
        statuses: ExitStatus.all(but: [.notFound, .locked, .denied, .dismissed, .wrong, .nobody, .exists]),
        group: "the vault", run: run)

    @Sendable private static func run(_ given: Given) throws -> String {
        if let word = given.words.first {
            guard word == "stop" else { throw UsageError("agent takes \"stop\", or nothing") }
            return try stop(given)
        }
        do {
            var options = Agent.Options()
            options.sockets = try SocketActivation.sockets()
            if let text = given["--lock-after"] {
                guard let seconds = Int(text), seconds >= 0 else {
                    throw UsageError("--lock-after takes a number of seconds")
                }
                options.locksAfter = seconds
            }
            options.whenReady = {
                AgentStart.tell()
                ServiceNotify.ready()
            }
            options.watch = { lock in SleepWatch { _ in lock() } }
            options.whenEnding = { ServiceNotify.stopping() }
            options.whenLosing = { Output.complain("\($0)") }
            try Agent.run(at: try VaultAccess.place(given), options)
        } catch {
            AgentStart.tell("\(error)")
            throw error
        }
        return ""
    }

    private static func stop(_ given: Given) throws -> String {
        let place = try VaultAccess.place(given)
        guard let client = try AgentClient.connect(to: place, app: "latchkey") else {
            guard let process = AgentClient.cutOff(from: place) else { return "The vault has no agent.\n" }
            try AgentClient.end(process, of: place)
            return "The agent has ended.\n"
        }
        if let lost = try client.stop() { Output.complain("\(lost)") }
        return "The agent has ended.\n"
    }
}

extension SleepWatch: LockWatch {}
