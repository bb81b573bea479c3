import Foundation
import Glibc
import Measuring

/// A connection to the socket for SSH clients that knows only the form of its messages.
private final class SSHConnection {
    private let socket: Int32

    init(to path: String) throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.dropLast().copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let isConnected = withUnsafeBytes(of: &address) {
            connect(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count)) == 0
        }
        guard isConnected else { throw CannotMeasure() }
    }

    deinit { close(socket) }

    static func string(_ bytes: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Array($0) } + bytes
    }

    func ask(_ message: [UInt8]) throws -> [UInt8] {
        let frame = Self.string(message)
        guard write(socket, frame, frame.count) == frame.count else { throw CannotMeasure() }
        let count = try take(4).reduce(0) { $0 << 8 | Int($1) }
        return try take(count)
    }

    private func take(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard recv(socket, &bytes, count, Int32(MSG_WAITALL)) == count else { throw CannotMeasure() }
        return bytes
    }
}

/// Measures signatures for SSH clients with a key of the enclave, whose policy is satisfied, from the request until the
/// answer. Each has a connection of its own to the rest of the agent.
func ssh(_ folder: String) throws -> [Figure] {
    let vault = try HeldVault(1, at: folder + "/ssh")
    let connection = try vault.connect()
    let policy = #"{"accessible":"whenUnlockedThisDeviceOnly","require":[]}"#
    try connection.ask(#"{"do":"generate-key","name":"k","type":"p256","in-enclave":true,"policy":\#(policy)}"#)
    try connection.ask(#"{"do":"add-ssh-key","name":"k","key":"","comment":"","destinations":[]}"#)
    let client = try SSHConnection(to: vault.socket.replacingOccurrences(of: ".socket", with: "-ssh.socket"))
    let listed = try client.ask([11])
    let length = listed[5..<9].reduce(0) { $0 << 8 | Int($1) }
    let blob = Array(listed[9..<(9 + length)])
    let data = [UInt8](repeating: 7, count: 300)
    let request = [13] + SSHConnection.string(blob) + SSHConnection.string(data) + [0, 0, 0, 0]
    let times = try (0..<1_000).map { _ in
        try nanoseconds { guard try client.ask(request).first == 14 else { throw CannotMeasure() } } / 1e6
    }
    return [Figure(name: "ssh.sign.ms", value: median(times), unit: "ms", runs: times.count)]
}
