internal import CMicroHTTPD
internal import Glibc
package import LinuxSystem
internal import SodiumKit
internal import Synchronization

/// A small web server for the user of this machine: on the loopback address only, with a secret path.
///
/// No request reaches `answer` before it has passed every check: the token in its path, its `Host`, its `Origin`, its
/// method, its type and its size. Each connection carries one request.
package final class LocalServer: Sendable {
    package struct Limits: Sendable {
        /// The most connections at a time. Others wait.
        package var connections: UInt32 = 64
        /// The most bytes of a body.
        package var body = 1 << 20
        /// The most milliseconds that a request may take to arrive.
        package var arrival: Int32 = 20_000
        /// The most streams of events at a time.
        package var streams = 16

        package init() {}
    }

    private let core: WebCore
    /// The running server; nil once it has stopped.
    private let running: Mutex<UInt?>

    /// The port, which the system chose.
    package var port: UInt16 { core.port }
    /// The address of the page. Anyone who knows it has access.
    package var address: String { "http://127.0.0.1:\(core.port)/\(core.token)/" }

    /// Starts a server on a free port.
    ///
    /// - Throws: The system's error if there is no port or no descriptor left.
    package init(
        _ limits: Limits = Limits(), answer: @escaping @Sendable (LocalRequest) -> LocalReply
    ) throws(SystemError) {
        let (listener, port) = try Self.listen()
        let core = WebCore(limits, port, answer)
        let closure = Unmanaged.passRetained(core).toOpaque()
        guard
            let daemon = latchkey_web_start(
                listener, limits.connections, answerCallback, noticeCallback, endCallback, closure)
        else {
            let error = SystemError.last
            close(listener)
            core.stop()
            Unmanaged<WebCore>.fromOpaque(closure).release()
            throw error
        }
        self.core = core
        running = Mutex(UInt(bitPattern: daemon))
    }

    deinit { stop() }

    /// Stops the server and ends every stream. It waits for the answers that are under way.
    package func stop() {
        let daemon = running.withLock { running in
            defer { running = nil }
            return running.flatMap { OpaquePointer(bitPattern: $0) }
        }
        guard let daemon else { return }
        core.stop()
        MHD_stop_daemon(daemon)
        Unmanaged.passUnretained(core).release()
    }

    private static func listen() throws(SystemError) -> (listener: Int32, port: UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw .last }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && Glibc.listen(listener, 64) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isReady else {
            let error = SystemError.last
            close(listener)
            throw error
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }
}
