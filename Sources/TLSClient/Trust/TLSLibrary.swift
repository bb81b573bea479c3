internal import CTLS

/// OpenSSL's TLS in this process.
///
/// It has a library context of its own and reads no configuration file: neither `OPENSSL_CONF` nor the file of the system
/// can load a provider or permit an old version. The variables that name files of certificates do not count either.
enum TLSLibrary {
    /// The library context; nil if OpenSSL cannot start.
    nonisolated(unsafe) static let context: OpaquePointer? = {  // OpenSSL locks it
        // Connections may be in use on other threads when the process exits, so nothing is taken down then.
        guard OPENSSL_init_ssl(latchkey_tls_start, nil) == 1, let context = OSSL_LIB_CTX_new() else { return nil }
        guard OSSL_PROVIDER_load(context, "default") != nil else {
            OSSL_LIB_CTX_free(context)
            return nil
        }
        return context
    }()

    /// The way in which connections use their sockets; nil if memory is missing.
    nonisolated(unsafe) static let socketMethod = latchkey_tls_socket_method()  // never changed
}
