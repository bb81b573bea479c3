internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
internal import SodiumKit

extension EditedFile {
    /// Returns what a command of the shell makes of a file with this secret. The file is removed in any case, and also if a
    /// signal ends this process meanwhile.
    ///
    /// The path of the file is the last word of the command. `prepare` gets the path before the command starts, and
    /// `check` the status that the command ended with.
    ///
    /// - Throws: `EditorError` if the command does not start, and what `check` throws.
    static func changing(
        _ secret: borrowing SecureBytes, by command: String, output: Child.Stream = .inherited,
        prepare: (String) -> Void, check: (Int32) throws -> Void
    ) throws -> SecureBytes {
        let signals: ChildSignals
        do { signals = try ChildSignals() } catch { throw EditorError("signals: \(error)") }
        defer {
            signals.former.holdOnly()
            close(signals.descriptor)
        }
        let file = try EditedFile(secret)
        defer { file.remove() }
        prepare(file.path)
        var child = Child()
        child.held = signals.former
        child.output = output
        // A shell reads the command, and becomes the program, which signals then reach.
        let started = CrashSafety.withLimitsOfBirth {
            Result { () throws(SystemError) in
                try child.start(
                    "/bin/sh", ["sh", "-c", "exec \(command) \"$@\"", command, file.path],
                    environment: Child.environmentHere)
            }
        }
        switch started {
        case .success(let process): try check(file.wait(for: process, signals))
        case .failure(let error): throw EditorError("\(command): \(error)")
        }
        return try file.read()
    }

    /// Waits for the program and returns its status. A key such as Ctrl-C is the program's own; a signal that another process
    /// sends ends both.
    private func wait(for process: Int32, _ signals: ChildSignals) -> Int32 {
        while true {
            var waited = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waited, 1, -1) > 0, let signal = signals.next() else { continue }
            if signal.number == SIGCHLD {
                var status: Int32 = 0
                while waitpid(process, &status, WNOHANG | WUNTRACED) == process {
                    guard status & 0xFF == 0x7F else { return status }
                    signals.stop(by: (status >> 8) & 0xFF)
                }
            } else if !signal.isOfTerminal && signal.sender != process {
                kill(process, signal.number)
                if Signals.ending.contains(signal.number) {
                    remove()
                    Signals.end(by: signal.number)
                }
            } else if signal.number == SIGHUP {
                // The terminal is gone, for this process too.
                remove()
                Signals.end(by: SIGHUP)
            }
        }
    }
}
