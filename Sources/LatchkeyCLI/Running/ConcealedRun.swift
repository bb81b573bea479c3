internal import Glibc
internal import LatchkeyAgent
internal import LinuxSystem
internal import SecretTools
internal import SodiumKit

/// A command that runs as a child, with what it prints going through maskers.
struct ConcealedRun {
    private let signals: ChildSignals
    private let process: pid_t
    private let pumps: [OutputPump]
    /// Closed when the child has ended, for the pumps to see.
    private let alive: Pipe

    /// Starts it. The environment is wiped when it has.
    init(
        _ program: Program, _ environment: consuming EnvironmentBlock, _ output: consuming Masker,
        _ errors: consuming Masker
    ) throws {
        do { signals = try ChildSignals() } catch { throw AgentError(.vault, "signals: \(error)") }
        let (outputPipe, errorPipe) = (try Self.pipe(), try Self.pipe())
        alive = try Self.pipe()
        // It stays in our group, so that the keys of the terminal reach both of us.
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
            throw AgentError(.vault, "there is no room for another thread, and the command was ended again")
        }
    }

    /// A pipe, which no program that is started has.
    static func pipe() throws(AgentError) -> Pipe {
        do { return try Pipe() } catch { throw AgentError(.vault, "a pipe: \(error)") }
    }

    /// Waits for it and for what it prints, and ends as it does.
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
            // What is left is to write out what nobody takes.
            if Signals.ending.contains(signal.number) { Signals.end(by: signal.number) }
        } else if !signal.isOfTerminal && signal.sender != process {
            kill(process, signal.number)
        }
    }

    /// How it has ended, if it has; where it was stopped at the terminal, so are we.
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
