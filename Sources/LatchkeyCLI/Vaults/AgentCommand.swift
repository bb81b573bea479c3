internal import AgentProtocol
package import CommandLineKit
internal import LinuxSystem

/// `latchkey agent`, which `latchkey-agent` runs.
package enum AgentCommand {
    package struct Options: OptionList {
        package let vault = VaultAccess.option
        package let lockAfter = Option(
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

    /// Declares the command. `serve` runs the agent until it ends.
    package static func declaration(
        _ serve: @escaping @Sendable (Given<Options>) throws -> Void
    ) -> Declaration {
        Declaration(
            name: OwnProgram.agentWord, summary: "run or stop the agent, which holds the keys of an unlocked vault",
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
            group: "the vault"
        ) { given in try run(given, serve) }
    }

    private static func run(
        _ given: Given<Options>, _ serve: (Given<Options>) throws -> Void
    ) throws -> String {
        if let word = given.words.first {
            guard word == "stop" else { throw UsageError("agent takes \"stop\" or nothing") }
            return try stop(VaultAccess.place(given[\.vault]))
        }
        try serve(given)
        return ""
    }

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
