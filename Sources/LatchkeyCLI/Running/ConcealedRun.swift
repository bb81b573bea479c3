internal import AgentProtocol
internal import Glibc
internal import LinuxSystem
internal import SecretTools
internal import SodiumKit

/// A command that runs as a child, and whose output passes through maskers.
struct ConcealedRun {
    private let signals: ChildSignals
    private let process: pid_t
    private let pumps: [OutputPump]
    /// A pipe that is closed when the child has ended, which tells the pumps.
    private let alive: Pipe

    /// Starts the command. The environment is wiped afterwards.
    ///
    /// - Throws: `CommandError` if the command cannot be run; `AgentError` if the system has no room for it.
    init(
        _ program: Program, _ environment: consuming EnvironmentBlock, _ output: consuming Masker,
        _ errors: consuming Masker
    ) throws {
        do { signals = try ChildSignals() } catch { throw AgentError(.vault, "signals: \(error)") }
        let (outputPipe, errorPipe) = (try Self.pipe(), try Self.pipe())
        alive = try Self.pipe()
        // The child stays in our process group, so that keys such as Ctrl-C reach both processes.
        var child = Child()
        (child.output, child.errors) = (.descriptor(outputPipe.writing), .descriptor(errorPipe.writing))
        child.held = signals.former
        process = try program.start(child, &environment)
        close(outputPipe.writing)
        close(errorPipe.writing)
        pumps = [
            try OutputPump(
                output, from: outputPipe.reading, to: STDOUT_FILENO, called: "standard output", while: alive),
            try OutputPump(errors, from: errorPipe.reading, to: STDERR_FILENO, called: "standard error", while: alive),
        ]
        for pump in pumps where !Supervisor.detach({ pump.run() }) {
            kill(process, SIGKILL)
            throw AgentError(
                .vault,
                "the system allows no more threads, so the command was stopped: close other programs and try again")
        }
    }

    /// Creates a pipe that children do not inherit.
    static func pipe() throws(AgentError) -> Pipe {
        do { return try Pipe() } catch { throw AgentError(.vault, "a pipe: \(error)") }
    }

    /// Waits for the command and its output, and ends as the command did.
    func finish() throws -> Never {
        var status: Int32?
        var open = pumps
        while status == nil || !open.isEmpty {
            var waited = ([signals.descriptor] + open.map(\.done)).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&waited, nfds_t(waited.count), -1) > 0 else { continue }
            if waited[0].revents != 0, let signal = signals.next() {
                if signal.number != SIGCHLD {
                    pass(on: signal, hasEnded: status != nil)
                } else if status == nil, let ended = look() {
                    status = ended
                    close(alive.writing)
                }
            }
            let ended = Set(waited.dropFirst().filter { $0.revents != 0 }.map(\.fd))
            open.removeAll { ended.contains($0.done) }
        }
        Self.end(status ?? 0, troubles: pumps.compactMap(\.trouble))
    }

    private func pass(on signal: ChildSignals.Received, hasEnded: Bool) {
        if hasEnded {
            // Only output that no reader takes is left, so end now.
            if Signals.ending.contains(signal.number) { Signals.end(by: signal.number) }
        } else if !signal.isOfTerminal && signal.sender != process {
            kill(process, signal.number)
        }
    }

    /// Returns how the child has ended, if it has. If it was stopped at the terminal, stops this process as well.
    private func look() -> Int32? {
        var status: Int32 = 0
        while waitpid(process, &status, WNOHANG | WUNTRACED) == process {
            guard status & 0xFF == 0x7F else { return status }
            signals.stop(by: (status >> 8) & 0xFF)
        }
        return nil
    }

    private static func end(_ status: Int32, troubles: [String]) -> Never {
        for trouble in troubles { Output.complain(trouble) }
        let signal = status & 0x7F
        if signal != 0 {
            Signals.end(by: signal)
            exit(128 + signal)
        }
        let own = (status >> 8) & 0xFF
        exit(own == 0 && !troubles.isEmpty ? 1 : own)
    }
}
