import CTLS
import Foundation
import LinuxSystem
import Synchronization
import TestSupport

/// A server of TLS on a free port of 127.0.0.1, with OpenSSL and blocking sockets. It ends with this object.
final class TestServer: Sendable {
    /// Its rules, all of them valid in the beginning.
    struct Rules: Sendable {
        var certificate = "right"
        var versions = (first: TLS1_2_VERSION, last: TLS1_3_VERSION)
        /// The protocol that it picks, whatever is offered; nil for none.
        var applicationProtocol: String? = "http/1.1"
    }

    /// Facts that it has noted.
    struct Notes: Sendable {
        var connections = 0
        var handshakes = 0
        var received: [UInt8] = []
        var names: [String?] = []
    }

    struct CannotStart: Error {}

    let port: UInt16
    private let listener: Int32
    private let notes = Mutex(Notes())

    /// The notes so far.
    var noted: Notes { notes.withLock { $0 } }

    /// Starts the server. After each handshake, `serve` runs on a thread of its own.
    init(_ rules: Rules = Rules(), _ serve: @escaping @Sendable (TestPeer) -> Void = { $0.echo() }) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard listener >= 0, isListening else { throw CannotStart() }
        port = UInt16(bigEndian: address.sin_port)
        let authority = try TestAuthority.shared.get()
        nonisolated(unsafe) let context = try Self.context(rules, authority)
        let accepting = Background { [weak self] in
            // A write to a client that is gone must not end the tests.
            SignalSet([SIGPIPE]).hold()
            while true {
                let connection = accept4(listener)
                guard connection >= 0 else { break }
                Thread.detachNewThread { [weak self] in
                    SignalSet([SIGPIPE]).hold()
                    self?.notes.withLock { $0.connections += 1 }
                    guard
                        let peer = TestPeer(
                            context, connection,
                            { bytes in
                                self?.notes.withLock { $0.received += bytes }
                            })
                    else { return }
                    self?.notes.withLock {
                        $0.handshakes += 1; $0.names.append(peer.name)
                    }
                    serve(peer)
                }
            }
            close(listener)
        }
        _ = accepting
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func context(_ rules: Rules, _ authority: TestAuthority) throws -> OpaquePointer {
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw CannotStart() }
        // The lowest level also has the versions and certificates that a client must refuse.
        SSL_CTX_set_security_level(context, 0)
        guard latchkey_tls_set_versions(context, rules.versions.first, rules.versions.last) == 1,
            SSL_CTX_use_certificate_chain_file(context, authority.path(rules.certificate + ".pem")) == 1,
            SSL_CTX_use_PrivateKey_file(context, authority.path(rules.certificate + ".key"), SSL_FILETYPE_PEM) == 1
        else { throw CannotStart() }
        if let name = rules.applicationProtocol {
            // Contexts of servers live as long as the tests, and so does this text.
            SSL_CTX_set_alpn_select_cb(
                context,
                { _, chosen, count, _, _, name in
                    let name = name?.assumingMemoryBound(to: CChar.self)
                    chosen?.pointee = name.map { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }
                    count?.pointee = name.map { UInt8(strlen($0)) } ?? 0
                    return SSL_TLSEXT_ERR_OK
                }, strdup(name))
        }
        return context
    }
}

private func accept4(_ listener: Int32) -> Int32 {
    while true {
        let connection = accept(listener, nil, nil)
        if connection < 0 && errno == EINTR { continue }
        if connection >= 0 { _ = fcntl(connection, F_SETFD, FD_CLOEXEC) }
        return connection
    }
}
