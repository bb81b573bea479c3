internal import AgentProtocol
package import CommandLineKit
internal import Glibc
package import LinuxSystem
package import SodiumKit

/// Output of secrets, straight from wiped memory, so that no copy is left in the process.
package enum SecretOutput {
    /// Writes all of `secret`. Returns false if that failed, with the reason in `errno`.
    @discardableResult
    package static func write(_ secret: borrowing SecureBytes, to file: Int32) -> Bool {
        secret.withBytes { bytes in
            bytes.withUnsafeBytes { Descriptors.write($0, to: file) }
        }
    }

    /// Writes `secret` to standard output. If it `isLine`, a line feed at its end goes along in the same write, so that commands
    /// with one output do not mix their lines.
    package static func put(_ secret: borrowing SecureBytes, isLine: Bool = false) throws {
        let mayEnd = isLine && !SecretInput.endsLine(secret)
        // The system keeps no longer write in one piece.
        if mayEnd, secret.count < Int(PIPE_BUF) {
            var line = try SecureBytes(count: secret.count + 1)
            secret.withBytes { secret in
                line.withMutableBytes { line in
                    secret.withUnsafeBytes { line.copyMemory(from: $0) }
                    line[line.count - 1] = UInt8(ascii: "\n")
                }
            }
            guard write(line, to: STDOUT_FILENO) else { throw OutputError(code: errno) }
            return
        }
        guard write(secret, to: STDOUT_FILENO) else { throw OutputError(code: errno) }
        if mayEnd { Output.write("\n") }
    }

    /// Writes all of `secret` to a pipe. Returns false if that failed, or if the pipe is still full at `deadline`.
    package static func write(_ secret: borrowing SecureBytes, to pipe: Int32, until deadline: Deadline) -> Bool {
        guard fcntl(pipe, F_SETFL, O_NONBLOCK) == 0 else { return false }
        return secret.withBytes { bytes in
            bytes.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = Glibc.write(pipe, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                    if count >= 0 {
                        rest = rest.dropFirst(count)
                        continue
                    }
                    guard [EINTR, EAGAIN].contains(errno), deadline.left > 1 else { return false }
                    var waiting = pollfd(fd: pipe, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&waiting, 1, deadline.left)
                }
                return true
            }
        }
    }
}

/// Input of secrets, straight into wiped memory, so that no copy is left in the process.
package enum SecretInput {
    /// Returns everything in `file`. Errors call it `name`.
    package static func read(_ file: Int32, called name: String) throws -> SecureBytes {
        var buffer = try SecureBuffer(capacity: 4096)
        while true {
            var got = 0
            try buffer.fill(atLeast: 4096) { room in
                got = Glibc.read(file, room.baseAddress, room.count)
                while got < 0 && (errno == EINTR || errno == EAGAIN) {
                    var waiting = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
                    _ = poll(&waiting, 1, -1)
                    got = Glibc.read(file, room.baseAddress, room.count)
                }
                return max(0, got)
            }
            if got == 0 { return try buffer.bytes() }
            if got < 0 { throw AgentError(.request, "\(name): \(SystemError.last)") }
            if buffer.count > WireLimits.secret {
                throw AgentError(.request, "\(name): a secret has at most \(WireLimits.secret) bytes")
            }
        }
    }

    package static func read(fileAt path: RawText) throws -> SecureBytes {
        let file = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard file >= 0 else { throw AgentError(.request, "\(path.text): \(SystemError.last)") }
        defer { close(file) }
        return try read(file, called: path.text)
    }

    /// Returns the secret without the line feed at its end, if it has one.
    static func withoutLastNewline(_ secret: consuming SecureBytes) throws -> SecureBytes {
        let count = secret.count
        return endsLine(secret) ? try secret.prefix(count - 1) : secret
    }

    /// Returns true if the secret ends with a line feed.
    static func endsLine(_ secret: borrowing SecureBytes) -> Bool {
        secret.withBytes { bytes in
            bytes.byteCount > 0
                && bytes.unsafeLoad(fromByteOffset: bytes.byteCount - 1, as: UInt8.self) == UInt8(ascii: "\n")
        }
    }
}

extension SecureBuffer {
    /// Appends a text that is not secret.
    mutating func append(text: String) throws(SodiumError) {
        var text = text
        text.makeContiguousUTF8()
        try append(text.utf8Span.span.bytes)
    }
}
