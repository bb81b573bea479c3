package import Foundation

/// The built binary, or a shell that runs it, at a terminal of its own.
package final class CommandAtTerminal: Terminal, @unchecked Sendable {  // used by one test
    /// The number of the process.
    package private(set) var process: pid_t = 0
    private var hasBeenAwaited = true

    /// Starts a program.
    package init(
        _ arguments: [String], program: String = Command.binary.path, environment: [String: String],
        rows: UInt16 = 24, columns: UInt16 = 80, input: SessionLeader.Stream = .terminal,
        output: SessionLeader.Stream = .terminal, errors: SessionLeader.Stream = .terminal
    ) throws {
        try super.init(rows: rows, columns: columns)
        let plain = ["TERM": "dumb", "NO_COLOR": "1", "SWIFT_BACKTRACE": "enable=no"]
        process = try SessionLeader.start(
            [program] + arguments, environment: Command.environment(plain.merging(environment) { $1 }), at: path,
            [input, output, errors])
        hasBeenAwaited = false
    }

    deinit {
        if hasBeenAwaited { return }
        kill(process, SIGKILL)
        _ = waitForEnd()
    }

    override var isOver: Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0
            && information.si_signo == SIGCHLD
    }

    /// Waits for the end. Returns the exit status, or minus the number of the signal that ended the command.
    package func end() -> Int32 {
        let status = waitForEnd()
        if master >= 0 { catchUp(milliseconds: 0) }
        return status
    }

    /// The end of the question for a part of a new recovery key, which ``end()`` skips.
    package static let partQuestion = "or press Enter to skip this: "

    private func waitForEnd() -> Int32 {
        let status = SessionLeader.end(of: process) {
            if skip(Self.partQuestion) { type("\n") }
            if master >= 0 { watch(milliseconds: 2) } else { usleep(2000) }
        }
        hasBeenAwaited = true
        return status
    }
}

/// A process that leads a session of its own.
package enum SessionLeader {
    /// The target of an input or output stream.
    package enum Stream {
        case terminal, nowhere, closed
        case descriptor(Int32)
    }

    /// The system could not start the program.
    package struct CannotStart: Error {
        let program: String
        let code: Int32
    }

    /// Starts a program in a session of its own, with every signal as usual: the program that runs the tests may ignore or block
    /// some. The terminal at `path` controls the session; without one, no stream can be a terminal.
    package static func start(
        _ words: [String], environment: [String: String], at path: String?, _ streams: [Stream]
    ) throws -> pid_t {
        // No program that another thread starts inherits a terminal or a pipe.
        Terminal.opening.lock()
        defer { Terminal.opening.unlock() }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a session opens becomes its controlling terminal.
        if let path { posix_spawn_file_actions_addopen(&actions, 9, path, O_RDWR, 0) }
        for (number, stream) in streams.enumerated() {
            let number = Int32(number)
            switch stream {
            case .terminal: posix_spawn_file_actions_adddup2(&actions, 9, number)
            case .nowhere: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            case .closed:
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
                posix_spawn_file_actions_addclose(&actions, number)
            case .descriptor(let other): posix_spawn_file_actions_adddup2(&actions, other, number)
            }
        }
        if path != nil { posix_spawn_file_actions_addclose(&actions, 9) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, which the module of the C library leaves out
        posix_spawnattr_setflags(&attributes, Int16(newSession | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in arguments + variables { free(word) } }
        var started: pid_t = 0
        let code = posix_spawn(&started, words[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw CannotStart(program: words[0], code: code) }
        return started
    }

    /// Waits for the end of a process, and looks after something else meanwhile. Returns the exit status, or minus the signal that
    /// ended the process.
    package static func end(of process: pid_t, meanwhile: () -> Void = { usleep(2000) }) -> Int32 {
        var status: Int32 = 0
        let deadline = Patience.end
        while waitpid(process, &status, WNOHANG) == 0 {
            if Date() > deadline { kill(process, SIGKILL) }
            meanwhile()
        }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }
}
