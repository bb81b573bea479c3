import Foundation
import Security
import TestSupport
import Testing

/// The calls on trust objects.
@Suite(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"))
struct TrustCallsTests {
    private let some = SomeCertificates.shared

    /// Returns a trust object for the leaf, on a day on which it is valid, with the root as its anchor.
    private func trust(_ policy: SecPolicy = SecPolicyCreateBasicX509(), _ chain: [SecCertificate]? = nil) throws
        -> SecTrust
    {
        var made: SecTrust?
        let chain = chain ?? [some.leaf, some.authority]
        #expect(SecTrustCreateWithCertificates(chain as CFArray, policy, &made) == errSecSuccess)
        let trust = try #require(made)
        #expect(SecTrustSetAnchorCertificates(trust, [some.root] as CFArray) == errSecSuccess)
        #expect(SecTrustSetVerifyDate(trust, SomeCertificates.day as CFDate) == errSecSuccess)
        return trust
    }

    /// Returns the code of the error of an evaluation; zero if the certificate is trusted.
    private func evaluate(_ trust: SecTrust) -> OSStatus {
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &error)
        #expect(isTrusted == (error == nil))
        #expect(error.map { $0.domain == NSOSStatusErrorDomain } ?? true)
        return error.map { OSStatus($0.code) } ?? 0
    }

    private func result(_ trust: SecTrust) -> SecTrustResultType {
        var (result, again) = (SecTrustResultType.invalid, SecTrustResultType.invalid)
        #expect(SecTrustGetTrustResult(trust, &result) == errSecSuccess)
        #expect(SecTrustEvaluate(trust, &again) == errSecSuccess && result == again)
        return result
    }

    @Test func aChainToTheAnchorIsTrusted() throws {
        let trust = try trust(SecPolicyCreateSSL(true, "example.com" as CFString))
        #expect(evaluate(trust) == 0 && result(trust) == .unspecified)
        let chain = [some.leaf, some.authority, some.root]
        #expect(SecTrustCopyCertificateChain(trust) as? [SecCertificate] == chain)
        #expect(SecTrustGetCertificateCount(trust) == 3)
        #expect((0...3).map { SecTrustGetCertificateAtIndex(trust, $0) } == chain + [nil])
        #expect(SecTrustGetCertificateAtIndex(trust, -1) == nil)
        #expect(SecTrustCopyKey(trust) == SecCertificateCopyKey(some.leaf))
        #expect(SecTrustCopyPublicKey(trust) == SecTrustCopyKey(trust))
        let values = SecTrustCopyResult(trust) as? [String: Any]
        #expect(values?[kSecTrustResultValue as String] as? Int == 4)
        #expect(values?[kSecTrustEvaluationDate as String] as? Date == SomeCertificates.day)
    }

    @Test func eachFailureHasItsStatus() throws {
        let late = try trust()
        SecTrustSetVerifyDate(late, Date(timeIntervalSince1970: 1_800_000_000) as CFDate)
        #expect(evaluate(late) == errSecCertificateExpired && result(late) == .recoverableTrustFailure)
        SecTrustSetVerifyDate(late, Date(timeIntervalSince1970: 1_600_000_000) as CFDate)
        #expect(evaluate(late) == errSecCertificateExpired)
        let host = try trust(SecPolicyCreateSSL(true, "example.org" as CFString))
        #expect(evaluate(host) == errSecHostNameMismatch)
        // What the anchor is matters more than the host, and the host more than the date.
        SecTrustSetVerifyDate(host, Date(timeIntervalSince1970: 1_800_000_000) as CFDate)
        #expect(evaluate(host) == errSecHostNameMismatch)
        SecTrustSetAnchorCertificates(host, [] as CFArray)
        #expect(evaluate(host) == errSecCreateChainFailed)
        let rooted = try trust(SecPolicyCreateBasicX509(), [some.leaf, some.authority, some.root])
        SecTrustSetAnchorCertificates(rooted, [some.person] as CFArray)
        #expect(evaluate(rooted) == errSecNotTrusted)
        #expect(evaluate(try trust(SecPolicyCreateBasicX509(), [some.leaf])) == errSecCreateChainFailed)
        #expect(evaluate(try trust(SecPolicyCreateSSL(false, nil))) == errSecInvalidExtendedKeyUsage)
    }

    @Test func theErrorNamesTheCertificate() throws {
        let trust = try trust(SecPolicyCreateSSL(true, "example.org" as CFString))
        SecTrustSetVerifyDate(trust, Date(timeIntervalSince1970: 1_800_000_000) as CFDate)
        var error: CFError?
        #expect(!SecTrustEvaluateWithError(trust, &error))
        #expect(error?.localizedDescription == "The certificate “Some Name” is for other hosts.")
        let all = try #require(error?.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(
            all.localizedDescription
                == "The certificate “Some Name” is for other hosts. The certificate “Some Name” has expired.")
        #expect(all.code == Int(errSecHostNameMismatch))
    }

    @Test func nothingIsTrustedByItself() throws {
        let trust = try trust(SecPolicyCreateBasicX509(), [some.root])
        #expect(evaluate(trust) == 0)
        SecTrustSetAnchorCertificates(trust, nil)
        #expect(evaluate(trust) == errSecNotTrusted)
        // No system trusts a root that a test has made.
        SecTrustSetAnchorCertificatesOnly(trust, false)
        #expect(evaluate(trust) == errSecNotTrusted)
        SecTrustSetAnchorCertificates(trust, [some.root] as CFArray)
        #expect(evaluate(trust) == 0)
        SecTrustSetAnchorCertificatesOnly(trust, false)
        #expect(evaluate(trust) == 0)
        SecTrustSetAnchorCertificatesOnly(trust, true)
        #expect(evaluate(trust) == 0)
        var anchors: CFArray?
        #expect(SecTrustCopyCustomAnchorCertificates(trust, &anchors) == errSecSuccess)
        #expect(anchors as? [SecCertificate] == [some.root])
    }

    @Test func aChangeStartsTheEvaluationAnew() throws {
        let trust = try trust(SecPolicyCreateSSL(true, "example.org" as CFString))
        #expect(evaluate(trust) == errSecHostNameMismatch)
        #expect(SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, "example.com" as CFString)) == errSecSuccess)
        #expect(evaluate(trust) == 0)
        let both = [SecPolicyCreateBasicX509(), SecPolicyCreateSSL(true, "example.org" as CFString)]
        #expect(SecTrustSetPolicies(trust, both as CFArray) == errSecSuccess)
        #expect(evaluate(trust) == errSecHostNameMismatch)
        var policies: CFArray?
        #expect(SecTrustCopyPolicies(trust, &policies) == errSecSuccess)
        #expect(policies as? [SecPolicy] == both)
    }

    @Test func onlyTheRightObjectsMakeATrust() {
        var trust: SecTrust?
        let policy = SecPolicyCreateBasicX509()
        for certificates in [[], [some.leaf, 1], [policy], ["x"], 7, "x", some.leaf.der as CFData] as [Any] {
            #expect(SecTrustCreateWithCertificates(certificates as AnyObject, policy, &trust) == errSecParam)
        }
        for policies in [[], [policy, 1], [some.leaf], 7, some.leaf] as [Any] {
            #expect(SecTrustCreateWithCertificates(some.leaf, policies as AnyObject, &trust) == errSecParam)
        }
        #expect(trust == nil)
        #expect(SecTrustCreateWithCertificates(some.leaf, nil, &trust) == errSecSuccess)
        guard let trust else { return }
        #expect(SecTrustSetPolicies(trust, some.leaf) == errSecParam)
        #expect(SecTrustSetPolicies(trust, [] as CFArray) == errSecParam)
        #expect(SecTrustSetAnchorCertificates(trust, [some.leaf.der] as CFArray) == errSecParam)
        #expect(SecTrustSetNetworkFetchAllowed(trust, false) == errSecSuccess)
        SecTrustSetVerifyDate(trust, SomeCertificates.day as CFDate)
        #expect(SecTrustGetVerifyTime(trust) == SomeCertificates.day.timeIntervalSinceReferenceDate)
    }

    @Test func aPolicyHasProperties() {
        let basic = SecPolicyCopyProperties(SecPolicyCreateBasicX509()) as? [String: Any]
        #expect(basic?.count == 1 && basic?["SecPolicyOid"] as? String == "1.2.840.113635.100.1.2")
        let client = SecPolicyCopyProperties(SecPolicyCreateSSL(false, "x" as CFString)) as? [String: Any]
        #expect(client?["SecPolicyClient"] as? Bool == true && client?["SecPolicyName"] as? String == "x")
        #expect(SecPolicyCreateSSL(true, "x" as CFString) == SecPolicyCreateSSL(true, "x" as CFString))
        #expect(SecPolicyCreateSSL(true, "x" as CFString) != SecPolicyCreateSSL(false, "x" as CFString))
    }

    @Test func propertiesMakeAPolicy() {
        for policy in [
            SecPolicyCreateBasicX509(), SecPolicyCreateSSL(true, nil), SecPolicyCreateSSL(false, nil),
            SecPolicyCreateSSL(true, "x" as CFString), SecPolicyCreateSSL(false, "x" as CFString),
        ] {
            let properties = SecPolicyCopyProperties(policy)
            let kind = (properties as? [String: Any])?[kSecPolicyOid as String] as? String
            #expect(SecPolicyCreateWithProperties(kind as CFString? ?? "", properties) == policy)
        }
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleSSL, nil) == SecPolicyCreateSSL(true, nil))
        // Apple takes only its true for a client.
        let number = [kSecPolicyClient: 1] as [CFString: Any] as CFDictionary
        #expect(SecPolicyCreateWithProperties(kSecPolicyAppleSSL, number) == SecPolicyCreateSSL(true, nil))
        // No other kind, such as that of revocation, becomes a policy that checks less.
        for kind in ["1.2.840.113635.100.1.21" as CFString, "" as CFString, NSNumber(value: 3), NSData(), NSNull()] {
            #expect(SecPolicyCreateWithProperties(kind, nil) == nil)
        }
        for name in [3, Data(), NSNull(), ["x"]] as [Any] {
            let named = [kSecPolicyName: name] as [CFString: Any] as CFDictionary
            #expect(SecPolicyCreateWithProperties(kSecPolicyAppleSSL, named) == nil)
        }
    }

    @Test func aPolicyOfRevocationChecksNothingUnlessAnAnswerIsRequired() throws {
        let any = try #require(SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod))
        #expect(SecPolicyCreateRevocation(kSecRevocationOCSPMethod | kSecRevocationCRLMethod) == any)
        #expect(SecPolicyCreateRevocation(0) == nil && SecPolicyCreateRevocation(1 << 7) == nil)
        let properties = SecPolicyCopyProperties(any) as? [String: Any]
        #expect(properties?["SecPolicyOid"] as? String == kSecPolicyAppleRevocation as String)
        let server = SecPolicyCreateSSL(true, "example.com" as CFString)
        let trust = try trust(server)
        SecTrustSetPolicies(trust, [server, any] as CFArray)
        #expect(evaluate(trust) == errSecSuccess)
        let demanding = try #require(
            SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod | kSecRevocationRequirePositiveResponse))
        #expect(demanding != any)
        SecTrustSetPolicies(trust, [server, demanding] as CFArray)
        #expect(evaluate(trust) == errSecIncompleteCertRevocationCheck)
        SecTrustSetPolicies(trust, [demanding, SecPolicyCreateSSL(true, "example.org" as CFString)] as CFArray)
        #expect(evaluate(trust) == errSecIncompleteCertRevocationCheck)
    }

    @Test func anOldEvaluationOnAQueueCallsBack() async throws {
        for (host, expected) in [("example.com", .unspecified), ("example.org", .recoverableTrustFailure)]
            as [(String, SecTrustResultType)]
        {
            for queue in [nil, DispatchQueue(label: "trust")] {
                let trust = try trust(SecPolicyCreateSSL(true, host as CFString))
                let result = await withCheckedContinuation { continuation in
                    SecTrustEvaluateAsync(trust, queue) { _, result in continuation.resume(returning: result) }
                }
                #expect(result == expected)
            }
        }
    }

    @Test func anEvaluationOnAQueueCallsBack() async throws {
        let trust = try trust(SecPolicyCreateSSL(true, "example.org" as CFString))
        let code = await withCheckedContinuation { continuation in
            SecTrustEvaluateAsyncWithError(trust, .global()) { _, isTrusted, error in
                continuation.resume(returning: isTrusted ? 0 : OSStatus(error?.code ?? 1))
            }
        }
        #expect(code == errSecHostNameMismatch)
    }

    /// Many threads may evaluate and change one object.
    @Test func threadsShareATrust() async throws {
        let trust = try trust(SecPolicyCreateSSL(true, "example.com" as CFString))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    for _ in 0..<10 {
                        if number % 4 == 0 { SecTrustSetVerifyDate(trust, SomeCertificates.day as CFDate) }
                        #expect(SecTrustEvaluateWithError(trust, nil))
                    }
                }
            }
        }
    }
}
