public import FoundationNetworking
internal import Synchronization

extension URLCredential {
    /// Creates the answer that a server is trusted. Its user and password are empty texts.
    ///
    ///     guard let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil) else {
    ///         return completionHandler(.cancelAuthenticationChallenge, nil)
    ///     }
    ///     completionHandler(.useCredential, URLCredential(trust: trust))
    public convenience init(trust: SecTrust) {
        self.init(user: "", password: "", persistence: .none)
    }

    /// Creates the answer to a server that asks for a certificate.
    ///
    /// - Parameters:
    ///   - identity: The certificate and its private key.
    ///   - certArray: The other certificates of the chain; nil for none.
    ///   - persistence: The time for which the credential is kept.
    public convenience init(
        identity: SecIdentity, certificates certArray: [Any]?, persistence: URLCredential.Persistence
    ) {
        self.init(user: "", password: "", persistence: persistence)
        CertificateAnswers.shared.add(
            CertificateAnswer(
                identity: identity,
                certificates: (certArray ?? []).compactMap { unwrapped($0) as? SecCertificate }),
            for: self)
    }

    /// The identity of a credential that has one.
    public var identity: SecIdentity? { CertificateAnswers.shared.answer(of: self)?.identity }

    /// The other certificates of the chain.
    public var certificates: [Any] { CertificateAnswers.shared.answer(of: self)?.certificates ?? [] }
}

/// The content of a credential with an identity.
private struct CertificateAnswer: Sendable {
    let identity: SecIdentity
    let certificates: [SecCertificate]
}

/// The answers of credentials. An extension adds no stored property to Foundation's class, so they are kept here. The answer of a
/// credential that is gone stays until the next call.
private final class CertificateAnswers: Sendable {
    static let shared = CertificateAnswers()

    private struct Entry {
        weak var credential: URLCredential?
        let answer: CertificateAnswer
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    /// Adds an answer.
    func add(_ answer: CertificateAnswer, for credential: URLCredential) {
        withPresentEntries { $0[ObjectIdentifier(credential)] = Entry(credential: credential, answer: answer) }
    }

    /// Returns the answer of a credential.
    func answer(of credential: URLCredential) -> CertificateAnswer? {
        withPresentEntries { $0[ObjectIdentifier(credential)]?.answer }
    }

    /// Drops the entries whose credentials are gone, and calls `body` with the others. Another object can have the place in memory
    /// of a credential that is gone, so no entry may stay for it.
    private func withPresentEntries<Result: Sendable>(
        _ body: (inout [ObjectIdentifier: Entry]) -> Result
    ) -> Result {
        entries.withLock { entries in
            entries = entries.filter { $0.value.credential != nil }
            return body(&entries)
        }
    }
}
