internal import COpenSSL

/// Certificates of which each but the last is signed by the next one.
struct CertificatePath {
    private(set) var links: [ChainLink]
    /// True if the last certificate is an anchor.
    private(set) var isAnchored: Bool

    init(_ leaf: ChainLink, isAnchored: Bool) {
        links = [leaf]
        self.isAnchored = isAnchored
    }

    var last: ChainLink { links[links.count - 1] }

    /// Returns the path with a further certificate at its end.
    func followed(by link: ChainLink, isAnchored: Bool) -> CertificatePath {
        var path = self
        path.links.append(link)
        path.isAnchored = isAnchored
        return path
    }

    func contains(_ link: ChainLink) -> Bool { links.contains { $0.certificate.der == link.certificate.der } }

    /// True if no certificate can follow: the last one is self-signed, or names a subject of the path as its issuer.
    var isClosed: Bool {
        last.looksSelfSigned || links.dropLast().contains { $0.certificate.subject == last.certificate.issuer }
    }

    /// True if the last certificate is self-signed.
    var endsWithRoot: Bool { last.looksSelfSigned }

    /// True if the signature of a certificate, other than an anchor at the end, uses a hash function that is weak or
    /// unknown.
    var hasWeakHash: Bool { links.dropLast(isAnchored ? 1 : 0).contains { $0.hasWeakHash } }

    /// The score by which Apple's system chooses among paths that are equally trusted.
    func score(at time: Int64) -> Int {
        var score = isAnchored ? 10_000 : 0
        // A short path to a root is better, and without a root a long one.
        score += endsWithRoot ? 1_000 - links.count : links.count
        if links.allSatisfy({ $0.certificate.notBefore <= time && time <= $0.certificate.notAfter }) { score += 100 }
        if !hasWeakHash { score += 10 }
        if !links.contains(where: \.hasShortKey) { score += 10 }
        return score
    }
}

extension ChainLink {
    fileprivate var hasWeakHash: Bool {
        guard let hash = signatureHash else { return true }
        return [NID_md2, NID_md4, NID_md5, NID_sha1].contains(hash)
    }

    fileprivate var hasShortKey: Bool {
        guard let key = X509_get0_pubkey(object.pointer) else { return true }
        return EVP_PKEY_get_bits(key) < (EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA ? 2048 : 224)
    }
}

/// A search for the chain of a certificate, in the order of Apple's system. It tries every path, because several
/// certificates can have the name and the key of one issuer. The first path that is trusted ends it; without any, the
/// path with the highest score is the answer.
struct ChainSearch {
    /// The number of certificates to try before no path is extended any more, as in Apple's system. It keeps certificates
    /// that have signed each other from making the search endless.
    private static let mostTries = 100

    private let evaluation: TrustEvaluation
    private let context: OpaquePointer
    private let leaf: ChainLink
    private let anchors: [ChainLink]
    private let others: [ChainLink]
    private let system: SystemAnchors?
    private var tries = 0
    private var best: (result: TrustResult, score: Int)?
    private var isDone = false
    /// The paths without an anchor: those that end by themselves, and those for which no issuer is known.
    private var closed: [CertificatePath] = []
    private var open: [CertificatePath] = []

    init(_ evaluation: TrustEvaluation, in context: OpaquePointer) throws(KeyError) {
        self.evaluation = evaluation
        self.context = context
        leaf = try ChainLink(evaluation.leaf, in: context)
        anchors = try Self.links(evaluation.anchors, in: context)
        others = try Self.links(evaluation.intermediates, in: context)
        system = evaluation.includesSystemAnchors ? try SystemAnchors(in: context) : nil
    }

    private static func links(
        _ certificates: [Certificate], in context: OpaquePointer
    ) throws(KeyError) -> [ChainLink] {
        var known: Set<[UInt8]> = []
        var links: [ChainLink] = []
        for certificate in certificates where known.insert(certificate.der).inserted {
            links.append(try ChainLink(certificate, in: context))
        }
        return links
    }

    /// Finds the best chain.
    mutating func result() throws(KeyError) -> TrustResult {
        let start = CertificatePath(leaf, isAnchored: isAnchor(leaf))
        if start.isAnchored { try judge(start) }
        if start.isClosed { closed.append(start) } else { try extend(start) }
        if best == nil {
            var chosen = start
            var highest = Int.min
            for path in closed.reversed() + open where path.score(at: evaluation.time) > highest {
                highest = path.score(at: evaluation.time)
                chosen = path
            }
            try judge(chosen)
        }
        guard let best else { throw .unavailable }
        return best.result
    }

    /// Tries every certificate that can follow, the anchors first, and then what can follow those.
    private mutating func extend(_ path: CertificatePath) throws(KeyError) {
        for source in [anchors + (system?.issuers(of: path.last) ?? []), others] {
            guard !isDone, tries <= Self.mostTries else { break }
            var longer: [CertificatePath] = []
            for issuer in source where !path.contains(issuer) && path.last.canBeSigned(by: issuer) {
                tries += 1
                guard longer.count <= Self.mostTries, path.last.isSigned(by: issuer) else { continue }
                longer.append(path.followed(by: issuer, isAnchored: isAnchor(issuer)))
            }
            for next in longer where next.isAnchored && !isDone { try judge(next) }
            // Apple's system extends the path that it found last.
            for next in longer.reversed() where !isDone {
                if next.isClosed { closed.append(next) } else { try extend(next) }
            }
        }
        if !path.isAnchored { open.append(path) }
    }

    /// Verifies a path, and keeps the answer if it is the best one so far.
    private mutating func judge(_ path: CertificatePath) throws(KeyError) {
        let failures = try ChainVerification(of: path, at: evaluation.time, in: context).failures()
        let isOfSystem = path.isAnchored && !isAnchorOfApp(path.last)
        let checks = ChainChecks(links: path.links, time: evaluation.time, isAnchoredInSystem: isOfSystem)
        let answers = evaluation.requiresRevocationAnswer ? [TrustFailure(.revocationUnknown, at: 0)] : []
        let result = TrustResult(
            chain: path.links.map(\.certificate), failures: failures + answers + checks.failures(evaluation.usages))
        let score = path.score(at: evaluation.time) + (result.isTrusted ? 10_000_000 : 0)
        if best.map({ score > $0.score }) ?? true { best = (result, score) }
        isDone = result.isTrusted && (!path.hasWeakHash || leaf.hasWeakHash)
    }

    private func isAnchorOfApp(_ link: ChainLink) -> Bool {
        anchors.contains { $0.certificate.der == link.certificate.der }
    }

    private func isAnchor(_ link: ChainLink) -> Bool {
        isAnchorOfApp(link) || system?.contains(link) == true
    }
}

/// The anchors of the machine, as OpenSSL finds them.
private struct SystemAnchors {
    private let verification: OpenSSLVerification

    init(in context: OpaquePointer) throws(KeyError) {
        let store = try OpenSSLStore()
        guard X509_STORE_set_default_paths_ex(store.pointer, context, nil) == 1 else { throw .unavailable }
        verification = try OpenSSLVerification(of: nil, [], anchoredIn: store, in: context)
    }

    /// Returns the anchors with the name of the issuer, except for those that KeyKit cannot read.
    func issuers(of link: ChainLink) -> [ChainLink] { named(X509_get_issuer_name(link.object.pointer)) }

    /// Returns true if the certificate is an anchor.
    func contains(_ link: ChainLink) -> Bool {
        named(X509_get_subject_name(link.object.pointer)).contains { $0.certificate.der == link.certificate.der }
    }

    private func named(_ name: OpaquePointer?) -> [ChainLink] {
        guard let found = X509_STORE_CTX_get1_certs(verification.pointer, name) else { return [] }
        defer { OPENSSL_sk_free(found) }
        var links: [ChainLink] = []
        for place in 0..<max(OPENSSL_sk_num(found), 0) {
            guard let certificate = OPENSSL_sk_value(found, place).map({ OpaquePointer($0) }) else { continue }
            let object = X509Object(sharing: certificate)
            X509_free(certificate)
            if let link = try? ChainLink(object) { links.append(link) }
        }
        return links
    }
}
