internal import COpenSSL

/// A run of OpenSSL's verification on one path. It goes on after an error, so that all of them are found.
struct ChainVerification {
    private let path: CertificatePath
    private let verification: OpenSSLVerification
    private let run: VerificationRun

    /// From the beginning of the year 0 to the end of the year 9999.
    private static let years: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    init(of path: CertificatePath, at time: Int64, in context: OpaquePointer) throws(KeyError) {
        self.path = path
        run = VerificationRun(path)
        let store = try OpenSSLStore()
        var others = path.links.dropFirst()
        if path.isAnchored {
            guard X509_STORE_add_cert(store.pointer, path.last.object.pointer) == 1 else { throw .unavailable }
            others = others.dropLast()
        }
        // OpenSSL builds this path, and no other one.
        X509_STORE_set_check_issued(store.pointer) { verification, subject, issuer in
            guard let run = X509_STORE_CTX_get_ex_data(verification, 0) else { return 0 }
            return Unmanaged<VerificationRun>.fromOpaque(run).takeUnretainedValue().isNext(issuer, after: subject)
                ? 1 : 0
        }
        verification = try OpenSSLVerification(
            of: path.links[0].object, others.map(\.object), anchoredIn: store, in: context)
        // An anchor need not be self-signed. The policies of certificates count if an authority demands one.
        X509_STORE_CTX_set_flags(
            verification.pointer, UInt(X509_V_FLAG_PARTIAL_CHAIN) | UInt(X509_V_FLAG_POLICY_CHECK))
        // Without this, a chain would need a policy that the app names.
        guard
            X509_VERIFY_PARAM_add0_policy(
                X509_STORE_CTX_get0_param(verification.pointer), OBJ_nid2obj(NID_any_policy)) == 1
        else { throw .unavailable }
        // OpenSSL knows only years of four digits.
        let time = min(max(time, Self.years.lowerBound), Self.years.upperBound)
        X509_STORE_CTX_set_time(verification.pointer, 0, time_t(time))
    }

    /// Returns what is wrong with the path.
    func failures() throws(KeyError) -> [TrustFailure] {
        let isDone = withExtendedLifetime(run) {
            X509_STORE_CTX_set_ex_data(verification.pointer, 0, Unmanaged.passUnretained(run).toOpaque())
            X509_STORE_CTX_set_verify_cb(
                verification.pointer,
                { isFine, verification in
                    if isFine != 1, let run = X509_STORE_CTX_get_ex_data(verification, 0) {
                        Unmanaged<VerificationRun>.fromOpaque(run).takeUnretainedValue().errors.append(
                            (X509_STORE_CTX_get_error(verification), Int(X509_STORE_CTX_get_error_depth(verification))))
                    }
                    return 1
                })
            return X509_verify_cert(verification.pointer) == 1
        }
        let failures = run.errors.flatMap { error in
            path.links.indices.contains(error.place)
                ? self.failures(error.code, error.place) : [TrustFailure(.invalid, at: 0)]
        }
        // OpenSSL stops only if it runs out of memory. A path that it did not finish is never trusted.
        return isDone && isWholePath ? failures : failures + [TrustFailure(.invalid, at: 0)]
    }

    /// True if OpenSSL has verified this path.
    private var isWholePath: Bool {
        guard let stack = X509_STORE_CTX_get0_chain(verification.pointer),
            Int(OPENSSL_sk_num(stack)) == path.links.count
        else { return false }
        return path.links.indices.allSatisfy { place in
            OPENSSL_sk_value(stack, Int32(place)).map { OpaquePointer($0) } == path.links[place].object.pointer
        }
    }

    /// Returns what an error of OpenSSL means. Most mean one failure at the certificate that OpenSSL names.
    private func failures(_ code: Int32, _ place: Int) -> [TrustFailure] {
        let reason: TrustFailure.Reason
        switch code {
        // ``ChainChecks`` compares the dates, because to OpenSSL the last second of a certificate is no part of them.
        case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID: return []
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
            return [TrustFailure(.rootNotTrusted, at: path.links.count - 1)]
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            return [TrustFailure(.issuerMissing, at: path.links.count - 1)]
        case X509_V_ERR_CERT_SIGNATURE_FAILURE:
            let issuer = path.links[min(place + 1, path.links.count - 1)]
            if path.links[place].isSignedDespiteParameters(by: issuer) { return [] }
            reason = .invalid
        case X509_V_ERR_INVALID_CA: return authorityFailures(path.links[place].object, at: place)
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

/// The path that OpenSSL verifies, and the errors that it reports to its callback.
private final class VerificationRun {
    private let path: [OpaquePointer]
    private let endsWithRoot: Bool
    var errors: [(code: Int32, place: Int)] = []

    init(_ path: CertificatePath) {
        self.path = path.links.map(\.object.pointer)
        endsWithRoot = path.endsWithRoot
    }

    /// Returns true if the path has `issuer` right after `subject`. A root at its end follows itself.
    func isNext(_ issuer: OpaquePointer?, after subject: OpaquePointer?) -> Bool {
        guard let place = path.firstIndex(where: { $0 == subject }) else { return false }
        return place + 1 < path.count ? path[place + 1] == issuer : endsWithRoot && issuer == subject
    }
}

/// OpenSSL's store of anchors.
final class OpenSSLStore {
    let pointer: OpaquePointer

    deinit { X509_STORE_free(pointer) }

    init() throws(KeyError) {
        guard let made = X509_STORE_new() else { throw .unavailable }
        pointer = made
    }
}

/// OpenSSL's state of a verification.
final class OpenSSLVerification {
    let pointer: OpaquePointer
    private let stack: OpaquePointer
    private let store: OpenSSLStore
    /// OpenSSL takes no share of these.
    private let certificates: [X509Object]

    deinit {
        X509_STORE_CTX_free(pointer)
        OPENSSL_sk_free(stack)
    }

    init(
        of leaf: X509Object?, _ intermediates: [X509Object], anchoredIn store: OpenSSLStore, in context: OpaquePointer
    ) throws(KeyError) {
        self.store = store
        certificates = (leaf.map { [$0] } ?? []) + intermediates
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
        guard X509_STORE_CTX_init(pointer, store.pointer, leaf?.pointer, stack) == 1 else { throw .unavailable }
    }
}
