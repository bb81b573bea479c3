internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
internal import SystemServices

/// `latchkey agent`
enum AgentCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let lockAfter = Option(
            "--lock-after", value: "SECONDS",
            says:
                "lock the vault after so many seconds without a request, 0 for never; instead of what its settings say"
        ) { (text) throws(UsageError) in
            guard let seconds = Int(text), seconds >= 0 else {
                throw UsageError("--lock-after takes a number of seconds")
            }
            return seconds
        }
    }

    static let declaration = Declaration(
        name: "agent", summary: "hold the keys of a vault while it is unlocked, or end whoever does",
        text: """
            Holds the keys of a vault, and answers the other commands, until it is told to stop. They start it themselves where
            there is none; systemd can do so as well (docs/install.md). It decides about every request itself, nobody but root
            can look into it, and it writes no core.

            With stop, the agent of the vault wipes the keys at once and ends; the command comes back when its process is gone.
            """,
        operands: [Operand(name: "stop", values: .words(["stop"]), isOptional: true)],
        options: Options(),
        statuses: ExitStatus.all(but: [.notFound, .locked, .denied, .dismissed, .wrong, .nobody, .exists]),
        group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        if let word = given.words.first {
            guard word == "stop" else { throw UsageError("agent takes \"stop\", or nothing") }
            return try stop(VaultAccess.place(given[\.vault]))
        }
        do {
            var options = Agent.Options()
            options.sockets = try SocketActivation.sockets()
            if let seconds = given[\.lockAfter] { options.locksAfter = seconds }
            options.whenReady = {
                AgentStart.tell()
                ServiceNotify.ready()
            }
            options.watch = { lock in SleepWatch { _ in lock() } }
            options.whenEnding = { ServiceNotify.stopping() }
            options.whenLosing = { Output.complain("\($0)") }
            try Agent.run(at: try VaultAccess.place(given[\.vault]), options)
        } catch {
            AgentStart.tell("\(error)")
            throw error
        }
        return ""
    }

    private static func stop(_ place: AgentPlace) throws -> String {
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
