internal import COpenSSL

/// A question whether to trust a certificate, and OpenSSL's answer.
///
///     var evaluation = TrustEvaluation(of: leaf, at: now)
///     evaluation.intermediates = received
///     evaluation.anchors = [root]
///     evaluation.usages = [.server(host: "example.com")]
///     let result = try evaluation.result()
///
/// OpenSSL builds the chain and verifies it. Nothing is asked of the network, so revocation is not checked.
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
            let verification = try ChainVerification(self, in: context)
            let (chain, failures) = try verification.run()
            var certificates: [Certificate] = []
            for link in chain {
                let der = try link.der()
                if let known = known(der) {
                    certificates.append(known)
                } else {
                    certificates.append(try Certificate(der: der.span.bytes))
                }
            }
            let isAnchored = !failures.contains { $0.reason == .issuerMissing || $0.reason == .rootNotTrusted }
            let isOfSystem = isAnchored && !(certificates.last.map(anchors.contains) ?? false)
            let checks = ChainChecks(links: Array(zip(chain, certificates)), time: time, isAnchoredInSystem: isOfSystem)
            return TrustResult(chain: certificates, failures: failures + checks.failures(usages))
        }
    }

    private func known(_ der: [UInt8]) -> Certificate? {
        leaf.der == der ? leaf : (intermediates + anchors).first { $0.der == der }
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

    fileprivate init(chain: [Certificate], failures: [TrustFailure]) {
        self.chain = chain
        let all = Set(failures)
        self.failures = TrustFailure.Reason.allCases.flatMap { reason in
            all.filter { $0.reason == reason }.sorted { $0.place < $1.place }
        }
    }
}

/// A run of OpenSSL's verification. It goes on after an error, so that all of them are found.
private struct ChainVerification {
    private let verification: OpenSSLVerification
    private let errors = VerificationErrors()
    /// These have to outlive the verification, which does not take a share of them.
    private let leaf: X509Object
    private let intermediates: [X509Object]

    /// From the beginning of the year 0 to the end of the year 9999.
    private static let years: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    init(_ evaluation: TrustEvaluation, in context: OpaquePointer) throws(KeyError) {
        let store = try OpenSSLStore()
        for anchor in evaluation.anchors {
            let anchor = try X509Object(der: anchor.der.span.bytes, in: context)
            guard X509_STORE_add_cert(store.pointer, anchor.pointer) == 1 else { throw .unavailable }
        }
        if evaluation.includesSystemAnchors {
            guard X509_STORE_set_default_paths_ex(store.pointer, context, nil) == 1 else { throw .unavailable }
        }
        leaf = try X509Object(der: evaluation.leaf.der.span.bytes, in: context)
        var intermediates: [X509Object] = []
        for certificate in evaluation.intermediates {
            intermediates.append(try X509Object(der: certificate.der.span.bytes, in: context))
        }
        self.intermediates = intermediates
        verification = try OpenSSLVerification(of: leaf, intermediates, anchoredIn: store, in: context)
        // An anchor need not be self-signed. The policies of certificates count if an authority demands one.
        X509_STORE_CTX_set_flags(
            verification.pointer, UInt(X509_V_FLAG_PARTIAL_CHAIN) | UInt(X509_V_FLAG_POLICY_CHECK))
        // Without this, a chain would need a policy that the app names.
        guard
            X509_VERIFY_PARAM_add0_policy(
                X509_STORE_CTX_get0_param(verification.pointer), OBJ_nid2obj(NID_any_policy)) == 1
        else { throw .unavailable }
        // OpenSSL prefers issuers that are valid at this time. It knows only years of four digits.
        let time = min(max(evaluation.time, Self.years.lowerBound), Self.years.upperBound)
        X509_STORE_CTX_set_time(verification.pointer, 0, time_t(time))
    }

    /// Returns the chain and what is wrong with it.
    func run() throws(KeyError) -> ([X509Object], [TrustFailure]) {
        let isDone = withExtendedLifetime(errors) {
            X509_STORE_CTX_set_ex_data(verification.pointer, 0, Unmanaged.passUnretained(errors).toOpaque())
            X509_STORE_CTX_set_verify_cb(
                verification.pointer,
                { isFine, verification in
                    if isFine != 1, let errors = X509_STORE_CTX_get_ex_data(verification, 0) {
                        Unmanaged<VerificationErrors>.fromOpaque(errors).takeUnretainedValue().found.append(
                            (X509_STORE_CTX_get_error(verification), Int(X509_STORE_CTX_get_error_depth(verification))))
                    }
                    return 1
                })
            return X509_verify_cert(verification.pointer) == 1
        }
        guard let stack = X509_STORE_CTX_get0_chain(verification.pointer), OPENSSL_sk_num(stack) > 0 else {
            throw .unavailable
        }
        var chain: [X509Object] = []
        for place in 0..<OPENSSL_sk_num(stack) {
            guard let link = OPENSSL_sk_value(stack, place) else { throw .unavailable }
            chain.append(X509Object(sharing: OpaquePointer(link)))
        }
        // A certificate with a wrong signature was not signed by the next one, which then is no part of the chain.
        let wrong = errors.found.filter { $0.code == X509_V_ERR_CERT_SIGNATURE_FAILURE }.map(\.place).min()
        if let wrong, wrong < chain.count { chain.removeSubrange((wrong + 1)...) }
        var failures = errors.found.filter { $0.place < chain.count }.flatMap {
            self.failures(in: chain, $0.code, $0.place)
        }
        // OpenSSL stops only if it runs out of memory. A chain that it did not finish is never trusted.
        if !isDone { failures.append(TrustFailure(.invalid, at: 0)) }
        return (chain, failures)
    }

    /// Returns what an error of OpenSSL means. Most mean one failure at the certificate that OpenSSL names.
    private func failures(in chain: [X509Object], _ code: Int32, _ place: Int) -> [TrustFailure] {
        let reason: TrustFailure.Reason
        switch code {
        // ``ChainChecks`` compares the dates, because to OpenSSL the last second of a certificate is no part of them.
        case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID: return []
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
            return [TrustFailure(.rootNotTrusted, at: chain.count - 1)]
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_SIGNATURE_FAILURE:
            return [TrustFailure(.issuerMissing, at: chain.count - 1)]
        case X509_V_ERR_INVALID_CA: return authorityFailures(chain[place], at: place)
        case X509_V_ERR_KEYUSAGE_NO_CERTSIGN: reason = .keyMayNotSignCertificates
        case X509_V_ERR_PATH_LENGTH_EXCEEDED, X509_V_ERR_CERT_CHAIN_TOO_LONG: reason = .pathTooLong
        case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION: reason = .unknownCriticalExtension
        case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION, X509_V_ERR_SUBTREE_MINMAX,
            X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE, X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX,
            X509_V_ERR_UNSUPPORTED_NAME_SYNTAX:
            reason = .nameNotPermitted
        case X509_V_ERR_NO_EXPLICIT_POLICY, X509_V_ERR_INVALID_POLICY_EXTENSION:
            return [TrustFailure(.policyMissing, at: 0)]
        default: reason = .invalid
        }
        return [TrustFailure(reason, at: place)]
    }

    /// Returns the reasons why a certificate is not that of an authority.
    private func authorityFailures(_ certificate: X509Object, at place: Int) -> [TrustFailure] {
        var reasons: [TrustFailure.Reason] = []
        let flags = X509_get_extension_flags(certificate.pointer)
        if flags & UInt32(EXFLAG_BCONS) == 0 {
            reasons.append(.noBasicConstraints)
        } else if flags & UInt32(EXFLAG_CA) == 0 {
            reasons.append(.notAuthority)
        }
        if X509_get_key_usage(certificate.pointer) & UInt32(KU_KEY_CERT_SIGN) == 0 {
            reasons.append(.keyMayNotSignCertificates)
        }
        return (reasons.isEmpty ? [.invalid] : reasons).map { TrustFailure($0, at: place) }
    }
}

/// The errors that OpenSSL reports to its callback.
private final class VerificationErrors {
    var found: [(code: Int32, place: Int)] = []
}

/// OpenSSL's store of anchors.
private final class OpenSSLStore {
    let pointer: OpaquePointer

    deinit { X509_STORE_free(pointer) }

    init() throws(KeyError) {
        guard let made = X509_STORE_new() else { throw .unavailable }
        pointer = made
    }
}

/// OpenSSL's state of a verification.
private final class OpenSSLVerification {
    let pointer: OpaquePointer
    private let stack: OpaquePointer
    private let store: OpenSSLStore

    deinit {
        X509_STORE_CTX_free(pointer)
        OPENSSL_sk_free(stack)
    }

    init(
        of leaf: X509Object, _ intermediates: [X509Object], anchoredIn store: OpenSSLStore, in context: OpaquePointer
    ) throws(KeyError) {
        self.store = store
        guard let stack = OPENSSL_sk_new_null() else { throw .unavailable }
        guard let made = X509_STORE_CTX_new_ex(context, nil) else {
            OPENSSL_sk_free(stack)
            throw .unavailable
        }
        self.stack = stack
        pointer = made
        for certificate in intermediates {
            guard OPENSSL_sk_push(stack, UnsafeRawPointer(certificate.pointer)) > 0 else { throw .unavailable }
        }
        guard X509_STORE_CTX_init(pointer, store.pointer, leaf.pointer, stack) == 1 else { throw .unavailable }
    }
}
