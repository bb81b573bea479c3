/// The authorities whose certificates count.
package enum TrustAnchors: Hashable, Sendable {
    /// Those of the system: `cert.pem` in OpenSSL's folder, which is Debian's `ca-certificates.crt`.
    case system
    /// Those of a file in PEM, and no others.
    case file(String)
}
