import Foundation
import LatchkeyTesting
import Security
import Testing

/// Calls that need keys, certificates or identities as objects answer that this is not implemented.
@Suite struct KeysTests {
    private static let key = SecKey()

    private static let calls: [@Sendable (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Bool] = [
        { SecKeyCreateRandomKey([kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048], $0) != nil },
        { SecKeyCreateWithData(Data([1, 2, 3]) as CFData, [:], $0) != nil },
        { SecKeyCopyExternalRepresentation(key, $0) != nil },
        { SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, CFData(), $0) != nil },
        { SecKeyVerifySignature(key, .rsaSignatureMessagePKCS1v15SHA256, CFData(), CFData(), $0) },
        { SecKeyCreateEncryptedData(key, .eciesEncryptionCofactorVariableIVX963SHA256AESGCM, CFData(), $0) != nil },
        { SecKeyCreateDecryptedData(key, .rsaEncryptionOAEPSHA256, CFData(), $0) != nil },
        {
            let parameters = [SecKeyKeyExchangeParameter.requestedSize.rawValue as String: 32]
            return SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, key, parameters as CFDictionary, $0)
                != nil
        },
    ]

    @Test(arguments: calls.indices) func aCallWithAnErrorSaysSo(_ index: Int) throws {
        var error: Unmanaged<CFError>?
        #expect(!Self.calls[index](&error))
        let told = try #require(error?.takeRetainedValue())
        #expect(told.domain == NSOSStatusErrorDomain && told.code == Int(errSecUnimplemented))
        #expect(told.localizedDescription == "Function or operation not implemented.")
    }

    @Test func aCallWithAStatusSaysSo() {
        var certificate: SecCertificate?
        var key: SecKey?
        var name: CFString?
        var items: CFArray?
        #expect(SecIdentityCopyCertificate(SecIdentity(), &certificate) == errSecUnimplemented)
        #expect(SecIdentityCopyPrivateKey(SecIdentity(), &key) == errSecUnimplemented)
        #expect(SecCertificateCopyCommonName(SecCertificate(), &name) == errSecUnimplemented)
        #expect(SecPKCS12Import(CFData(), [kSecImportExportPassphrase: "x"], &items) == errSecUnimplemented)
        #expect(certificate == nil && key == nil && name == nil && items == nil)
    }

    @Test func whatCanSayNothingGivesNothing() {
        #expect(SecKeyCopyPublicKey(Self.key) == nil)
        #expect(SecKeyCopyAttributes(Self.key) == nil)
        #expect(SecKeyGetBlockSize(Self.key) == 0)
        for operation in [SecKeyOperationType.sign, .verify, .encrypt, .decrypt, .keyExchange] {
            #expect(!SecKeyIsAlgorithmSupported(Self.key, operation, .ecdsaSignatureMessageX962SHA256))
        }
        #expect(SecCertificateCreateWithData(nil, Data([0x30]) as CFData) == nil)
        #expect(SecCertificateCopySubjectSummary(SecCertificate()) == nil)
        #expect(SecCertificateCopyKey(SecCertificate()) == nil)
        #expect(SecCertificateCopyData(SecCertificate()).length == 0)
    }

    @Test(arguments: [kSecClassKey, kSecClassCertificate, kSecClassIdentity] as [String])
    func anObjectInADictionaryIsNotImplementedEither(_ itemClass: String) {
        SimulatedDevice().run {
            #expect(SecItemAdd([kSecClass: itemClass, kSecValueRef: Self.key], nil) == errSecUnimplemented)
            #expect(SecItemCopyMatching([kSecClass: itemClass, kSecReturnRef: true], nil) == errSecItemNotFound)
            #expect(SecItemAdd([kSecClass: itemClass], nil) == errSecSuccess)
            #expect(SecItemCopyMatching([kSecClass: itemClass, kSecReturnRef: true], nil) == errSecUnimplemented)
            #expect(SecItemDelete([kSecClass: itemClass, kSecValueRef: SecIdentity()]) == errSecUnimplemented)
        }
    }

    /// The item is found without a prompt, although its policy needs biometry.
    @Test func anObjectThatWouldHaveToAskIsThereAndNotImplemented() {
        let device = SimulatedDevice()
        device.run {
            var query = cert(["slnr": Data("1".utf8)])
            #expect(SecItemAdd(query.guarded(by: .biometryAny) as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemCopyMatching(query.object as CFDictionary, nil) == errSecUnimplemented)
            #expect(SecItemCopyMatching(query.object.skipping as CFDictionary, nil) == errSecItemNotFound)
            query["agrp"] = "another"
            #expect(SecItemCopyMatching(query.object as CFDictionary, nil) == errSecMissingEntitlement)
            #expect(device.prompts.isEmpty)
        }
    }

    /// Semantics 4.2: an item without an access control allows everything, so the bytes of a private key can be read.
    @Test func thePrivateKeyThatIsStoredAsBytesComesBack() {
        let device = SimulatedDevice()
        let play = Play(device: device)
        device.run {
            for name in [kSecAttrKeyClassPrivate as Any, 1, "1"] {
                let query: [CFString: Any] = [
                    kSecClass: kSecClassKey, kSecAttrKeyClass: name, kSecAttrApplicationTag: "t",
                ]
                #expect(play.add(query.holding("bytes")) == "0")
                #expect(play.copy(query.data) == "0 bytes" && play.delete(query) == "0")
                #expect(play.add(query.holding("bytes").guarded(by: .biometryAny)) == "0")
                #expect(play.copy(query.data.failing) == "-25308" && play.copy(query.data) == "0 bytes")
                #expect(play.delete(query) == "0")
            }
        }
    }

    @Test func anAlgorithmIsApplesText() {
        #expect(SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA256.rawValue == "algid:keyexchange:ECDHC:KDFX963:SHA256")
        #expect(SecKeyAlgorithm(rawValue: "algid:sign:RSA:raw") == .rsaSignatureRaw)
        #expect(SecKeyOperationType(rawValue: 4) == .keyExchange)
    }
}
