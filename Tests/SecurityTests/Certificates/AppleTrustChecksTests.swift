import Foundation
import Security
import TestSupport
import Testing

/// Apple's own tests of certificates and trust that need no network and no anchors of the system, as facts:
/// CertificateInterfaceTests, TrustInterfaceTests, EvaluationBasicTests, NISTTests, SSLPolicyTests and VerifyDateTests. The
/// certificates are ours, with the properties that the tests are about.
@Suite(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"))
struct AppleTrustChecksTests {
    private let some = SomeCertificates.shared
    private let maker: CertificateMaker

    init() throws { maker = try CertificateMaker() }

    private func make(
        _ name: String, by issuer: String? = nil, subject: String? = nil,
        days: (String, String) = ("20240101", "20260101"),
        _ extensions: [String] = []
    ) throws -> SecCertificate {
        let der = try maker.make(name, by: issuer, subject: subject, days: days, extensions)
        return try #require(SecCertificateCreateWithData(nil, der as CFData))
    }

    private func trust(
        _ certificates: [SecCertificate], _ policy: SecPolicy?, anchors: [SecCertificate]? = nil,
        on day: Date? = SomeCertificates.day
    ) throws -> SecTrust {
        var made: SecTrust?
        try #require(SecTrustCreateWithCertificates(certificates as CFArray, policy, &made) == errSecSuccess)
        let trust = try #require(made)
        if let anchors { SecTrustSetAnchorCertificates(trust, anchors as CFArray) }
        if let day { SecTrustSetVerifyDate(trust, day as CFDate) }
        return trust
    }

    private func code(_ trust: SecTrust) -> OSStatus {
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &error)
        return isTrusted && error == nil ? errSecSuccess : OSStatus(error?.code ?? 1)
    }

    private func day(_ year: Int, _ month: Int, _ day: Int) throws -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return try #require(calendar.date(from: DateComponents(year: year, month: month, day: day)))
    }

    @Test func certificateInterface() throws {
        var checks = AppleChecks()
        // testCreation and testCopyData: bytes behind the certificate are no part of it.
        checks.ok(SecCertificateCreateWithData(nil, some.leaf.der as CFData) != nil)
        let several = SecCertificateCreateWithData(nil, (some.leaf.der + some.root.der) as CFData)
        checks.ok(several != nil)
        checks.ok(several?.der == some.leaf.der)
        // testSummary: organizational units, the last one first.
        let units = try make("units", subject: "/OU=one/OU=two, with a comma")
        checks.ok(SecCertificateCopySubjectSummary(units) as String? == "two, with a comma, one")
        // testSummaryWithoutCN
        let mail = try make("mail", subject: "/O=Example", ["subjectAltName = email:a@example.com"])
        checks.ok(SecCertificateCopySubjectSummary(mail) as String? == "a@example.com")
        // testCommonName: the last of two.
        let two = try make("two", subject: "/CN=first/CN=second")
        var name: CFString?
        checks.ok(SecCertificateCopyCommonName(two, &name) == errSecSuccess)
        checks.ok(name as String? == "second")
        // testCopyEmailAddresses
        var addresses: CFArray?
        checks.ok(SecCertificateCopyCommonName(some.leaf, &name) == errSecSuccess)
        checks.ok(name as String? == "Some Name")
        checks.ok(SecCertificateCopyEmailAddresses(some.leaf, &addresses) == errSecSuccess)
        checks.ok(addresses?.count == 0)
        // testCopySerialNumber
        checks.ok(SecCertificateCopySerialNumberData(some.leaf, nil) != nil)
        // testCopyValidAfterBefore
        checks.ok(
            SecCertificateCopyNotValidBeforeDate(some.leaf) as Date? == Date(timeIntervalSince1970: 1_704_067_200))
        checks.ok(SecCertificateCopyNotValidAfterDate(some.leaf) as Date? == Date(timeIntervalSince1970: 1_767_225_600))
        #expect(checks.taken == 14)
    }

    @Test func trustInterface() throws {
        var checks = AppleChecks()
        let policy = SecPolicyCreateSSL(true, nil)
        var made: SecTrust?
        // testCreateWithCertificates
        let chain = [some.leaf, some.authority]
        let bytes = chain.map(\.der) as CFArray
        checks.ok(SecTrustCreateWithCertificates(kCFBooleanTrue, policy, &made) == errSecParam)
        checks.ok(SecTrustCreateWithCertificates(some.leaf, kCFBooleanTrue, &made) == errSecParam)
        checks.ok(SecTrustCreateWithCertificates(bytes, policy, &made) == errSecParam)
        checks.ok(SecTrustCreateWithCertificates(chain as CFArray, bytes, &made) == errSecParam)
        checks.ok(SecTrustCreateWithCertificates(chain as CFArray, policy, &made) == errSecSuccess)
        // testGetCertificate and testCopyCertificateChain: counting evaluates.
        let anchored = try trust(chain, policy, anchors: [some.root])
        checks.ok(SecTrustGetCertificateCount(anchored) == 3)
        checks.ok(SecTrustGetCertificateAtIndex(anchored, 0) == some.leaf)
        let copied = SecTrustCopyCertificateChain(anchored) as? [SecCertificate] ?? []
        checks.ok(copied.count == 3)
        checks.ok(copied.first == some.leaf && copied[1] == some.authority)
        // testAnchorCerts, without the parts that need anchors of the system
        let trust = try trust(chain, policy)
        checks.ok(SecTrustSetAnchorCertificates(trust, [some.authority] as CFArray) == errSecSuccess)
        checks.ok(SecTrustEvaluateWithError(trust, nil))
        checks.ok(SecTrustGetCertificateCount(trust) == 2)
        checks.ok(SecTrustSetAnchorCertificates(trust, [] as CFArray) == errSecSuccess)
        checks.ok(!SecTrustEvaluateWithError(trust, nil))
        checks.ok(SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess)
        checks.ok(!SecTrustEvaluateWithError(trust, nil))
        checks.ok(SecTrustSetAnchorCertificates(trust, nil) == errSecSuccess)
        checks.ok(SecTrustSetAnchorCertificates(trust, [some.leaf.der] as CFArray) == errSecParam)
        // testSetPolicies
        let wrong = SecPolicyCreateSSL(true, "example.org" as CFString)
        let right = SecPolicyCreateSSL(true, "example.com" as CFString)
        for replacement in [right, [right] as CFArray] as [AnyObject] {
            let trust = try self.trust([some.leaf], wrong, anchors: [some.authority])
            checks.ok(!SecTrustEvaluateWithError(trust, nil))
            checks.ok(SecTrustSetPolicies(trust, replacement) == errSecSuccess)
            checks.ok(SecTrustEvaluateWithError(trust, nil))
            checks.ok(SecTrustSetPolicies(trust, some.leaf) == errSecParam)
            checks.ok(SecTrustSetPolicies(trust, [some.leaf] as CFArray) == errSecParam)
            var policies: CFArray?
            checks.ok(SecTrustCopyPolicies(trust, &policies) == errSecSuccess)
            checks.ok(policies as? [SecPolicy] == [right])
        }
        // testEvaluateWithError
        let full = try self.trust([some.leaf, some.authority, some.root], right, anchors: [some.root])
        checks.ok(code(full) == errSecSuccess)
        SecTrustSetVerifyDate(full, try day(2027, 3, 21) as CFDate)
        checks.ok(code(full) == errSecCertificateExpired)
        SecTrustSetPolicies(full, wrong)
        checks.ok(code(full) == errSecHostNameMismatch)
        SecTrustSetVerifyDate(full, SomeCertificates.day as CFDate)
        checks.ok(code(full) == errSecHostNameMismatch)
        SecTrustSetAnchorCertificates(full, [] as CFArray)
        checks.ok(code(full) == errSecNotTrusted)
        // testCopyKey
        checks.ok(SecTrustCopyKey(full) != nil)
        checks.ok(CFEqual(SecTrustCopyKey(full), SecCertificateCopyKey(some.leaf)))
        #expect(checks.taken == 39)
    }

    @Test func evaluationOfAnchors() throws {
        var checks = AppleChecks()
        // testSelfSignedAnchor
        let alone = try make("alone", ["extendedKeyUsage = serverAuth"])
        checks.ok(code(try trust([alone], SecPolicyCreateSSL(true, nil), anchors: [alone])) == errSecSuccess)
        // testAnchorPathLenConstraints
        let narrow = try make(
            "narrow", days: ("20200101", "20400101"),
            ["basicConstraints = critical, CA:TRUE, pathlen:0", "keyUsage = keyCertSign"])
        let between = try make("between", by: "narrow", days: ("20200101", "20400101"), CertificateMaker.authority)
        let far = try make("far", by: "between")
        checks.ok(code(try trust([far, between], nil, anchors: [narrow])) == errSecPathLengthConstraintExceeded)
        let near = try make("near", by: "narrow")
        checks.ok(code(try trust([near], nil, anchors: [narrow])) == errSecSuccess)
        // testNoBasicConstraintsAnchor_AppTrusted and testNotCABasicConstraintsAnchor_AppTrusted
        let without = try make("without", days: ("20200101", "20400101"), ["subjectKeyIdentifier = hash"])
        let below = try make("below", by: "without")
        checks.ok(code(try trust([below, without], nil, anchors: [without])) == errSecNoBasicConstraints)
        let denying = try make("denying", days: ("20200101", "20400101"), ["basicConstraints = critical, CA:FALSE"])
        let under = try make("under", by: "denying")
        checks.ok(code(try trust([under, denying], nil, anchors: [denying])) == errSecNoBasicConstraintsCA)
        #expect(checks.taken == 5)
    }

    @Test func usesOfServers() throws {
        var checks = AppleChecks()
        _ = try make("root", days: ("20150101", "20400101"), CertificateMaker.authority)
        let root = try #require(SecCertificateCreateWithData(nil, try maker.read("root.der") as CFData))
        let names = ["subjectAltName = DNS:example.com"]
        func evaluate(_ uses: String?, from first: String, to last: String, on day: Date) throws -> OSStatus {
            let leaf = try make(
                "leaf", by: "root", days: (first, last), names + (uses.map { ["extendedKeyUsage = \($0)"] } ?? []))
            let policy = SecPolicyCreateSSL(true, "example.com" as CFString)
            return code(try trust([leaf, root], policy, anchors: [root], on: day))
        }
        let september = try day(2019, 9, 12)
        // testAppTrustRoot_AnyEKU_BeforeJul2019, …_MissingEKU_AfterJul2019, …_AnyEKU_AfterJul2019, …_ServerAuthEKU_AfterJul2019
        checks.ok(try evaluate("anyExtendedKeyUsage", from: "20190501", to: "20200501", on: september) == errSecSuccess)
        let later: [(String?, OSStatus)] = [
            (nil, errSecInvalidExtendedKeyUsage), ("anyExtendedKeyUsage", errSecInvalidExtendedKeyUsage),
            ("serverAuth", errSecSuccess),
        ]
        for (uses, expected) in later {
            checks.ok(try evaluate(uses, from: "20190801", to: "20200801", on: september) == expected)
        }
        // testAppTrust_subCA_SMIME_EKU
        _ = try make(
            "mail", by: "root", days: ("20190101", "20300101"),
            CertificateMaker.authority + ["extendedKeyUsage = emailProtection"])
        let mail = try #require(SecCertificateCreateWithData(nil, try maker.read("mail.der") as CFData))
        let leaf = try make(
            "leaf", by: "mail", days: ("20200101", "20210101"), names + ["extendedKeyUsage = serverAuth"])
        let policy = SecPolicyCreateSSL(true, "example.com" as CFString)
        checks.ok(
            code(try trust([leaf, mail], policy, anchors: [root], on: day(2020, 8, 24)))
                == errSecInvalidExtendedKeyUsage)
        // testAppTrustRoot_MoreThan825Days_AfterJul2019, …_BeforeJul2019, LessThan825Days_AfterJul2019
        let long = try evaluate("serverAuth", from: "20190801", to: "20220101", on: september)
        checks.ok(long == errSecCertificateValidityPeriodTooLong)
        checks.ok(try evaluate("serverAuth", from: "20190501", to: "20220101", on: september) == errSecSuccess)
        checks.ok(try evaluate("serverAuth", from: "20190801", to: "20210801", on: september) == errSecSuccess)
        // VerifyDateTests: before, within and after the validity, also in the last year that a certificate can name.
        let forever = try make("forever", days: ("20140101", "99991231"))
        for (date, expected) in [
            (try day(2013, 9, 23), errSecCertificateExpired), (try day(2016, 1, 17), errSecSuccess),
            (try day(9999, 10, 1), errSecSuccess), (try day(10000, 1, 12), errSecCertificateExpired),
        ] {
            checks.ok(code(try trust([forever], nil, anchors: [forever], on: date)) == expected, "\(date)")
        }
        #expect(checks.taken == 12)
    }
}
