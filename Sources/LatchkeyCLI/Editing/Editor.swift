internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
internal import PlainText
internal import SodiumKit

/// The user's editor, which changes a secret in a file in memory.
enum Editor {
    /// Returns the secret as the user has edited it; nil if it is unchanged. The file is removed in any case, and also if a signal
    /// ends this process meanwhile.
    ///
    /// - Throws: `EditorError` if the editor does not start or fails, or leaves an empty file.
    static func edit(_ secret: borrowing SecureBytes) throws -> SecureBytes? {
        let signals: ChildSignals
        do { signals = try ChildSignals() } catch { throw EditorError("signals: \(error)") }
        defer {
            signals.former.holdOnly()
            close(signals.descriptor)
        }
        let file = try EditedFile(secret)
        defer { file.remove() }
        Output.confirm(
            "The editor gets the secret in \(file.path), which lies in memory and is removed afterwards. latchkey cannot "
                + "remove what the editor itself keeps: its memory, swap files, backups and undo files elsewhere.")
        try run(on: file, signals)
        return try changed(try file.read(), from: secret)
    }

    private static func run(on file: EditedFile, _ signals: ChildSignals) throws {
        let command = variable("VISUAL") ?? variable("EDITOR") ?? "vi"
        var child = Child()
        child.held = signals.former
        let process: Int32
        do {
            // The variable may hold options too, so a shell reads it. It becomes the editor, which signals then reach.
            process = try CrashSafety.withLimitsOfBirth {
                Result { () throws(SystemError) in
                    try child.start(
                        "/bin/sh", ["sh", "-c", "exec \(command) \"$@\"", command, file.path],
                        environment: Child.environmentHere)
                }
            }.get()
        } catch { throw EditorError("the editor: \(error)") }
        let status = wait(for: process, file, signals)
        guard status == 0 else {
            let end =
                status & 0x7F == 0 ? "exited with \((status >> 8) & 0xFF)" : "was ended by signal \(status & 0x7F)"
            throw EditorError(
                "the editor `\(Terminal.line(command))` \(end), and nothing was saved: set VISUAL to another one")
        }
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).flatMap { String(validatingCString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Waits for the editor and returns its status. A key such as Ctrl-C is the editor's own; a signal that another process sends
    /// ends both.
    private static func wait(for process: Int32, _ file: EditedFile, _ signals: ChildSignals) -> Int32 {
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
                    file.remove()
                    Signals.end(by: signal.number)
                }
            } else if signal.number == SIGHUP {
                // The terminal is gone, for this process too.
                file.remove()
                Signals.end(by: SIGHUP)
            }
        }
    }

    /// Returns the new secret; nil if it equals the old one. If only the new one ends with a line feed, the editor has added it.
    private static func changed(
        _ edited: consuming SecureBytes, from former: borrowing SecureBytes
    ) throws -> SecureBytes? {
        if edited.count == 0 { throw EditorError("the file was left empty, and nothing was saved") }
        let kept = SecretInput.endsLine(former) ? edited : try SecretInput.withoutLastNewline(edited)
        if kept.equals(former) { return nil }
        return kept
    }
}

/// An error of the editor, or of the file that it changes.
struct EditorError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
