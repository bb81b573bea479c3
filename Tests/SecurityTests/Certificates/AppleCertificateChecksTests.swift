import Foundation
import LatchkeyTesting
import Security
import TestSupport
import Testing

/// Apple's own regression tests of certificates, identities and files, as facts: si-42-identity, si-61-pkcs12,
/// SecPKCS12Tests and si-68-secmatchissuer. The certificates are ours.
@Suite(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"))
struct AppleCertificateChecksTests {
    private let some = SomeCertificates.shared

    private func find(_ query: [CFString: Any]) -> (status: OSStatus, result: CFTypeRef?) {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, result)
    }

    private func add(_ item: [CFString: Any]) -> (status: OSStatus, result: CFTypeRef?) {
        var result: CFTypeRef?
        let status = SecItemAdd(item as CFDictionary, &result)
        return (status, result)
    }

    private func delete(_ query: [CFString: Any]) -> OSStatus { SecItemDelete(query as CFDictionary) }

    /// Left out are four checks of retain counts.
    @Test func si42Identity() throws {
        var checks = AppleChecks()
        let source = SomeCertificates.identity(some.personArchive, "")
        let (certificate, key) = (source.leaf, source.key)
        let digest = try #require(key.attributes[kSecAttrApplicationLabel] as? Data)
        try SimulatedDevice().run {
            checks.ok(SecCertificateCreateWithData(nil, certificate.der as CFData) != nil)
            checks.ok(key.external != nil)
            checks.ok(add([kSecValueRef: certificate]).status == errSecSuccess)
            checks.ok(add([kSecValueRef: key]).status == errSecSuccess)
            let identity = try #require(SecIdentityCreate(nil, certificate, key))
            checks.ok(identity == source)

            let foundKey = find([kSecClass: kSecClassKey, kSecAttrApplicationLabel: digest, kSecReturnRef: true])
            checks.ok(foundKey.status == errSecSuccess)
            checks.ok(CFEqual(foundKey.result, key))
            let foundCertificate = find(cert([kSecAttrPublicKeyHash: digest, kSecReturnRef: true]))
            checks.ok(foundCertificate.status == errSecSuccess)
            checks.ok(CFEqual(foundCertificate.result, certificate))
            let query: [CFString: Any] = [
                kSecClass: kSecClassIdentity, kSecAttrApplicationLabel: digest, kSecReturnRef: true,
            ]
            let found = find(query)
            checks.ok(found.status == errSecSuccess)
            checks.ok(found.result != nil)
            checks.ok(CFEqual(found.result, identity))
            var again: SecCertificate?
            checks.ok(SecIdentityCopyCertificate(identity, &again) == errSecSuccess)
            checks.ok(CFEqual(again, certificate))

            for object in [certificate, key] as [AnyObject] {
                checks.ok(delete([kSecValueRef: object]) == errSecSuccess)
                checks.ok(find([kSecValueRef: object]).status == errSecItemNotFound)
            }
            checks.ok(add([kSecValueRef: some.root]).status == errSecSuccess)

            let item: [CFString: Any] = [kSecValueRef: identity, kSecReturnPersistentRef: true]
            let added = add(item)
            checks.ok(added.status == errSecSuccess)
            checks.ok(added.result is Data)
            let twice = add(item)
            checks.ok(twice.status == errSecDuplicateItem)
            checks.ok(twice.result == nil)
            let reference = try #require(added.result as? Data)
            checks.ok(find([kSecReturnRef: true, kSecValuePersistentRef: reference]).status == errSecSuccess)
            for object in [identity, key, certificate] as [AnyObject] {
                let reference = find([kSecReturnPersistentRef: true, kSecValueRef: object])
                checks.ok(reference.status == errSecSuccess)
                checks.ok(reference.result is Data)
            }
            checks.ok(delete(item) == errSecSuccess)
            checks.ok(find([kSecReturnRef: true, kSecValuePersistentRef: reference]).status == errSecItemNotFound)
            let second = add(item)
            checks.ok(second.status == errSecSuccess)
            let persistent: [CFString: Any] = [kSecValuePersistentRef: second.result as Any]
            checks.ok(delete(persistent) == errSecSuccess)
            checks.ok(find(persistent).status == errSecItemNotFound)

            checks.ok(add([kSecValueRef: identity, kSecAttrLabel: "zomg"]).status == errSecSuccess)
            checks.ok(find([kSecClass: kSecClassIdentity, kSecAttrLabel: "zomg"]).status == errSecSuccess)
            let labeled = find(cert([kSecAttrLabel: "zomg", kSecReturnRef: true]))
            checks.ok(labeled.status == errSecSuccess)
            let labeledKey = find([kSecClass: kSecClassKey, kSecAttrLabel: "zomg", kSecReturnRef: true])
            checks.ok(labeledKey.status == errSecSuccess)
            let label = [kSecAttrLabel: "zzzomg"] as CFDictionary
            checks.ok(SecItemUpdate([kSecValueRef: labeledKey.result as Any], label) == errSecSuccess)
            func named(_ label: String) -> [CFString: Any] {
                [kSecReturnRef: true, kSecAttrLabel: label, kSecClass: kSecClassIdentity]
            }
            checks.ok(find(named("zomg")).status == errSecSuccess)
            checks.ok(SecItemUpdate([kSecValueRef: labeled.result as Any], label) == errSecSuccess)
            checks.ok(find(named("zomg")).status == errSecItemNotFound)
            let renamed = find(named("zzzomg"))
            checks.ok(renamed.status == errSecSuccess)
            let sequence = try #require(SecCertificateCopyNormalizedIssuerSequence(certificate)) as Data
            for name in [sequence.dropFirst(2), sequence] {
                let byIssuer = find([kSecAttrIssuer: Data(name), kSecClass: kSecClassIdentity, kSecReturnRef: true])
                checks.ok(byIssuer.status == errSecSuccess)
                checks.ok(CFEqual(byIssuer.result, renamed.result))
            }
            checks.ok(delete(named("zzzomg")) == errSecSuccess)
            checks.ok(delete([kSecValueRef: some.root]) == errSecSuccess)

            // A key that does not fit.
            checks.ok(SecIdentityCreate(nil, certificate, key) != nil)
            checks.ok(SecIdentityCreate(nil, certificate, SomeKeys.rsa2048) == nil)
        }
        #expect(checks.taken == 52)
    }

    /// Apple's files are an RSA key, another one, a key on P-256 and one on P-521.
    @Test(arguments: [CertificateMaker.Key.rsa(2048), .rsa(3072), .ec("P-256"), .ec("P-521")])
    func si61PKCS12(_ type: CertificateMaker.Key) throws {
        var checks = AppleChecks()
        let maker = try CertificateMaker()
        try maker.make("user", key: type)
        let file = try maker.archive("user", passphrase: "user") as CFData
        var items: CFArray?
        checks.ok(SecPKCS12Import(file, [:], &items) == errSecAuthFailed)
        checks.ok(SecPKCS12Import(file, [kSecImportExportPassphrase: "user"], &items) == errSecSuccess)
        checks.ok(items?.count == 1)
        let first = try #require((items as? [[String: Any]])?.first)
        let identity = try #require(first[kSecImportItemIdentity as String] as? SecIdentity)
        checks.ok(CFGetTypeID(identity) == SecIdentityGetTypeID())
        var (key, certificate): (SecKey?, SecCertificate?)
        checks.ok(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
        checks.ok(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
        let privateKey = try #require(key)
        checks.ok(SecKeyCopyPublicKey(privateKey) != nil)
        let message = Data([0x80, 0xBE, 0xEF, 0xBA, 0xD0] + [UInt8](repeating: 0, count: 15))
        let algorithm: SecKeyAlgorithm =
            privateKey.does(.sign, .ecdsaSignatureMessageX962SHA256)
            ? .ecdsaSignatureMessageX962SHA256 : .rsaSignatureMessagePKCS1v15SHA256
        let signature = privateKey.sign(message, algorithm).result
        checks.ok(signature != nil)
        checks.ok(privateKey.publicHalf.verify(signature ?? Data(), of: message, algorithm).result)
        #expect(checks.taken == 9)
    }

    @Test func secPKCS12Tests() throws {
        var checks = AppleChecks()
        // testPKCS12ImportDuplicate
        for _ in 0..<2 {
            var items: CFArray?
            let options = [kSecImportExportPassphrase: SomeCertificates.passphrase] as CFDictionary
            checks.ok(SecPKCS12Import(some.leafArchive as CFData, options, &items) == errSecSuccess)
            checks.ok(items?.count == 1)
            let item = (items as? [[String: Any]])?.first ?? [:]
            checks.ok(item[kSecImportItemIdentity as String] is SecIdentity)
            checks.ok(item[kSecImportItemCertChain as String] is [SecCertificate])
        }
        // testPKCS12CertDecodeFailure: a certificate that is none to Apple's system, because its serial number is too long.
        let maker = try CertificateMaker()
        try maker.make("x")
        try maker.run([
            "req", "-x509", "-new", "-key", "x.key", "-subj", "/CN=x", "-out", "x.pem", "-set_serial",
            "0x" + String(repeating: "7", count: 80),
        ])
        let file = try maker.archive("x", passphrase: "x") as CFData
        var items: CFArray?
        checks.ok(SecPKCS12Import(file, [kSecImportExportPassphrase: "x"], &items) == errSecDecode)
        // testPKCS12ImportCertsOnly, on iOS
        let options = [kSecImportExportPassphrase: SomeCertificates.passphrase] as CFDictionary
        checks.ok(SecPKCS12Import(some.certificateArchive as CFData, options, &items) == errSecSuccess)
        checks.ok(items?.count == 0)
        #expect(checks.taken == 11)
    }

    @Test func si68SecMatchIssuer() throws {
        var checks = AppleChecks()
        let maker = try CertificateMaker()
        let authority = CertificateMaker.authority + ["subjectKeyIdentifier = hash"]
        func make(_ name: String, by issuer: String?, _ extensions: [String]) throws -> SecIdentity {
            try maker.make(name, by: issuer, subject: "/O=Organization/CN=\(name)", extensions)
            return SomeCertificates.identity(try maker.archive(name, passphrase: "x"), "x")
        }
        _ = try make("Root CA", by: nil, authority)
        let intermediate = try make("Intermediate CA", by: "Root CA", authority)
        let leaf = try make("Client", by: "Intermediate CA", ["keyUsage = digitalSignature"])
        SimulatedDevice().run {
            // In Apple's test one key has all certificates, so the intermediate's is an identity as well.
            checks.ok(add([kSecValueRef: intermediate]).status == errSecSuccess)
            checks.ok(add([kSecValueRef: leaf]).status == errSecSuccess)
            let issuer = SecCertificateCopyNormalizedIssuerSequence(intermediate.leaf).map { $0 as Data } ?? Data()
            checks.ok(issuer.count < 130)
            for (itemClass, limit) in [(kSecClassIdentity, kSecMatchLimitAll as Any), (kSecClassCertificate, 0x7FFF)] {
                let found = find([
                    kSecClass: itemClass, kSecReturnRef: true, kSecMatchLimit: limit, kSecMatchIssuers: [issuer],
                ])
                checks.ok(found.status == errSecSuccess)
                checks.ok((found.result as? [Any])?.count == 2)
            }
        }
        #expect(checks.taken == 7)
    }
}
