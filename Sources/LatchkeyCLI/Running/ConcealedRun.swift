internal import Glibc
internal import LatchkeyAgent
internal import SecretTools
internal import SodiumKit
internal import UserPresence

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
        signals = try ChildSignals()
        let (outputPipe, errorPipe) = (try Pipe(), try Pipe())
        alive = try Pipe()
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, outputPipe.writing, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errorPipe.writing, STDERR_FILENO)
        // It stays in our group, so that the keys of the terminal reach both of us.
        var mask = signals.former
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        process = try program.spawn(&environment, &actions, &attributes)
        close(outputPipe.writing)
        close(errorPipe.writing)
        pumps = [
            try OutputPump(
                output, from: outputPipe.reading, to: STDOUT_FILENO, called: "standard output", while: alive),
            try OutputPump(errors, from: errorPipe.reading, to: STDERR_FILENO, called: "standard error", while: alive),
        ]
        for pump in pumps where !Supervisor.detach({ pump.run() }) {
            kill(process, SIGKILL)
            throw Fault(.vault, "there is no room for another thread, and the command was ended again")
        }
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
            if ChildSignals.ending.contains(signal.number) { StopSignals.end(by: signal.number) }
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
            StopSignals.end(by: signal)
            exit(128 + signal)
        }
        let own = (status >> 8) & 0xFF
        exit(own == 0 && !troubles.isEmpty ? 1 : own)
    }
}

/// Two ends, which no program that is started has.
struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws(Fault) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Fault(.vault, "a pipe: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }
}
