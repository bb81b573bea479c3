/// A question whether to trust a certificate, and its answer.
///
///     var evaluation = TrustEvaluation(of: leaf, at: now)
///     evaluation.intermediates = received
///     evaluation.anchors = [root]
///     evaluation.usages = [.server(host: "example.com")]
///     let result = try evaluation.result()
///
/// The chain is looked for as Apple's system does it: among all that the certificates and the anchors allow, up to a
/// bound. OpenSSL verifies each. Nothing is asked of the network, so revocation is not checked.
public struct TrustEvaluation: Sendable {
    /// The certificate in question.
    public let leaf: Certificate
    /// Certificates that can stand between the leaf and an anchor.
    public var intermediates: [Certificate] = []
    /// The certificates to trust. They need not be self-signed, and the leaf can be one of them.
    public var anchors: [Certificate] = []
    /// True if the anchors of the system are trusted too: those that OpenSSL finds in its directory, or in the places
    /// that `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
    public var includesSystemAnchors = false
    /// The uses of the leaf. All of them are checked.
    public var usages: [CertificateUsage] = []
    /// True to demand an answer on the revocation of the leaf. There is none without the network, so nothing is trusted.
    public var requiresRevocationAnswer = false
    /// The time of the evaluation, in seconds since 1970.
    public var time: Int64

    /// Creates an evaluation that trusts no anchor.
    public init(of leaf: Certificate, at time: Int64) {
        self.leaf = leaf
        self.time = time
    }

    /// Builds the best chain and checks it.
    ///
    /// - Throws: ``KeyError/unavailable``, or ``KeyError/malformed(_:)`` if OpenSSL cannot read a certificate.
    public func result() throws(KeyError) -> TrustResult {
        try OpenSSL.perform { (context) throws(KeyError) in
            var search = try ChainSearch(self, in: context)
            return try search.result()
        }
    }
}

/// The answer to a ``TrustEvaluation``.
public struct TrustResult: Hashable, Sendable {
    /// The certificates from the leaf to the anchor. Without an anchor, the chain ends where no issuer was found.
    public let chain: [Certificate]
    /// The reasons not to trust the chain, the most important first. The same reason is sorted by place.
    public let failures: [TrustFailure]

    /// True if there is no reason not to trust the chain.
    public var isTrusted: Bool { failures.isEmpty }

    init(chain: [Certificate], failures: [TrustFailure]) {
        self.chain = chain
        let all = Set(failures)
        self.failures = TrustFailure.Reason.allCases.flatMap { reason in
            all.filter { $0.reason == reason }.sorted { $0.place < $1.place }
        }
    }
}
