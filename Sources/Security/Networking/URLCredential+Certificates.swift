public import FoundationNetworking
internal import Synchronization

extension URLCredential {
    /// Creates the answer that a server is trusted. Its user and password are empty texts.
    ///
    /// ```swift
    /// guard let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil) else {
    ///     return completionHandler(.cancelAuthenticationChallenge, nil)
    /// }
    /// completionHandler(.useCredential, URLCredential(trust: trust))
    /// ```
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

/// The answers of credentials. An extension adds no stored property to Foundation's class, so they are kept here while their
/// credentials exist.
private final class CertificateAnswers: Sendable {
    static let shared = CertificateAnswers()

    private struct Entry {
        weak var credential: URLCredential?
        let answer: CertificateAnswer
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    /// Adds an answer, and drops those whose credentials are gone.
    func add(_ answer: CertificateAnswer, for credential: URLCredential) {
        entries.withLock { entries in
            entries = entries.filter { $0.value.credential != nil }
            entries[ObjectIdentifier(credential)] = Entry(credential: credential, answer: answer)
        }
    }

    /// Returns the answer of a credential. Another object can have the place in memory of one that is gone, so the object itself is
    /// compared.
    func answer(of credential: URLCredential) -> CertificateAnswer? {
        entries.withLock { entries in
            entries[ObjectIdentifier(credential)].flatMap { $0.credential === credential ? $0.answer : nil }
        }
    }
}
