public import FoundationNetworking

extension URLProtectionSpace {
    /// The trust object of a server's certificates; nil unless the authentication method is
    /// ``NSURLAuthenticationMethodServerTrust``.
    ///
    /// `URLSession` on Linux makes no such challenge: libcurl checks its connections. A challenge of `LatchkeyTesting` has a trust
    /// object, so that a test can call the delegate of an app.
    public var serverTrust: SecTrust? {
        guard case .serverTrust(let trust) = (self as? CertificateSpace)?.question else { return nil }
        return trust
    }
}

/// A protection space whose server shows its certificates, or asks for one.
package final class CertificateSpace: URLProtectionSpace, @unchecked Sendable {
    /// The question of a challenge.
    package enum Question: Sendable {
        /// Asks whether the server is trusted.
        case serverTrust(SecTrust)
        /// Asks for a certificate of the client.
        case clientCertificate

        fileprivate var method: String {
            switch self {
            case .serverTrust: NSURLAuthenticationMethodServerTrust
            case .clientCertificate: NSURLAuthenticationMethodClientCertificate
            }
        }
    }

    let question: Question

    /// Creates the space of a server that is reached by HTTPS.
    package init(_ question: Question, host: String, port: Int) {
        self.question = question
        super.init(
            host: host, port: port, protocol: NSURLProtectionSpaceHTTPS, realm: nil,
            authenticationMethod: question.method)
    }
}
