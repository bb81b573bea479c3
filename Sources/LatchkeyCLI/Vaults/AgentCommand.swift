internal import AgentHost
internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import SystemServices

/// `latchkey agent`
enum AgentCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let lockAfter = Option(
            "--lock-after", value: "SECONDS",
            says:
                "lock the vault after this long without a request, instead of as set for it; 0 for never"
        ) { (text) throws(UsageError) in
            guard let seconds = Int(text), seconds >= 0 else {
                throw UsageError("--lock-after needs a number of seconds")
            }
            return seconds
        }
    }

    static let declaration = Declaration(
        name: "agent", summary: "run or stop the agent, which holds the keys of an unlocked vault",
        text: """
            Runs the agent in the foreground. It holds the keys of the unlocked vault and decides about every request. Only root
            can look into its process, and it writes no core. You rarely need this: other commands start the agent if there is
            none, and systemd can start it too (docs/install.md).

            With stop, the running agent wipes the keys and exits; the command returns when its process is gone.
            """,
        operands: [Operand(name: "stop", values: .words(["stop"]), isOptional: true)],
        options: Options(),
        examples: [
            ("latchkey agent stop", ""),
            ("latchkey agent --lock-after 3600", "keeps the vault unlocked for an hour without a request"),
        ],
        statuses: ExitStatus.all(but: [.notFound, .locked, .denied, .dismissed, .wrong, .noTerminal, .exists]),
        group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        if let word = given.words.first {
            guard word == "stop" else { throw UsageError("agent takes \"stop\" or nothing") }
            return try stop(VaultAccess.place(given[\.vault]))
        }
        do {
            var options = Agent.Options()
            let sockets = try SocketActivation.sockets()
            options.sockets = sockets.filter { $0.name != sshSocketName }.map(\.socket)
            options.sshSockets = sockets.filter { $0.name == sshSocketName }.map(\.socket)
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

    /// The name of the socket for SSH clients in its unit.
    private static let sshSocketName = "ssh"

    private static func stop(_ place: AgentPlace) throws -> String {
        let client: AgentClient?
        do throws(AgentError) { client = try AgentClient.connect(to: place, app: "latchkey") } catch {
            guard error == .ofOtherVersion else { throw error }
            client = nil
        }
        if let client {
            if let lost = try client.stop() { Output.complain("\(lost)") }
        } else {
            guard let process = AgentClient.cutOff(from: place) else { return "No agent is running.\n" }
            try AgentClient.end(process, of: place)
        }
        return "Stopped the agent.\n"
    }
}

extension SleepWatch: LockWatch {}
