internal import CTLS
internal import Glibc
internal import SodiumKit

/// The state of TLS over one socket. No call waits. OpenSSL permits one call at a time, so its owner has a lock.
struct TLSSession: ~Copyable, @unchecked Sendable {  // used under the lock of a connection only
    /// The result of one try.
    enum Progress: Sendable {
        /// This many bytes went through, or the step is done.
        case done(Int)
        /// The host has ended the connection properly.
        case ended
        /// The call has to be repeated once the socket is ready for this event of `poll`.
        case waits(for: Int32)
    }

    let socket: Socket
    private let session: OpaquePointer

    /// The most bytes of one record. A call writes no more, so that the other direction gets its turn.
    private static let record = 16_384
    /// The depth of the stack that is wiped after a call, as ciphers may leave parts of a text there.
    private static let stackDepth = 16 * 1024

    private init(_ session: OpaquePointer, _ socket: consuming Socket) {
        self.session = session
        self.socket = socket
    }

    deinit { SSL_free(session) }

    /// Prepares a handshake with a host.
    static func prepare(
        for host: Host, over socket: consuming Socket, _ context: borrowing TLSContext
    ) throws(TLSError) -> TLSSession {
        let made = TLSSession(try context.makeSession(), socket)
        try made.demand(host)
        return made
    }

    /// Demands a certificate for the host.
    private borrowing func demand(_ host: Host) throws(TLSError) {
        guard let method = TLSLibrary.socketMethod,
            latchkey_tls_use_socket(session, socket.descriptor, method) == 1
        else { throw .unavailable }
        SSL_set_connect_state(session)
        // Only names that are meant for hosts count: not the common name, and no wildcard within a label.
        SSL_set_hostflags(session, UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        let isDemanded =
            switch host {
            case .name(let name): SSL_set1_host(session, name) == 1 && latchkey_tls_send_name(session, name) == 1
            case .address(let address):
                X509_VERIFY_PARAM_set1_ip(SSL_get0_param(session), address.bytes, address.bytes.count) == 1
            }
        guard isDemanded else { throw .unavailable }
    }

    /// Goes on with the handshake. Once it is done, the certificate is one of the host.
    borrowing func shakeHands() throws(TLSError) -> Progress {
        let progress = try attempt { (_) in SSL_do_handshake(session) }
        guard case .done = progress else { return progress }
        guard SSL_get0_peer_certificate(session) != nil, SSL_get_verify_result(session) == Int(X509_V_OK) else {
            throw .certificate(reason: "it was not verified")
        }
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(session, &name, &count)
        guard count == 0 || UnsafeRawBufferPointer(start: name, count: Int(count)).elementsEqual("http/1.1".utf8) else {
            throw .protocolFailure(reason: "it chose another protocol than http/1.1")
        }
        return progress
    }

    /// Reads some bytes, up to the end of a record.
    borrowing func read(into buffer: UnsafeMutableRawBufferPointer) throws(TLSError) -> Progress {
        try attempt { SSL_read_ex(session, buffer.baseAddress, buffer.count, &$0) }
    }

    /// Writes some bytes, up to one record. If the call has to be repeated, it must have the same bytes.
    borrowing func write(_ bytes: UnsafeRawBufferPointer) throws(TLSError) -> Progress {
        try attempt { SSL_write_ex(session, bytes.baseAddress, min(bytes.count, Self.record), &$0) }
    }

    /// Tells the host that nothing more comes, if the socket takes it at once.
    borrowing func sayGoodbye() {
        ERR_clear_error()
        SSL_shutdown(session)
        ERR_clear_error()
    }

    /// Calls OpenSSL once, and finds out what came of it.
    private borrowing func attempt(_ call: (inout Int) -> Int32) throws(TLSError) -> Progress {
        // A result is read from the queue of errors, so an older one must not be in it.
        ERR_clear_error()
        errno = 0
        var count = 0
        let code = call(&count)
        let number = errno
        Sodium.wipeStack(Self.stackDepth)
        defer { ERR_clear_error() }
        switch SSL_get_error(session, code) {
        case SSL_ERROR_NONE: return .done(count)
        case SSL_ERROR_ZERO_RETURN: return .ended
        case SSL_ERROR_WANT_READ: return .waits(for: Int32(POLLIN))
        case SSL_ERROR_WANT_WRITE: return .waits(for: Int32(POLLOUT))
        default: throw TLSError(session, number: number)
        }
    }
}
