internal import AgentProtocol
internal import Glibc
internal import LinuxSystem

/// A small file, such as one in /proc, that a single read returns as a whole.
package enum SmallFile {
    package static func text(_ path: String) throws -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw AgentError(.vault, "\(path): \(SystemError.last)") }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = max(0, read(file, &bytes, bytes.count))
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
