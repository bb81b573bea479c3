internal import Glibc
internal import LinuxSystem
package import SodiumKit

/// The output of programs that print secrets, which is read straight into wiped memory.
package enum ProgramOutput: Sendable {
    /// The end of a program.
    package enum End: Hashable, Sendable, CustomStringConvertible {
        /// The program exited with this status.
        case status(Int32)
        /// This signal ended the program.
        case signal(Int32)

        /// The end in words, after the name of the program.
        package var description: String {
            switch self {
            case .status(let status): "exited with \(status)"
            case .signal(let signal): "was ended by signal \(signal)"
            }
        }
    }

    /// The target of standard error.
    package enum Errors: Sendable {
        /// The standard error of this process.
        case shown
        /// The output that is read, for programs that print a part of their answer to standard error.
        case withOutput
        /// Nowhere.
        case dropped
    }

    /// Runs `command`, whose first word is searched on the `PATH`, and returns its output. The program gets the environment of
    /// this process with `changes`, and no input.
    ///
    /// - Throws: `ImportError` if the program cannot be started, fails, prints more than `most` bytes, or prints for longer
    ///   than `patience` milliseconds. A part of a secret would be worse than none.
    package static func read(
        _ command: [String], errors: Errors = .shown, changes: [String: String] = [:], most: Int = 64 * 1024 * 1024,
        within patience: Int32 = -1
    ) throws(ImportError) -> SecureBytes {
        try read(command, errors, changes, most, input: .nothing, within: patience)
    }

    /// Runs a command with this input.
    static func read(
        _ command: [String], _ errors: Errors, _ changes: [String: String], _ most: Int, input: Child.Stream,
        within patience: Int32 = -1
    ) throws(ImportError) -> SecureBytes {
        let name = command.first ?? ""
        let pipe: Pipe
        do { pipe = try Pipe() } catch { throw .notStarted(name, error) }
        defer { close(pipe.reading) }
        let process: pid_t
        do {
            // Close our end of the input too, or a program that ends early would leave its writer waiting.
            defer {
                close(pipe.writing)
                if case .descriptor(let input) = input { close(input) }
            }
            process = try start(command, errors, changes, input: input, output: pipe.writing)
        }
        let output: SecureBytes
        do {
            output = try gather(from: pipe.reading, most, name, patience)
        } catch {
            kill(process, SIGKILL)
            _ = wait(for: process)
            throw error
        }
        let end = wait(for: process)
        guard end == .status(0) else { throw .failed(name, end) }
        return output
    }

    private static func gather(
        from descriptor: Int32, _ most: Int, _ name: String, _ patience: Int32
    ) throws(ImportError) -> SecureBytes {
        var buffer = try importing(SecureBuffer(capacity: 4096))
        let deadline = Deadline(patience)
        while true {
            var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if patience >= 0 && poll(&waited, 1, deadline.left) == 0 { throw .unreadable(name, SystemError(ETIMEDOUT)) }
            var count = 0
            do {
                try buffer.fill(atLeast: 4096) { room in
                    repeat {
                        count = Glibc.read(descriptor, room.baseAddress, room.count)
                    } while count < 0 && errno == EINTR
                    return max(0, count)
                }
            } catch {
                throw .memory(error)
            }
            if count < 0 { throw .unreadable(name, .last) }
            if buffer.count > most { throw .tooMuch(name, most: most) }
            if count == 0 { break }
        }
        do { return try buffer.bytes() } catch { throw .memory(error) }
    }

    private static func wait(for process: pid_t) -> End {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            if errno != EINTR { return .status(-1) }  // another part of this process collected the status
        }
        return status & 0x7F == 0 ? .status((status >> 8) & 0xFF) : .signal(status & 0x7F)
    }

    private static func start(
        _ command: [String], _ errors: Errors, _ changes: [String: String], input: Child.Stream,
        output: Int32
    ) throws(ImportError) -> pid_t {
        var child = Child()
        (child.input, child.output) = (input, .descriptor(output))
        switch errors {
        case .shown: break
        case .withOutput: child.errors = .withOutput
        case .dropped: child.errors = .nothing
        }
        let name = command.first ?? ""
        do { return try child.start(name, isSearched: true, command, environment: environment(with: changes)) } catch {
            throw .notStarted(name, error)
        }
    }

    private static func environment(with changes: [String: String]) -> [[CChar]] {
        let equals = CChar(bitPattern: UInt8(ascii: "="))
        let kept = Child.environmentHere.filter { entry in
            changes.isEmpty
                || changes[String(decoding: entry.prefix { $0 != equals }.map { UInt8(bitPattern: $0) }, as: UTF8.self)]
                    == nil
        }
        return kept + changes.map { Array("\($0.key)=\($0.value)".utf8CString) }
    }
}
