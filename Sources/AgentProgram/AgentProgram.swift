internal import AgentHost
internal import AgentProtocol
internal import CommandLineKit
internal import LatchkeyCLI
internal import LinuxSystem
internal import SystemServices
internal import VaultService

/// `latchkey-agent`: the agent, and the process that speaks to smart cards for it.
@main
enum AgentProgram {
    static func main() {
        Latchkey.begin()
        CardProcess.runIfCalled()
        // Before a later version can take their place.
        OwnProgram.find()
        let program = Declaration(
            name: "latchkey", summary: "hold the keys of an unlocked vault", commands: [AgentCommand.declaration(serve)]
        )
        Latchkey.run(program, [RawText(OwnProgram.agentWord)] + Latchkey.words)
    }

    @Sendable private static func serve(_ given: Given<AgentCommand.Options>) throws {
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
    }

    /// The name of the socket for SSH clients in its unit.
    private static let sshSocketName = "ssh"
}

extension SleepWatch: LockWatch {}
