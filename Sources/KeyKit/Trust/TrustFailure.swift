/// A reason not to trust a chain of certificates.
public struct TrustFailure: Hashable, Sendable, CustomStringConvertible {
    /// The reasons, the most important first.
    public enum Reason: CaseIterable, Hashable, Sendable {
        /// The key is so short that it can be broken.
        case brokenKey
        /// The key is shorter than a TLS server may have.
        case weakKey
        /// The signature uses a hash function that is broken.
        case brokenHash
        /// The signature uses a hash function that a TLS server may not use.
        case weakHash
        /// The certificate cannot be processed.
        case invalid
        /// The certificate has a critical extension that OpenSSL does not know.
        case unknownCriticalExtension
        /// The certificate has neither a subject nor critical alternative names.
        case emptySubject
        /// The certificate signed another one, and does not say whether it is that of a certificate authority.
        case noBasicConstraints
        /// The certificate signed another one, and says that it is not that of a certificate authority.
        case notAuthority
        /// More authorities stand below the certificate than it permits.
        case pathTooLong
        /// A name is outside of what an authority may certify.
        case nameNotPermitted
        /// The authorities demand a certificate policy, and the chain has none in common.
        case policyMissing
        /// The certificate is valid for longer than a TLS server's may be.
        case validForTooLong
        /// An answer on the revocation of the certificate is demanded, and there is none.
        case revocationUnknown
        /// The chain ends with a self-signed certificate that is no anchor.
        case rootNotTrusted
        /// No certificate is known that has signed this one.
        case issuerMissing
        /// The certificate signed another one, and its key may not sign certificates.
        case keyMayNotSignCertificates
        /// The certificate is for other purposes.
        case otherPurpose
        /// The certificate is for other hosts.
        case otherHost
        /// The certificate is not valid any more.
        case expired
        /// The certificate is not valid yet.
        case notValidYet
    }

    /// The reason.
    public let reason: Reason
    /// The place of the certificate in the chain. The leaf is at zero.
    public let place: Int

    /// The failure in words.
    public var description: String { "certificate \(place) \(reason.words)" }

    init(_ reason: Reason, at place: Int) {
        self.reason = reason
        self.place = place
    }
}

extension TrustFailure.Reason {
    /// The fault of the certificate, in words that follow its name.
    public var words: String {
        switch self {
        case .brokenKey: "has a key that can be broken"
        case .weakKey: "has a key that is too short for a server"
        case .brokenHash: "is signed with a broken hash function"
        case .weakHash: "is signed with a hash function that is too weak for a server"
        case .invalid: "cannot be processed"
        case .unknownCriticalExtension: "has an unknown critical extension"
        case .emptySubject: "has no subject"
        case .noBasicConstraints: "has no basic constraints"
        case .notAuthority: "is not that of a certificate authority"
        case .pathTooLong: "permits fewer authorities below it"
        case .nameNotPermitted: "has a name that its authority may not certify"
        case .policyMissing: "lacks a certificate policy that its authorities demand"
        case .validForTooLong: "is valid for too long"
        case .revocationUnknown: "has an unknown revocation status"
        case .rootNotTrusted: "is not trusted"
        case .issuerMissing: "has an unknown issuer"
        case .keyMayNotSignCertificates: "has a key that may not sign certificates"
        case .otherPurpose: "is for other purposes"
        case .otherHost: "is for other hosts"
        case .expired: "has expired"
        case .notValidYet: "is not valid yet"
        }
    }
}
