import Foundation
import LatchkeyTesting
import Security
import TestSupport
import Testing

/// Files that `openssl pkcs12` makes, imported as on iOS.
@Suite(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"))
struct PKCS12ImportTests {
    private let some = SomeCertificates.shared

    private func open(
        _ file: Data, _ options: [CFString: Any]
    ) -> (status: OSStatus, items: [[String: Any]]?) {
        var items: CFArray?
        let status = SecPKCS12Import(file as CFData, options as CFDictionary, &items)
        return (status, items as? [[String: Any]])
    }

    private func open(_ file: Data, _ passphrase: Any) -> (status: OSStatus, items: [[String: Any]]?) {
        open(file, [kSecImportExportPassphrase: passphrase])
    }

    @Test func anIdentityComesWithItsChain() throws {
        let (status, items) = open(some.leafArchive, SomeCertificates.passphrase)
        #expect(status == errSecSuccess)
        let item = try #require(items?.first)
        #expect(items?.count == 1)
        #expect(Set(item.keys) == ["identity", "trust", "chain"])
        #expect(item[kSecImportItemIdentity as String] is SecIdentity)
        #expect(item[kSecImportItemCertChain as String] as? [SecCertificate] == [some.leaf, some.authority, some.root])
        let trust = try #require(item[kSecImportItemTrust as String] as? SecTrust)
        #expect(SecTrustCopyCertificateChain(trust) as? [SecCertificate] == [some.leaf, some.authority, some.root])
        var result = SecTrustResultType.invalid
        #expect(SecTrustGetTrustResult(trust, &result) == errSecSuccess && result == .recoverableTrustFailure)
    }

    @Test func thePassphraseMatters() {
        #expect(open(some.leafArchive, "x").status == errSecAuthFailed)
        #expect(open(some.leafArchive, [:]).status == errSecAuthFailed)
        #expect(open(some.leafArchive, "x").items == nil)
        #expect(open(some.leafArchive, SomeCertificates.passphrase as NSString).status == errSecSuccess)
        // Without a passphrase, it is the empty text.
        #expect(open(some.personArchive, [:]).items?.count == 1)
        #expect(open(some.personArchive, "").items?.count == 1)
        #expect(open(some.personArchive, "x").status == errSecAuthFailed)
    }

    @Test func filesOfOldMacsAreOpened() throws {
        let identity = SomeCertificates.identity(some.oldArchive)
        var key: SecKey?
        SecIdentityCopyPrivateKey(identity, &key)
        let message = Data("message".utf8)
        let signature = try #require(key?.sign(message, .rsaSignatureMessagePKCS1v15SHA256).result)
        let publicKey = try #require(SecCertificateCopyKey(some.person))
        #expect(publicKey.verify(signature, of: message, .rsaSignatureMessagePKCS1v15SHA256).result)
    }

    @Test func certificatesAloneAreLeftOut() {
        let (status, items) = open(some.certificateArchive, SomeCertificates.passphrase)
        #expect(status == errSecSuccess && items?.isEmpty == true)
    }

    @Test func whatIsNoFileIsADecodingError() {
        for file in [Data(), Data([0x30]), Data([0x30, 0x80]), some.leaf.der, some.leafArchive.dropLast()] {
            #expect(open(file, "x").status == errSecDecode)
        }
        #expect(open(Data(count: 2 << 20), "x").status == errSecDecode)
        #expect(open(some.leafArchive, 7).status == errSecAuthFailed)
    }

    /// A file can demand any number of rounds of key stretching.
    @Test func aBombIsADecodingError() throws {
        let maker = try CertificateMaker()
        try maker.make("x")
        var file = try maker.archive("x", passphrase: "x", ["-iter", "300000"])
        // The rounds of the code that protects the archive are its last number.
        let place = file.count - 3
        try #require(Array(file[place...]) == [0x04, 0x93, 0xE0])
        file[place] = 0x7F
        let start = ContinuousClock.now
        #expect(open(file, "x").status == errSecDecode)
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test func nothingGoesIntoTheKeychainUnlessAsked() {
        SimulatedDevice().run {
            #expect(open(some.leafArchive, SomeCertificates.passphrase).status == errSecSuccess)
            for itemClass in [kSecClassIdentity, kSecClassCertificate, kSecClassKey] {
                #expect(SecItemCopyMatching([kSecClass: itemClass], nil) == errSecItemNotFound)
            }
            let options: [CFString: Any] = [
                kSecImportExportPassphrase: SomeCertificates.passphrase, kSecUseDataProtectionKeychain: true,
                kSecAttrLabel: "imported",
            ]
            for _ in 0..<2 {
                #expect(open(some.leafArchive, options).status == errSecSuccess)
                var found: CFTypeRef?
                let identities: [CFString: Any] = [
                    kSecClass: kSecClassIdentity, kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll,
                    kSecAttrLabel: "imported",
                ]
                #expect(SecItemCopyMatching(identities as CFDictionary, &found) == errSecSuccess)
                #expect(found as? [SecIdentity] == [SomeCertificates.identity(some.leafArchive)])
                let certificates: [CFString: Any] = [
                    kSecClass: kSecClassCertificate, kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll,
                ]
                #expect(SecItemCopyMatching(certificates as CFDictionary, &found) == errSecSuccess)
                #expect(Set(found as? [SecCertificate] ?? []) == [some.leaf, some.authority, some.root])
            }
        }
    }
}
