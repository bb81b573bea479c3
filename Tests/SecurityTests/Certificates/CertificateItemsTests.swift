import Foundation
import KeyKit
import LatchkeyTesting
import Security
import TestSupport
import Testing

/// Certificates and identities in the keychain.
@Suite(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"))
struct CertificateItemsTests {
    private let some = SomeCertificates.shared
    private let device = SimulatedDevice()

    private func add(_ item: [CFString: Any]) -> OSStatus { SecItemAdd(item as CFDictionary, nil) }
    private func delete(_ query: [CFString: Any]) -> OSStatus { SecItemDelete(query as CFDictionary) }

    private func find(_ query: [CFString: Any]) -> (status: OSStatus, result: CFTypeRef?) {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, result)
    }

    private func count(_ itemClass: CFString) -> Int {
        let (_, result) = find([kSecClass: itemClass, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true])
        return (result as? [Any])?.count ?? 0
    }

    private func identities(_ more: [CFString: Any] = [:]) -> [SecIdentity] {
        let query: [CFString: Any] = [
            kSecClass: kSecClassIdentity, kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll,
        ]
        return find(query.with(more)).result as? [SecIdentity] ?? []
    }

    // MARK: - Certificates

    @Test func aCertificateIsStoredWithApplesColumns() throws {
        try device.run {
            #expect(add([kSecValueRef: some.leaf]) == errSecSuccess)
            let found = find(cert().attributes.data).result as? [String: Any]
            let row = try #require(found)
            #expect(row["ctyp"] as? Int == 3 && row["cenc"] as? Int == 3)
            #expect(row["labl"] as? String == "Some Name")
            #expect(row["v_Data"] as? Data == some.leaf.der)
            let issuer = try #require(SecCertificateCopyNormalizedIssuerSequence(some.leaf)) as Data
            #expect(row["issr"] as? Data == issuer.dropFirst(2))
            let subject = try #require(SecCertificateCopyNormalizedSubjectSequence(some.leaf)) as Data
            #expect(row["subj"] as? Data == subject.dropFirst(2))
            #expect(row["slnr"] as? Data == SecCertificateCopySerialNumberData(some.leaf, nil) as Data?)
            let key = try #require(SecCertificateCopyKey(some.leaf))
            #expect(row["pkhh"] as? Data == key.attributes[kSecAttrApplicationLabel] as? Data)
            #expect(row["skid"] as? Data == row["pkhh"] as? Data)
            #expect(row["pdmn"] as? String == kSecAttrAccessibleAlways as String)
            // The name of the issuer is also found as it stands in a certificate, with the head of its sequence.
            for name in [issuer, Data(issuer.dropFirst(2))] {
                #expect(find(cert([kSecAttrIssuer: name])).status == errSecSuccess)
            }
        }
    }

    @Test func attributesOfTheDictionaryWin() {
        device.run {
            let item: [CFString: Any] = [
                kSecValueRef: some.leaf, kSecAttrLabel: "mine", kSecAttrSubject: Data("s".utf8),
            ]
            #expect(add(item.under(kSecAttrAccessibleWhenUnlocked)) == errSecSuccess)
            let found = find(cert().attributes).result as? [String: Any]
            #expect(found?["labl"] as? String == "mine" && found?["subj"] as? Data == Data("s".utf8))
            #expect(found?["pdmn"] as? String == "ak")
            #expect(add([kSecValueRef: some.leaf]) == errSecDuplicateItem)
        }
    }

    @Test func aCertificateIsFoundAsAnObject() {
        device.run {
            for certificate in [some.leaf, some.authority, some.root] {
                #expect(add([kSecValueRef: certificate]) == errSecSuccess)
            }
            #expect(find(cert([kSecAttrLabel: "Some Name"]).object).result as? SecCertificate == some.leaf)
            let all = find(cert().object.all).result as? [SecCertificate] ?? []
            #expect(Set(all) == [some.leaf, some.authority, some.root])
            let found = find(cert([kSecAttrLabel: "root"]).object.attributes).result as? [String: Any]
            #expect(found?["v_Ref"] as? SecCertificate == some.root && found?["class"] as? String == "cert")
            #expect(found?["v_Data"] == nil)
            let reference = find([kSecValueRef: some.root, kSecReturnPersistentRef: true]).result as? Data
            #expect(
                find([kSecValuePersistentRef: reference as Any, kSecReturnRef: true]).result as? SecCertificate
                    == some.root)
            #expect(delete([kSecValueRef: some.root]) == errSecSuccess)
            #expect(find([kSecValueRef: some.root]).status == errSecItemNotFound)
            #expect(SecItemUpdate([kSecValueRef: some.leaf], [kSecAttrLabel: "new"]) == errSecSuccess)
            #expect(find(cert([kSecAttrLabel: "new"]).object).result as? SecCertificate == some.leaf)
        }
    }

    /// Bytes have no columns but those that the app gives, as on Apple's platforms.
    @Test func bytesBecomeACertificateWhenTheyAreFound() {
        device.run {
            #expect(add(cert([kSecValueData: some.leaf.der])) == errSecSuccess)
            #expect(find(cert().object).result as? SecCertificate == some.leaf)
            #expect(add(cert([kSecValueData: some.root.der])) == errSecDuplicateItem)
            #expect(add(cert([kSecValueData: Data("junk".utf8), kSecAttrSerialNumber: Data([1])])) == errSecSuccess)
            let junk = find(cert([kSecAttrSerialNumber: Data([1])]).object)
            #expect(junk.status == errSecSuccess && junk.result == nil)
            #expect((find(cert().object.all).result as? [SecCertificate])?.count == 1)
        }
    }

    @Test func aCertificateBehindAPolicyAsks() {
        device.run {
            #expect(add([kSecValueRef: some.leaf].guarded(by: .biometryAny)) == errSecSuccess)
            #expect(find(cert().object.failing).status == errSecInteractionNotAllowed)
            #expect(device.prompts.isEmpty)
            #expect(find(cert().object).result as? SecCertificate == some.leaf)
            #expect(device.prompts.count == 1)
        }
    }

    // MARK: - Conditions

    @Test func conditionsLookIntoCertificates() {
        device.run {
            for certificate in [some.leaf, some.authority, some.root, some.person] {
                #expect(add([kSecValueRef: certificate]) == errSecSuccess)
            }
            func labels(_ match: [CFString: Any]) -> Set<String> {
                let rows = find(cert(match).attributes.all).result as? [[String: Any]] ?? []
                return Set(rows.compactMap { $0["labl"] as? String })
            }
            #expect(labels([:]).count == 4)
            #expect(labels([kSecMatchEmailAddressIfPresent: "ONE@example.com"]) == ["Person"])
            #expect(labels([kSecMatchEmailAddressIfPresent: "three@example.com"]) == [])
            #expect(labels([kSecMatchValidOnDate: SomeCertificates.day]).count == 4)
            #expect(
                labels([kSecMatchValidOnDate: Date(timeIntervalSince1970: 1_800_000_000)]) == ["authority", "root"])
            #expect(labels([kSecMatchValidOnDate: NSNull()]).isSuperset(of: ["authority", "root"]))
            #expect(labels([kSecMatchIssuers: [some.authorityName]]) == ["Some Name"])
            let root = SecCertificateCopyNormalizedSubjectSequence(some.root).map { $0 as Data } ?? Data()
            #expect(labels([kSecMatchIssuers: [root, "x", Data([1])]]) == ["Some Name", "authority", "root"])
            #expect(labels([kSecMatchIssuers: ["x"]]).count == 4 && labels([kSecMatchIssuers: "x"]).count == 4)
            let server = SecPolicyCreateSSL(true, "example.com" as CFString)
            let day = [kSecMatchValidOnDate: SomeCertificates.day as Any]
            #expect(labels(day.with([kSecMatchPolicy: server])) == ["Some Name"])
            #expect(labels(day.with([kSecMatchPolicy: SecPolicyCreateSSL(true, "x" as CFString)])) == [])
            #expect(labels(day.with([kSecMatchPolicy: SecPolicyCreateBasicX509()])) == [])
            #expect(labels([kSecMatchTrustedOnly: true]) == [] && labels([kSecMatchTrustedOnly: false]).count == 4)
            #expect(labels([kSecMatchSubjectContains: "nothing"]).count == 4)
            #expect(find(cert([kSecMatchTrustedOnly: true])).status == errSecItemNotFound)
            // The limit counts what satisfies the conditions.
            let one = find(cert([kSecMatchIssuers: [root]]).attributes.upTo(2)).result as? [Any]
            #expect(one?.count == 2)
        }
    }

    // MARK: - Identities

    @Test func anIdentityIsAJoin() throws {
        let identity = SomeCertificates.identity(some.leafArchive)
        try device.run {
            #expect(add([kSecValueRef: identity]) == errSecSuccess)
            #expect(count(kSecClassCertificate) == 1 && count(kSecClassKey) == 1)
            #expect(identities() == [identity])
            // A second certificate of the key is a second identity.
            #expect(add([kSecValueRef: some.renewed]) == errSecSuccess)
            #expect(
                Set(identities().map { SecCertificateCopySubjectSummary($0.leaf) as String? }) == [
                    "Some Name", "renewed",
                ])
            #expect(identities([kSecAttrLabel: "renewed"]).first?.leaf == some.renewed)
            let hash = try #require(someHash(identity))
            #expect(identities([kSecAttrApplicationLabel: hash]).count == 2)
            #expect(identities([kSecAttrApplicationLabel: Data(count: 20)]).isEmpty)
            #expect(identities([kSecMatchIssuers: [some.authorityName]]).count == 2)
            #expect(identities([kSecMatchLimit: 1, kSecMatchSubjectContains: "x"]).isEmpty)  // one result is no list
            #expect(find([kSecClass: kSecClassIdentity, kSecReturnRef: true]).result is SecIdentity)
            // A certificate or a key alone is none.
            #expect(delete(key()) == errSecSuccess)
            #expect(identities().isEmpty && find([kSecClass: kSecClassIdentity]).status == errSecItemNotFound)
        }
    }

    @Test func anIdentityHasTheAttributesOfBoth() throws {
        let identity = SomeCertificates.identity(some.leafArchive)
        try device.run {
            #expect(add([kSecValueRef: identity, kSecAttrLabel: "both"]) == errSecSuccess)
            let query: [CFString: Any] = [kSecClass: kSecClassIdentity]
            let result = find(query.attributes.data.object.reference).result as? [String: Any]
            let found = try #require(result)
            #expect(found["pkhh"] as? Data == found["klbl"] as? Data)
            #expect(found["labl"] as? String == "both" && found["class"] as? String == "idnt")
            #expect(found["v_Ref"] as? SecIdentity == identity && found["certdata"] as? Data == some.leaf.der)
            #expect(found["v_Data"] as? Data == identity.key.external)
            let reference = try #require(found["v_PersistentRef"] as? Data)
            #expect(reference.prefix(4) == Data("idnt".utf8))
            #expect(find(query.reference).result as? Data == reference)
            #expect(find(query.data).result as? Data == identity.key.external)
            #expect(find(query.object.reference).result as? [String: Any] != nil)
            let pair = find(query.object.reference).result as? [String: Any]
            #expect(pair?["v_Ref"] as? SecIdentity == identity && pair?["v_PersistentRef"] as? Data == reference)
            let bytes = find(query.data.reference).result as? [String: Any]
            #expect(bytes?["v_Data"] as? Data == identity.key.external)
            #expect(find(item(reference).object).result as? SecIdentity == identity)
            #expect(find(item(reference).attributes).result as? [String: Any] != nil)
            #expect(find(query).status == errSecSuccess && find(query).result == nil)
            #expect(find(query.attributes.with([kSecMatchLimit: 0])).status == errSecItemNotFound)
        }
    }

    @Test func aKeyStaysWhileACertificateNeedsIt() {
        let identity = SomeCertificates.identity(some.leafArchive)
        device.run {
            #expect(
                add([kSecValueRef: identity]) == errSecSuccess && add([kSecValueRef: some.renewed]) == errSecSuccess)
            #expect(delete([kSecValueRef: identity]) == errSecSuccess)
            #expect(count(kSecClassKey) == 1 && count(kSecClassCertificate) == 1)
            #expect(delete([kSecValueRef: identity]) == errSecItemNotFound)
            let reference = find([kSecClass: kSecClassIdentity, kSecReturnPersistentRef: true]).result as? Data
            #expect(delete([kSecValuePersistentRef: reference as Any]) == errSecSuccess)
            #expect(count(kSecClassKey) == 0 && count(kSecClassCertificate) == 0)
            #expect(find([kSecValuePersistentRef: reference as Any]).status == errSecItemNotFound)
            #expect(delete([kSecValuePersistentRef: reference as Any]) == errSecItemNotFound)
        }
    }

    @Test func theClassMeansAllCertificatesAndKeys() {
        let identity = SomeCertificates.identity(some.leafArchive)
        device.run {
            #expect(add([kSecValueRef: identity]) == errSecSuccess && add([kSecValueRef: some.root]) == errSecSuccess)
            #expect(SecItemUpdate([kSecClass: kSecClassIdentity], [kSecAttrLabel: "all"]) == errSecSuccess)
            #expect(find(cert([kSecAttrLabel: "all"]).object.all).result as? [Any] != nil)
            #expect(find(key([kSecAttrLabel: "all"])).status == errSecSuccess)
            #expect(SecItemUpdate([kSecValueRef: identity], [kSecAttrLabel: "one"]) == errSecSuccess)
            #expect(identities([kSecAttrLabel: "one"]) == [identity])
            #expect(delete([kSecClass: kSecClassIdentity, kSecAttrApplicationTag: Data()]) == errSecNoSuchAttr)
            #expect(delete([kSecClass: kSecClassIdentity]) == errSecSuccess)
            #expect(count(kSecClassCertificate) == 0 && count(kSecClassKey) == 0)
            #expect(delete([kSecClass: kSecClassIdentity]) == errSecItemNotFound)
            #expect(add([kSecClass: kSecClassIdentity, kSecValueData: Data()]) == errSecParam)
        }
    }

    @Test func onlyAPrivateKeyMakesAnIdentity() throws {
        let identity = SomeCertificates.identity(some.leafArchive)
        try device.run {
            #expect(add([kSecValueRef: some.leaf]) == errSecSuccess)
            #expect(add([kSecValueRef: identity.key.publicHalf]) == errSecSuccess)
            #expect(identities().isEmpty)
            // The bytes of a key do not say that they are private.
            let hash = try #require(someHash(identity))
            let bytes = key([
                kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrKeyType: kSecAttrKeyTypeEC,
                kSecAttrApplicationLabel: hash, kSecValueData: try #require(identity.key.external),
            ])
            #expect(add(bytes) == errSecSuccess)
            #expect(identities().isEmpty)
            #expect(delete(key([kSecAttrKeyClass: kSecAttrKeyClassPrivate])) == errSecSuccess)
            #expect(add([kSecValueRef: identity.key]) == errSecSuccess)
            #expect(identities() == [identity])
            var found: SecIdentity?
            #expect(SecIdentityCreateWithCertificate(nil, some.renewed, &found) == errSecSuccess)
            #expect(found?.leaf == some.renewed)
            #expect(SecIdentityCreateWithCertificate(nil, some.root, &found) == errSecItemNotFound)
        }
    }

    @Test func anIdentityBehindAPolicyAsksForItsKey() {
        let identity = SomeCertificates.identity(some.leafArchive)
        device.run {
            #expect(add([kSecValueRef: some.leaf]) == errSecSuccess)
            #expect(add([kSecValueRef: identity.key].guarded(by: .biometryAny)) == errSecSuccess)
            let query: [CFString: Any] = [kSecClass: kSecClassIdentity]
            #expect(find(query.object.failing).status == errSecInteractionNotAllowed)
            #expect(find(query.object.skipping).status == errSecItemNotFound)
            #expect(device.prompts.isEmpty)
            #expect(find(query.object).result as? SecIdentity == identity)
            #expect(device.prompts.count == 1)
            device.clearRecords()
            let reference = find(query.reference)
            #expect(reference.status == errSecSuccess)
            device.clearRecords()
            #expect(delete([kSecValuePersistentRef: reference.result as Any]) == errSecSuccess)
            #expect(device.prompts.isEmpty && count(kSecClassKey) == 0)
        }
    }

    @Test func aLockedKeyIsReported() {
        let identity = SomeCertificates.identity(some.leafArchive)
        device.run {
            #expect(add([kSecValueRef: identity]) == errSecSuccess)
            device.lock()
            device.advance(by: .seconds(11))
            #expect(find([kSecClass: kSecClassIdentity, kSecReturnRef: true]).status == errSecInteractionNotAllowed)
            #expect(find(cert().object).result as? SecCertificate == some.leaf)
            device.unlock(passcode: "1234")
            #expect(identities() == [identity])
        }
    }

    @Test func anotherAppsIdentityIsNotFound() {
        let identity = SomeCertificates.identity(some.leafArchive)
        device.run {
            #expect(add([kSecValueRef: identity]) == errSecSuccess)
            device.app = App(identifier: "com.example.other")
            #expect(identities().isEmpty)
            #expect(
                find([kSecClass: kSecClassIdentity, kSecAttrAccessGroup: "another"]).status == errSecMissingEntitlement)
            #expect(delete([kSecValueRef: identity]) == errSecItemNotFound)
        }
    }

    /// The certificate of a key that never leaves the enclave.
    @Test func anIdentityOfTheEnclaveAsksWhenItSigns() throws {
        let maker = try CertificateMaker()
        try maker.make("issuer", CertificateMaker.authority)
        try device.run {
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
                kSecPrivateKeyAttrs: [
                    kSecAttrIsPermanent: true,
                    kSecAttrAccessControl: access([.privateKeyUsage, .biometryCurrentSet]),
                ],
            ]
            let enclaveKey = try #require(generate(parameters).key)
            let point = try #require(enclaveKey.publicHalf.external)
            let publicKey = try PublicKey(externalRepresentation: point.bytes, .ec)
            let der = try maker.certify(publicKey: publicKey.pem(), by: "issuer", subject: "/CN=enclave")
            let certificate = try #require(SecCertificateCreateWithData(nil, der as CFData))
            let identity = try #require(SecIdentityCreate(nil, certificate, enclaveKey))
            #expect(
                add([kSecValueRef: identity]) == errSecSuccess && add([kSecValueRef: identity]) == errSecDuplicateItem)
            let found = try #require(identities().first)
            #expect(found == identity && device.prompts.isEmpty)
            let message = Data("challenge".utf8)
            let signature = try #require(found.key.sign(message, .ecdsaSignatureMessageX962SHA256).result)
            #expect(device.prompts.count == 1)
            let certified = try #require(SecCertificateCopyKey(found.leaf))
            #expect(certified.verify(signature, of: message, .ecdsaSignatureMessageX962SHA256).result)
            #expect(delete([kSecValueRef: identity]) == errSecSuccess && identities().isEmpty)
            #expect(count(kSecClassKey) == 0)
        }
    }

    private func someHash(_ identity: SecIdentity) -> Data? {
        identity.key.attributes[kSecAttrApplicationLabel] as? Data
    }
}

extension SecIdentity {
    var leaf: SecCertificate {
        var certificate: SecCertificate?
        guard SecIdentityCopyCertificate(self, &certificate) == errSecSuccess, let certificate else {
            preconditionFailure("every identity has a certificate")
        }
        return certificate
    }

    var key: SecKey {
        var key: SecKey?
        guard SecIdentityCopyPrivateKey(self, &key) == errSecSuccess, let key else {
            preconditionFailure("every identity has a key")
        }
        return key
    }
}
