import Foundation
import LatchkeyTesting
import Security
import TestSupport
import Testing

/// Certificates and archives that are damaged or absurd: an answer each, and never a crash.
@Suite(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"))
struct HostileCertificateTests {
    private let some = SomeCertificates.shared

    /// Returns a copy with some random damage.
    private func damaged(_ data: Data, _ random: inout SeededGenerator) -> Data {
        var bytes = Data(data)
        for _ in 0...Int.random(in: 0..<3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = random.pick([0, 1, 0x7F, 0x80, 0x81, 0x84, 0xFF, 0x30, 0x31, 0xA0])
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
            default: bytes.removeSubrange(place..<min(bytes.count, place + 30))
            }
        }
        return bytes
    }

    @Test(arguments: 0..<4) func damagedCertificatesAreUsedEverywhere(part: Int) throws {
        var random = SeededGenerator(seed: UInt64(part))
        let device = SimulatedDevice()
        var readable = 0
        try device.run {
            for _ in 0..<300 {
                let bytes = damaged(some.leaf.der, &random)
                guard let certificate = SecCertificateCreateWithData(nil, bytes as CFData) else { continue }
                readable += 1
                var (name, addresses): (CFString?, CFArray?)
                _ = SecCertificateCopySubjectSummary(certificate)
                SecCertificateCopyCommonName(certificate, &name)
                SecCertificateCopyEmailAddresses(certificate, &addresses)
                _ = SecCertificateCopyNormalizedIssuerSequence(certificate)
                _ = SecCertificateCopyKey(certificate)
                _ = SecIdentityCreate(nil, certificate, someKey)
                var made: SecTrust?
                let chain = [certificate, some.authority] as CFArray
                let policy = SecPolicyCreateSSL(true, "example.com" as CFString)
                try #require(SecTrustCreateWithCertificates(chain, policy, &made) == errSecSuccess)
                let trust = try #require(made)
                SecTrustSetAnchorCertificates(trust, [some.root, certificate] as CFArray)
                SecTrustSetVerifyDate(trust, SomeCertificates.day as CFDate)
                SecTrustEvaluateWithError(trust, nil)
                let status = SecItemAdd([kSecValueRef: certificate], nil)
                #expect(status == errSecSuccess || status == errSecDuplicateItem)
                let found = SecItemCopyMatching([kSecValueRef: certificate], nil)
                #expect(found == errSecSuccess || status == errSecDuplicateItem)
            }
            let stored = SecItemDelete([kSecClass: kSecClassCertificate])
            #expect(stored == errSecSuccess)
        }
        #expect(readable > 20)
    }

    @Test(arguments: 0..<2) func damagedArchivesHaveAStatus(part: Int) throws {
        var random = SeededGenerator(seed: UInt64(part))
        let maker = try CertificateMaker()
        try maker.make("x")
        let cheap = try maker.archive("x", passphrase: "x", ["-iter", "1", "-nomaciter"])
        var statuses: Set<OSStatus> = []
        for _ in 0..<400 {
            var items: CFArray?
            let file = damaged(cheap, &random) as CFData
            statuses.insert(SecPKCS12Import(file, [kSecImportExportPassphrase: "x"], &items))
        }
        #expect(statuses.isSubset(of: [errSecSuccess, errSecAuthFailed, errSecDecode]))
        #expect(statuses.isSuperset(of: [errSecAuthFailed, errSecDecode]))
    }

    @Test func absurdSizesAreRefused() {
        #expect(SecCertificateCreateWithData(nil, Data(count: 4 << 20) as CFData) == nil)
        // A length that says more than there is.
        for head in [[0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0x88, 0, 0, 0, 1, 0, 0, 0, 0], [0x30, 0x80]]
            as [[UInt8]]
        {
            #expect(
                SecCertificateCreateWithData(nil, Data(head + [UInt8](repeating: 0x30, count: 100)) as CFData) == nil)
        }
        let nest = Data((0..<5000).flatMap { _ in [0x30, 0x80] as [UInt8] })
        #expect(SecCertificateCreateWithData(nil, nest as CFData) == nil)
        // A certificate with a megabyte in one extension.
        #expect(SecCertificateCreateWithData(nil, some.leaf.der + Data(count: 3 << 20) as CFData) == some.leaf)
    }

    /// A chain among two thousand certificates of the same name.
    @Test func manyCertificatesAreNoProblem() throws {
        let maker = try CertificateMaker()
        let other = try maker.make("other", subject: "/CN=authority", CertificateMaker.authority)
        let impostor = try #require(SecCertificateCreateWithData(nil, other as CFData))
        var made: SecTrust?
        let crowd = [some.leaf] + [SecCertificate](repeating: impostor, count: 2000) + [some.authority]
        #expect(SecTrustCreateWithCertificates(crowd as CFArray, nil, &made) == errSecSuccess)
        let trust = try #require(made)
        SecTrustSetAnchorCertificates(trust, [some.root] as CFArray)
        SecTrustSetVerifyDate(trust, SomeCertificates.day as CFDate)
        let start = ContinuousClock.now
        SecTrustEvaluateWithError(trust, nil)
        #expect(ContinuousClock.now - start < .seconds(30))
        for seconds in [Double.infinity, -.infinity, .nan, 1e300, -1e300] {
            SecTrustSetVerifyDate(trust, Date(timeIntervalSinceReferenceDate: seconds) as CFDate)
            #expect(!SecTrustEvaluateWithError(trust, nil))
        }
    }

    /// Two names that have signed each other many times. There are millions of ways of ten steps between them.
    @Test(.timeLimit(.minutes(20))) func issuersInCirclesAreNoProblem() throws {
        let maker = try CertificateMaker()
        try maker.make("one", subject: "/CN=one", CertificateMaker.authority)
        try maker.make("two", subject: "/CN=two", CertificateMaker.authority)
        var all: [Data] = []
        for _ in 0..<6 {
            all.append(try maker.make("another one", by: "two", subject: "/CN=one", CertificateMaker.authority))
            all.append(try maker.make("another two", by: "one", subject: "/CN=two", CertificateMaker.authority))
        }
        all.append(try maker.make("leaf", by: "one"))
        let certificates = try all.map { try #require(SecCertificateCreateWithData(nil, $0 as CFData)) }
        let leaf = try #require(certificates.last)
        let above = try #require(SecCertificateCopyNormalizedSubjectSequence(certificates[1]))
        SimulatedDevice().run {
            for certificate in certificates { #expect(SecItemAdd([kSecValueRef: certificate], nil) == errSecSuccess) }
            func search(_ issuer: Any) -> OSStatus {
                let query: [CFString: Any] = [
                    kSecClass: kSecClassCertificate, kSecMatchIssuers: [issuer], kSecAttrLabel: "leaf",
                ]
                return SecItemCopyMatching(query as CFDictionary, nil)
            }
            #expect(search(some.authorityName) == errSecItemNotFound)
            #expect(search(above) == errSecSuccess)
            #expect(SecCertificateCopySubjectSummary(leaf) as String? == "leaf")
        }
    }

    @Test func referencesOfIdentitiesCanBeAnything() {
        SimulatedDevice().run {
            for bytes in [
                Data(), Data("idnt".utf8), Data("idnt".utf8) + Data(count: 8), Data("idnt".utf8) + Data(count: 16),
            ] {
                let query: [CFString: Any] = [kSecValuePersistentRef: bytes, kSecReturnRef: true]
                #expect([errSecParam, errSecItemNotFound].contains(SecItemCopyMatching(query as CFDictionary, nil)))
                #expect([errSecParam, errSecItemNotFound].contains(SecItemDelete([kSecValuePersistentRef: bytes])))
                let change = [kSecAttrLabel: "x"] as CFDictionary
                #expect(
                    [errSecParam, errSecItemNotFound].contains(SecItemUpdate([kSecValuePersistentRef: bytes], change)))
                #expect(SecItemAdd([kSecValuePersistentRef: bytes], nil) == errSecParam)
            }
        }
    }
}
