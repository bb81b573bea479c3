import Foundation
import LatchkeyTesting
import Security
import Testing

/// Calls that need certificates or identities as objects answer that this is not implemented.
@Suite struct KeysTests {
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
        #expect(SecCertificateCreateWithData(nil, Data([0x30]) as CFData) == nil)
        #expect(SecCertificateCopySubjectSummary(SecCertificate()) == nil)
        #expect(SecCertificateCopyKey(SecCertificate()) == nil)
        #expect(SecCertificateCopyData(SecCertificate()).length == 0)
    }

    @Test(arguments: [kSecClassCertificate, kSecClassIdentity] as [String])
    func anObjectInADictionaryIsNotImplementedEither(_ itemClass: String) {
        SimulatedDevice().run {
            #expect(SecItemAdd([kSecClass: itemClass, kSecValueRef: SecCertificate()], nil) == errSecUnimplemented)
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

}
