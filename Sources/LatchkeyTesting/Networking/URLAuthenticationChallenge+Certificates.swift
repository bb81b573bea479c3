public import Foundation
public import FoundationNetworking
public import Security

extension URLAuthenticationChallenge {
    /// Creates the challenge of a server that shows its certificates, for a test of a delegate that pins them.
    ///
    ///     let challenge = URLAuthenticationChallenge.serverTrust([leaf, authority], host: "example.com", trusting: [root], at: day)
    ///     await confirmation { answered in
    ///         Pinning().urlSession(.shared, didReceive: challenge) { disposition, _ in
    ///             #expect(disposition == .useCredential)
    ///             answered()
    ///         }
    ///     }
    ///
    /// Its trust object has the policy of a TLS connection to the host, as on Apple's platforms.
    ///
    /// - Parameters:
    ///   - chain: The certificates of the server: at least its own, which comes first.
    ///   - host: The name of the host, or its IP address.
    ///   - port: The port.
    ///   - roots: The anchors that are trusted unless the delegate sets its own. They take the place of the system's.
    ///   - date: The date of the evaluation; nil for the present time.
    public static func serverTrust(
        _ chain: [SecCertificate], host: String, port: Int = 443, trusting roots: [SecCertificate] = [],
        at date: Date? = nil
    ) -> URLAuthenticationChallenge {
        var trust: SecTrust?
        let policy = SecPolicyCreateSSL(true, host as CFString)
        SecTrustCreateWithCertificates(chain as CFArray, policy, &trust)
        guard let trust else { preconditionFailure("a server shows at least one certificate") }
        SecTrustSetAnchorCertificates(trust, roots as CFArray)
        if let date { SecTrustSetVerifyDate(trust, date as CFDate) }
        return challenge(.serverTrust(trust), host, port)
    }

    /// Creates the challenge of a server that asks for a certificate of the client.
    ///
    ///     let challenge = URLAuthenticationChallenge.clientCertificate(host: "example.com")
    ///
    /// - Parameters:
    ///   - host: The name of the host, or its IP address.
    ///   - port: The port.
    public static func clientCertificate(host: String, port: Int = 443) -> URLAuthenticationChallenge {
        challenge(.clientCertificate, host, port)
    }

    private static func challenge(_ question: CertificateSpace.Question, _ host: String, _ port: Int)
        -> URLAuthenticationChallenge
    {
        URLAuthenticationChallenge(
            protectionSpace: CertificateSpace(question, host: host, port: port), proposedCredential: nil,
            previousFailureCount: 0, failureResponse: nil, error: nil, sender: NoSender())
    }
}

/// The sender of a challenge that no connection waits for. Delegates of `URLSession` answer by their completion handler instead.
private final class NoSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
