import CTLS
import Foundation
import TestSupport

/// The server's end of one connection, which one thread uses.
final class TestPeer {
    private let session: OpaquePointer
    private let socket: Int32
    private let note: ([UInt8]) -> Void

    /// Shakes hands. Returns nil if that fails.
    init?(_ context: OpaquePointer, _ socket: Int32, _ note: @escaping ([UInt8]) -> Void) {
        var time = timeval(tv_sec: Patience.seconds, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var one: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        self.socket = socket
        self.note = note
        session = SSL_new(context)
        SSL_set_fd(session, socket)
        guard SSL_accept(session) == 1 else {
            ERR_clear_error()
            // A client that breaks the handshake off must not have sent anything else.
            if let bytes = read() { note(bytes) }
            return nil
        }
    }

    deinit {
        SSL_free(session)
        close(socket)
    }

    /// The name that the client asked for.
    var name: String? { SSL_get_servername(session, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) } }

    /// Returns some bytes; nil at the end.
    func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = SSL_read(session, &bytes, Int32(bytes.count))
        ERR_clear_error()
        guard count > 0 else { return nil }
        let read = Array(bytes.prefix(Int(count)))
        note(read)
        return read
    }

    /// Sends bytes in records of the usual size. Returns false if the client is gone.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        defer { ERR_clear_error() }
        return bytes.isEmpty || SSL_write(session, bytes, Int32(bytes.count)) == Int32(bytes.count)
    }

    /// Sends back everything, up to the end, and then ends properly.
    func echo() {
        while let bytes = read(), write(bytes) {}
        end()
    }

    /// Ends the connection properly.
    func end() {
        SSL_shutdown(session)
        ERR_clear_error()
    }

    /// Wants new keys for both directions, in TLS 1.3.
    func renewKeys() {
        SSL_key_update(session, Int32(SSL_KEY_UPDATE_REQUESTED))
        ERR_clear_error()
    }

    /// Waits until the client has ended the connection. Returns true if it did that properly.
    func waitForEnd() -> Bool {
        while read() != nil {}
        return SSL_get_shutdown(session) & SSL_RECEIVED_SHUTDOWN != 0
    }
}
