import Foundation
import FoundationNetworking
import LatchkeyTesting
import Security
import Synchronization
import TestSupport
import Testing

/// Challenges of servers, and the delegates of apps that answer them.
@Suite(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"))
struct PinningTests {
    private let some = SomeCertificates.shared

    /// Returns the challenge of `example.com` with the certificates of the tests.
    private func challenge(
        _ chain: [SecCertificate]? = nil, host: String = "example.com", trusting roots: [SecCertificate] = [],
        at date: Date? = SomeCertificates.day
    ) -> URLAuthenticationChallenge {
        .serverTrust(chain ?? [some.leaf, some.authority], host: host, trusting: roots, at: date)
    }

    /// Returns the answer of a delegate.
    private func answer(
        _ delegate: any URLSessionDelegate, to challenge: URLAuthenticationChallenge
    ) throws -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        let answers = Mutex<[(URLSession.AuthChallengeDisposition, URLCredential?)]>([])
        delegate.urlSession(.shared, didReceive: challenge) { answer, credential in
            answers.withLock { $0.append((answer, credential)) }
        }
        return try answers.withLock {
            try #require($0.count == 1)
            return $0[0]
        }
    }

    @Test func aDelegateAcceptsItsRootAndNoOther() throws {
        let (pinned, other) = (RootPinningDelegate(root: some.root), RootPinningDelegate(root: some.person))
        let evening = Date(timeIntervalSince1970: 1_800_000_000)
        let cases: [(RootPinningDelegate, URLAuthenticationChallenge, Bool)] = [
            (pinned, challenge(), true),
            (other, challenge(), false),
            // The anchors of the delegate take the place of those that the test trusts.
            (other, challenge(trusting: [some.root]), false),
            (pinned, challenge(host: "example.org"), false),
            (pinned, challenge(at: evening), false),
            (pinned, challenge([some.leaf]), false),
            (pinned, challenge([some.person]), false),
        ]
        for (index, (delegate, challenge, isAccepted)) in cases.enumerated() {
            let (disposition, credential) = try answer(delegate, to: challenge)
            #expect(disposition == (isAccepted ? .useCredential : .cancelAuthenticationChallenge), "\(index)")
            #expect((credential != nil) == isAccepted, "\(index)")
        }
    }

    @Test func aDelegateAcceptsTheKeyOfItsServer() async throws {
        let key = try #require(SecCertificateCopyKey(some.leaf))
        let bytes = try #require(SecKeyCopyExternalRepresentation(key, nil)) as Data
        let delegate = KeyPinningDelegate(pinned: [bytes])
        let trusted = challenge(trusting: [some.root])
        #expect(await delegate.urlSession(.shared, didReceive: trusted).0 == .useCredential)
        // The renewed certificate has the same key.
        let renewed = challenge([some.renewed, some.authority], trusting: [some.root])
        #expect(await delegate.urlSession(.shared, didReceive: renewed).0 == .useCredential)
        #expect(await delegate.urlSession(.shared, didReceive: challenge()).0 == .cancelAuthenticationChallenge)
        let wrong = KeyPinningDelegate(pinned: [Data([1])])
        #expect(await wrong.urlSession(.shared, didReceive: trusted).0 == .cancelAuthenticationChallenge)
    }

    @Test func aChallengeDescribesTheServer() throws {
        let space = challenge().protectionSpace
        #expect(space.host == "example.com" && space.port == 443 && space.protocol == NSURLProtectionSpaceHTTPS)
        #expect(space.authenticationMethod == NSURLAuthenticationMethodServerTrust)
        #expect(space.authenticationMethod == "NSURLAuthenticationMethodServerTrust")
        let trust = try #require(space.serverTrust)
        #expect(SecTrustGetCertificateCount(trust) == 2)
        var policies: CFArray?
        SecTrustCopyPolicies(trust, &policies)
        #expect(policies as? [SecPolicy] == [SecPolicyCreateSSL(true, "example.com" as CFString)])
        let plain = URLProtectionSpace(
            host: "example.com", port: 443, protocol: nil, realm: nil, authenticationMethod: nil)
        #expect(plain.serverTrust == nil)
    }

    @Test func aDelegateShowsItsIdentity() throws {
        let identity = SomeCertificates.identity(some.leafArchive)
        let delegate = IdentityDelegate(identity: identity, chain: [some.authority])
        let asking = URLAuthenticationChallenge.clientCertificate(host: "example.com")
        #expect(asking.protectionSpace.serverTrust == nil)
        let (disposition, credential) = try answer(delegate, to: asking)
        #expect(disposition == .useCredential)
        let shown = try #require(credential)
        #expect(shown.identity == identity && shown.persistence == .forSession)
        #expect(shown.certificates as? [SecCertificate] == [some.authority])
        #expect(try answer(delegate, to: challenge()).0 == .performDefaultHandling)
    }

    @Test func aCredentialKeepsItsOwnIdentity() throws {
        let (leaf, person) = (
            SomeCertificates.identity(some.leafArchive), SomeCertificates.identity(some.personArchive, "")
        )
        // Objects of credentials that are gone leave their places in memory to others.
        for round in 0..<1_000 {
            let first = URLCredential(identity: leaf, certificates: nil, persistence: .none)
            let second = URLCredential(identity: person, certificates: [some.root, 1], persistence: .permanent)
            #expect(first.identity == leaf && first.certificates.isEmpty, "\(round)")
            #expect(second.identity == person && second.certificates.count == 1, "\(round)")
            let plain = URLCredential(user: "me", password: "secret", persistence: .none)
            #expect(plain.identity == nil && plain.certificates.isEmpty, "\(round)")
        }
        weak var kept: SecIdentity?
        do {
            let identity = SomeCertificates.identity(some.leafArchive)
            let short = URLCredential(identity: identity, certificates: nil, persistence: .none)
            kept = identity
            #expect(short.identity === identity)
        }
        #expect(URLCredential(user: "me", password: "secret", persistence: .none).identity == nil)
        #expect(kept == nil, "the identity of a credential that is gone leaves with the next call")
        let trust = try #require(challenge().protectionSpace.serverTrust)
        let trusting = URLCredential(trust: trust)
        #expect(trusting.identity == nil && trusting.certificates.isEmpty && trusting.persistence == .none)
    }
}
