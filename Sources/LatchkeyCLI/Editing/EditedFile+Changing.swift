internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
package import SodiumKit

extension EditedFile {
    /// Returns what a program makes of a file with this secret. The file is removed in any case, and also if a signal ends this
    /// process meanwhile.
    ///
    /// `prepare` gets the path of the file before the program starts, and `check` the status that the program ended with.
    ///
    /// - Throws: `CommandError` if there is no place for the file or the program does not start, and what `check` throws.
    package static func changing(
        _ secret: borrowing SecureBytes, by program: FileChanger, prepare: (String) -> Void,
        check: (Int32) throws -> Void
    ) throws -> SecureBytes {
        let signals: ChildSignals
        do { signals = try ChildSignals() } catch { throw CommandError("signals: \(error)") }
        defer {
            signals.former.holdOnly()
            close(signals.descriptor)
        }
        let file = try EditedFile(secret, otherWay: program.otherWay)
        defer { file.remove() }
        prepare(file.path)
        var child = program.child
        child.held = signals.former
        let start = {
            Result { () throws(SystemError) in
                try child.start(program.path, program.words + [file.path], environment: program.environment)
            }
        }
        switch program.isStep ? start() : CrashSafety.withLimitsOfBirth(start) {
        case .success(let process):
            let status = file.wait(for: process, signals)
            if program.isStep, Signals.ending.contains(status & 0x7F) {
                file.remove()
                Signals.end(by: status & 0x7F)
            }
            try check(status)
        case .failure(let error): throw CommandError("\(program.name): \(error)")
        }
        return try file.read(leftBy: program.name)
    }

    /// The time that a program gets to end after a signal, in milliseconds.
    private static let patienceAtEnd: Int32 = 1000

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
                    // The program still has the terminal, and restores its settings.
                    _ = WatchedProcess(process).isGone(within: Self.patienceAtEnd)
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
