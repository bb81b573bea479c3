internal import Glibc
internal import LinuxSystem
package import SodiumKit

extension ProgramOutput {
    /// Runs `command` with `input` as its standard input, and returns its output. The input goes from wiped memory into a
    /// pipe.
    ///
    /// - Throws: `ImportError` if the program cannot be started, fails, or prints more than `most` bytes.
    package static func filter(
        _ input: consuming SecureBytes, through command: [String], changes: [String: String] = [:],
        most: Int = 64 * 1024 * 1024
    ) throws(ImportError) -> SecureBytes {
        let pipe: Pipe
        do { pipe = try Pipe() } catch { throw .notStarted(command.first ?? "", error) }
        let feed = Feed(input)
        // The program may print before it has read everything, so another thread writes.
        let isStarted = Supervisor.detach {
            // A program that ends early is an error of the write, not a signal for this process.
            SignalSet([SIGPIPE]).hold()
            _ = feed.bytes.withBytes { bytes in
                bytes.withUnsafeBytes { Descriptors.write($0, to: pipe.writing) }
            }
            close(pipe.writing)
        }
        guard isStarted else {
            pipe.close()
            throw .notStarted(command.first ?? "", SystemError(EAGAIN))
        }
        return try read(command, .shown, changes, most, input: .descriptor(pipe.reading))
    }

    /// Bytes that a thread writes.
    private final class Feed: Sendable {
        let bytes: SecureBytes

        init(_ bytes: consuming SecureBytes) { self.bytes = bytes }
    }
}
