internal import CTLS
internal import Glibc

/// Rules that hold for all connections of a client: versions, ciphers, authorities.
struct TLSContext: ~Copyable, @unchecked Sendable {  // OpenSSL locks it, and it is not changed after `init`
    private let context: OpaquePointer

    /// HTTP/1.1 in the form of the extension: a length and a name.
    private static let applicationProtocols: [UInt8] = [8] + Array("http/1.1".utf8)
    /// Ciphers for TLS 1.2, all with forward secrecy and authenticated encryption. Those of TLS 1.3 all have both.
    private static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20"

    private init(_ context: OpaquePointer) { self.context = context }

    deinit { SSL_CTX_free(context) }

    /// Makes the rules for clients that trust these authorities.
    static func trusting(_ anchors: TrustAnchors) throws(TLSError) -> TLSContext {
        guard let library = TLSLibrary.context, let made = SSL_CTX_new_ex(library, nil, TLS_client_method()) else {
            throw .unavailable
        }
        let context = TLSContext(made)
        try context.restrict()
        try context.trust(anchors)
        return context
    }

    private borrowing func restrict() throws(TLSError) {
        SSL_CTX_set_options(context, latchkey_tls_options)
        latchkey_tls_write_by_record(context)
        latchkey_tls_keep_no_sessions(context)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        // Level 2 refuses keys and signatures that are worth less than 112 bits, such as RSA with 1024 bits and SHA-1.
        SSL_CTX_set_security_level(context, 2)
        let protocols = Self.applicationProtocols
        guard latchkey_tls_set_versions(context, TLS1_2_VERSION, 0) == 1,
            SSL_CTX_set_cipher_list(context, Self.ciphers) == 1,
            SSL_CTX_set_alpn_protos(context, protocols, UInt32(protocols.count)) == 0
        else { throw .unavailable }
    }

    private borrowing func trust(_ anchors: TrustAnchors) throws(TLSError) {
        defer { ERR_clear_error() }
        switch anchors {
        case .file(let path):
            guard !path.utf8.contains(0), SSL_CTX_load_verify_file(context, path) == 1 else {
                throw .noTrustAnchors(path: path)
            }
        case .system:
            // The function for default paths would let the environment name others.
            guard let file = X509_get_default_cert_file(), let folder = X509_get_default_cert_dir() else {
                throw .unavailable
            }
            guard SSL_CTX_load_verify_file(context, file) == 1 || SSL_CTX_load_verify_dir(context, folder) == 1 else {
                throw .noTrustAnchors(path: String(cString: file))
            }
        }
    }

    /// Makes the state of one connection, which the caller frees.
    borrowing func makeSession() throws(TLSError) -> OpaquePointer {
        guard let session = SSL_new(context) else { throw .unavailable }
        return session
    }
}
