internal import Foundation
internal import KeyKit

/// The answer to a question of trust.
struct TrustOutcome: Sendable {
    /// The certificates from the leaf as far as issuers were found.
    let chain: [SecCertificate]
    /// The reasons not to trust the leaf.
    private let failures: [TrustFailure]
    /// True if there was no evaluation, because memory ran out.
    private let isMissing: Bool
    /// The exceptions that the app has set for the leaf, one for each certificate of the chain.
    private let allowed: [TrustException]
    /// The date for which the chain was checked.
    let date: Date

    /// Evaluates a question.
    init(_ state: SecTrust.State) {
        date = state.date ?? Date()
        let leaf = state.certificates[0]
        allowed = state.exceptions
        var evaluation = TrustEvaluation(of: leaf.certificate, at: Self.seconds(date))
        evaluation.intermediates = state.certificates.dropFirst().map(\.certificate)
        evaluation.anchors = (state.anchors ?? []).map(\.certificate)
        evaluation.includesSystemAnchors = state.includesSystemAnchors
        evaluation.usages = state.policies.compactMap(\.usage)
        evaluation.requiresRevocationAnswer = state.policies.contains(where: \.requiresRevocationAnswer)
        do {
            let result = try evaluation.result()
            chain = result.chain.map(SecCertificate.init)
            failures = result.failures
            isMissing = false
        } catch {
            chain = [leaf]
            failures = []
            isMissing = true
        }
    }

    /// True if the leaf is trusted, or the app has made an exception for all that is wrong with the chain.
    var isTrusted: Bool { result == .unspecified || result == .proceed }

    var result: SecTrustResultType {
        if isMissing { return .otherError }
        if failures.contains(where: { $0.reason.isFatal }) { return .fatalTrustFailure }
        if failures.contains(where: { !isAllowed($0) }) { return .recoverableTrustFailure }
        return allowed.isEmpty ? .unspecified : .proceed
    }

    /// The exceptions that would make the chain trusted, one for each of its certificates.
    var exceptions: [TrustException] {
        chain.enumerated().map { place, certificate in
            TrustException(certificate, ignoring: failures.filter { $0.place == place })
        }
    }

    private func isAllowed(_ failure: TrustFailure) -> Bool {
        guard chain.indices.contains(failure.place), allowed.indices.contains(failure.place) else { return false }
        return allowed[failure.place].covers(failure, of: chain[failure.place])
    }

    /// The most important failure as apps get it; nil if the leaf is trusted.
    var error: NSError? {
        if isMissing { return NSError(status: errSecInternal) }
        if isTrusted { return nil }
        // Of failures of the same kind, the one nearest to the leaf counts.
        let failures = failures.filter { !isAllowed($0) || $0.reason.isFatal }
        guard let first = failures.min(by: { ($0.reason.rank, $0.place) < ($1.reason.rank, $1.place) }) else {
            return nil
        }
        let all = NSError(
            domain: NSOSStatusErrorDomain, code: Int(first.reason.status),
            userInfo: [NSLocalizedDescriptionKey: failures.map(sentence).joined(separator: " ")])
        return NSError(
            domain: NSOSStatusErrorDomain, code: Int(first.reason.status),
            userInfo: [NSLocalizedDescriptionKey: sentence(first), NSUnderlyingErrorKey: all])
    }

    private func sentence(_ failure: TrustFailure) -> String {
        let name = chain.indices.contains(failure.place) ? chain[failure.place].certificate.summary : nil
        return "The certificate “\(name ?? "")” \(failure.reason.words)."
    }

    /// Returns the seconds since 1970, as far as a date reaches.
    private static func seconds(_ date: Date) -> Int64 {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        return Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max)
    }
}

extension TrustFailure.Reason {
    var status: OSStatus {
        switch self {
        case .brokenKey, .weakKey: errSecUnsupportedKeySize
        case .brokenHash, .weakHash: errSecInvalidDigestAlgorithm
        case .invalid: errSecInvalidCertificateRef
        case .unknownCriticalExtension: errSecUnknownCriticalExtensionFlag
        case .emptySubject: errSecInvalidSubjectName
        case .noBasicConstraints: errSecNoBasicConstraints
        case .notAuthority: errSecNoBasicConstraintsCA
        case .pathTooLong: errSecPathLengthConstraintExceeded
        case .nameNotPermitted: errSecInvalidName
        case .policyMissing: errSecInvalidPolicyIdentifiers
        case .validForTooLong: errSecCertificateValidityPeriodTooLong
        case .revocationUnknown: errSecIncompleteCertRevocationCheck
        case .rootNotTrusted: errSecNotTrusted
        case .issuerMissing: errSecCreateChainFailed
        case .keyMayNotSignCertificates: errSecInvalidKeyUsageForPolicy
        case .otherPurpose: errSecInvalidExtendedKeyUsage
        case .otherHost: errSecHostNameMismatch
        // Apple's check of dates has one status for both.
        case .expired, .notValidYet: errSecCertificateExpired
        }
    }

    /// The rank of the reason's kind. The kind with the lowest rank is reported.
    fileprivate var rank: Int {
        switch self {
        case .brokenKey, .weakKey: 0
        case .brokenHash, .weakHash: 1
        case .invalid, .unknownCriticalExtension, .emptySubject, .noBasicConstraints, .notAuthority, .pathTooLong,
            .nameNotPermitted, .policyMissing, .validForTooLong:
            2
        case .revocationUnknown: 3
        case .rootNotTrusted, .issuerMissing: 4
        case .keyMayNotSignCertificates, .otherPurpose: 5
        case .otherHost: 6
        case .expired, .notValidYet: 7
        }
    }

    /// True if a user may not overrule the failure.
    fileprivate var isFatal: Bool {
        switch self {
        case .brokenKey, .brokenHash: true
        case .weakKey, .weakHash, .invalid, .unknownCriticalExtension, .emptySubject, .noBasicConstraints,
            .notAuthority, .pathTooLong, .nameNotPermitted, .policyMissing, .validForTooLong, .revocationUnknown,
            .rootNotTrusted, .issuerMissing, .keyMayNotSignCertificates, .otherPurpose, .otherHost, .expired,
            .notValidYet:
            false
        }
    }
}
