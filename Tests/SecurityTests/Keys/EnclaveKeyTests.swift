import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Keys in the Secure Enclave: found without a prompt, used with one, and never read.
@Suite struct EnclaveKeyTests {
    private static let message = Data("challenge".utf8)
    private static let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
    private static let tag = Data("com.example.key".utf8)

    private static func parameters(
        _ flags: SecAccessControlCreateFlags = [.privateKeyUsage, .biometryCurrentSet], _ more: [CFString: Any] = [:]
    ) -> [CFString: Any] {
        let ofPrivateKey: [CFString: Any] = [
            kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag,
            kSecAttrAccessControl: access(flags, kSecAttrAccessibleWhenUnlockedThisDeviceOnly),
        ]
        return [
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits: 256, kSecPrivateKeyAttrs: ofPrivateKey.with(more),
        ]
    }

    private static var query: [CFString: Any] { key([kSecAttrApplicationTag: tag]) }

    private static func found(_ more: [CFString: Any] = [:]) -> SecKey? {
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query.object.with(more) as CFDictionary, &found)
        return status == errSecSuccess ? found as? SecKey : nil
    }

    @Test func aBankSignsAChallengeAfterAFinger() throws {
        let device = SimulatedDevice()
        try device.run {
            let generated = try #require(generate(Self.parameters()).key)
            let reference = try #require(Self.found([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]))
            #expect(reference == generated && device.prompts.isEmpty)
            let signature = try #require(reference.sign(Self.message, Self.algorithm).result)
            #expect(device.prompts.map(\.factor) == [.biometry])
            let publicKey = try #require(SecKeyCopyPublicKey(reference))
            #expect(publicKey.verify(signature, of: Self.message, Self.algorithm).result)
            #expect(device.prompts.count == 1)

            device.enroll("left thumb")
            device.clearRecords()
            let orphan = try #require(Self.found())
            let (none, error) = orphan.sign(Self.message, Self.algorithm)
            #expect(none == nil && error?.domain == NSOSStatusErrorDomain && error?.code == Int(errSecParam))
            #expect(device.prompts.isEmpty)
            #expect(SecItemDelete(Self.query as CFDictionary) == errSecSuccess)
            #expect(generate(Self.parameters()).key?.sign(Self.message, Self.algorithm).result != nil)
        }
    }

    @Test func aKeyHasNoBytes() throws {
        try SimulatedDevice().run {
            let generated = try #require(generate(Self.parameters()).key)
            let (none, error) = told { SecKeyCopyExternalRepresentation(generated, $0) }
            #expect(none == nil && error?.code == Int(errSecUnimplemented))
            #expect(generated.attributes[kSecValueData] == nil)
            var found: CFTypeRef?
            #expect(SecItemCopyMatching(Self.query.data as CFDictionary, &found) == errSecSuccess && found == nil)
            #expect(
                SecItemCopyMatching(Self.query.data.attributes.object as CFDictionary, &found) == errSecSuccess)
            let result = try #require(found as? [String: Any])
            #expect(result[kSecValueData as String] == nil)
            #expect(CFEqual(result[kSecValueRef as String], generated))
            #expect(SecItemCopyMatching(Self.query.data.all as CFDictionary, &found) == errSecSuccess)
            #expect((found as? [Any])?.isEmpty == true)
        }
    }

    @Test func aKeyShowsTheseAttributes() throws {
        try SimulatedDevice().run {
            let generated = try #require(generate(Self.parameters()).key)
            let attributes = generated.attributes
            #expect(
                attributes.keys.map { $0 as String }.sorted() == [
                    "accc", "bsiz", "class", "decr", "drve", "encr", "esiz", "extr", "kcls", "klbl", "modi", "next",
                    "perm", "priv", "sign", "tkid", "toid", "type", "vrfy", "wrap",
                ])
            #expect(attributes[kSecAttrKeyClass] as? String == kSecAttrKeyClassPrivate as String)
            #expect(attributes[kSecAttrKeyType] as? String == kSecAttrKeyTypeECSECPrimeRandom as String)
            #expect(attributes[kSecAttrTokenID] as? String == kSecAttrTokenIDSecureEnclave as String)
            #expect(attributes[kSecAttrAccessControl] is SecAccessControl)
            #expect(
                attributes[kSecAttrApplicationLabel] as? Data
                    == generated.publicHalf.attributes[kSecAttrApplicationLabel] as? Data)
            #expect(SecKeyGetBlockSize(generated) == 32)
            #expect(Set(try #require(Self.found()).attributes.keys) == Set(attributes.keys))
        }
    }

    @Test func everyUseOfTheKeyPromptsAndNoUseOfThePublicKeyDoes() throws {
        let device = SimulatedDevice()
        try device.run {
            let key = try #require(generate(Self.parameters([.privateKeyUsage, .biometryAny])).key)
            let ecies = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
            let box = try #require(key.publicHalf.encrypt(Self.message, ecies).result)
            #expect(device.prompts.isEmpty)
            #expect(key.decrypt(box, ecies).result == Self.message && device.prompts.count == 1)
            let shared = key.agree(SomeKeys.p256.publicHalf, .ecdhKeyExchangeStandard).result
            #expect(shared != nil && device.prompts.count == 2)
            #expect(shared == SomeKeys.p256.agree(key.publicHalf, .ecdhKeyExchangeStandard).result)
            #expect(!key.does(.verify, Self.algorithm) && !key.does(.encrypt, ecies))
            #expect(key.does(.sign, .ecdsaSignatureDigestX962) && !key.does(.sign, .rsaSignatureRaw))
            // What cannot succeed prompts for nothing.
            device.clearRecords()
            #expect(key.sign(Data(count: 31), .ecdsaSignatureDigestX962SHA256).error?.code == Int(errSecParam))
            #expect(key.sign(Self.message, .rsaSignatureRaw).error?.code == Int(errSecParam))
            #expect(key.decrypt(Data(count: 20), ecies).error?.code == Int(errSecParam))
            #expect(device.prompts.isEmpty)
            #expect(key.decrypt(box.changed(at: -1), ecies).error?.code == Int(errSecParam))
        }
    }

    @Test func cancelingIsAnErrorOfLocalAuthentication() throws {
        let device = SimulatedDevice()
        try device.run {
            let key = try #require(generate(Self.parameters()).key)
            device.user = .absent
            let (none, error) = key.sign(Self.message, Self.algorithm)
            #expect(none == nil)
            #expect(error?.domain == LAErrorDomain && error?.code == LAError.userCancel.rawValue)
            #expect((error as? LAError)?.code == .userCancel)
            var (buffer, count) = ([UInt8](repeating: 0, count: 80), 80)
            let status = SecKeyRawSign(key, .PKCS1, [UInt8](repeating: 1, count: 32), 32, &buffer, &count)
            #expect(status == errSecUserCanceled)
        }
    }

    @Test func theOptionsOfTheSearchStayWithTheKey() throws {
        let device = SimulatedDevice()
        try device.run {
            _ = generate(Self.parameters([.privateKeyUsage, .userPresence]))
            let silent = try #require(Self.found([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]))
            let error = silent.sign(Self.message, Self.algorithm).error
            #expect(error?.domain == LAErrorDomain && error?.code == LAError.notInteractive.rawValue)
            #expect(device.prompts.isEmpty)

            let worded = try #require(Self.found([kSecUseOperationPrompt: "Pay Anna"]))
            #expect(worded.sign(Self.message, Self.algorithm).result != nil)
            #expect(device.prompts.last?.reason == "Pay Anna")

            let context = LAContext()
            context.localizedReason = "Log in"
            let within = try #require(Self.found([kSecUseAuthenticationContext: context]))
            device.clearRecords()
            #expect(within.sign(Self.message, Self.algorithm).result != nil)
            #expect(within.sign(Self.message, Self.algorithm).result != nil)
            #expect(device.prompts.map(\.reason) == ["Log in"])
            context.invalidate()
            #expect(within.sign(Self.message, Self.algorithm).error?.code == LAError.invalidContext.rawValue)
        }
    }

    @Test func aParameterReplacesTheOptions() throws {
        let device = SimulatedDevice()
        try device.run {
            _ = generate(Self.parameters([.privateKeyUsage, .userPresence]))
            let key = try #require(Self.found([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]))
            #expect(SecKeySetParameter(key, kSecUseOperationPrompt, "Again", nil))
            #expect(key.sign(Self.message, Self.algorithm).result != nil && device.prompts.last?.reason == "Again")
            #expect(SecKeySetParameter(key, kSecUseAuthenticationUI, kSecUseAuthenticationUIFail, nil))
            #expect(key.sign(Self.message, Self.algorithm).result == nil)
            let (isSet, error) = told { SecKeySetParameter(key, kSecUseAuthenticationContext, "no context", $0) }
            #expect(!isSet && error?.code == Int(errSecParam))
            let (isSoftwareSet, other) = told { SecKeySetParameter(SomeKeys.p256, kSecUseOperationPrompt, "x", $0) }
            #expect(!isSoftwareSet && other?.code == Int(errSecUnimplemented))
        }
    }

    @Test func aKeyIsPermanentUnlessItsOwnAttributesSayOtherwise() throws {
        try SimulatedDevice().run {
            let parameters: [CFString: Any] = [
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeySizeInBits: 256,
            ]
            func count() -> Int {
                var found: CFTypeRef?
                _ = SecItemCopyMatching(key().attributes.all as CFDictionary, &found)
                return (found as? [Any])?.count ?? 0
            }
            let first = try #require(generate(parameters).key)
            #expect(count() == 1 && first.sign(Self.message, Self.algorithm).result != nil)
            let ephemeral = try #require(
                generate(parameters.with([kSecPrivateKeyAttrs: [kSecAttrIsPermanent: false]])).key)
            #expect(count() == 1)
            let signature = try #require(ephemeral.sign(Self.message, Self.algorithm).result)
            #expect(ephemeral.publicHalf.verify(signature, of: Self.message, Self.algorithm).result)
            #expect(ephemeral != first)
            // The common attributes reach both keys, and the token ID only the private one.
            let both = try #require(generate(parameters.with([kSecAttrIsPermanent: true])).key)
            #expect(count() == 3)
            var found: CFTypeRef?
            let query: [CFString: Any] = [kSecValueRef: both.publicHalf, kSecReturnAttributes: true]
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
            #expect((found as? [String: Any])?[kSecAttrTokenID as String] == nil)
            #expect(SecItemCopyMatching([kSecValueRef: both, kSecReturnRef: true], &found) == errSecSuccess)
            #expect(found as? SecKey == both)
            #expect(SecItemDelete([kSecValueRef: both]) == errSecSuccess && count() == 2)
        }
    }

    @Test func thePolicyIsTheCommonOneAndTheLabelThePrivateOne() throws {
        try SimulatedDevice().run {
            var parameters = Self.parameters([.privateKeyUsage, .biometryAny], [kSecAttrLabel: "private"])
            parameters[kSecAttrAccessControl] = access(
                [.privateKeyUsage], kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
            parameters[kSecAttrLabel] = "common"
            let device = SimulatedDevice()
            try device.run {
                let key = try #require(generate(parameters).key)
                #expect(key.sign(Self.message, Self.algorithm).result != nil && device.prompts.isEmpty)
                #expect(Self.found([kSecAttrLabel: "private"]) == key && Self.found([kSecAttrLabel: "common"]) == nil)
            }
        }
    }

    @Test func aKeyIsIdentifiedByItsAttributes() throws {
        let device = SimulatedDevice()
        var attributes: [[CFString: Any]] = []
        try device.run {
            for isPermanent in [true, false] {
                let key = try #require(
                    generate(Self.parameters([.privateKeyUsage], [kSecAttrIsPermanent: isPermanent])).key)
                attributes.append(key.attributes)
                let again = told { SecKeyCreateWithData(CFData(), key.attributes as CFDictionary, $0) }
                #expect(again.result == key, "\(String(describing: again.error))")
                #expect(again.result?.sign(Self.message, Self.algorithm).result != nil)
            }
        }
        SimulatedDevice().run {
            for (attributes, status) in zip(attributes, [errSecItemNotFound, errSecParam]) {
                let (none, error) = told { SecKeyCreateWithData(CFData(), attributes as CFDictionary, $0) }
                #expect(none == nil && error?.code == Int(status))
            }
        }
    }

    @Test func aKeyKeepsTheApplicationLabelOfTheApp() throws {
        try SimulatedDevice().run {
            let label = Data("login".utf8)
            let parameters = Self.parameters([.privateKeyUsage], [kSecAttrApplicationLabel: label])
            let generated = try #require(generate(parameters).key)
            let own: [CFString: Any] = [kSecAttrApplicationLabel: label]
            let found = try #require(Self.found(own))
            #expect(found == generated)
            let (none, error) = generate(parameters)
            #expect(none == nil && error?.code == Int(errSecDuplicateItem))
            let other = Self.parameters([.privateKeyUsage], [kSecAttrApplicationLabel: Data("other".utf8)])
            #expect(generate(other).key != nil)
            var row: CFTypeRef?
            let query = Self.query.with(own).with([kSecReturnAttributes: true])
            #expect(SecItemCopyMatching(query as CFDictionary, &row) == errSecSuccess)
            #expect((row as? [String: Any])?[kSecAttrApplicationLabel as String] as? Data == label)
            // The object itself shows the hash of its public key.
            #expect(
                found.attributes[kSecAttrApplicationLabel] as? Data
                    == found.publicHalf.attributes[kSecAttrApplicationLabel] as? Data)
        }
    }

    @Test func theEnclaveStoresNothingButItsKeys() {
        let device = SimulatedDevice()
        device.run {
            for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassKey, kSecClassCertificate] {
                let item: [CFString: Any] = [
                    kSecClass: itemClass, kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecValueData: Data([1]),
                ]
                #expect(SecItemAdd(item as CFDictionary, nil) == errSecParam, "\(itemClass)")
                #expect(device.calls.last?.explanation.contains("the Secure Enclave stores only keys") == true)
                #expect(SecItemCopyMatching(item as CFDictionary, nil) == errSecItemNotFound)
            }
        }
    }

    @Test func theEnclaveRefusesTheseKeys() throws {
        try SimulatedDevice().run {
            let parameters = Self.parameters([.privateKeyUsage])
            for (change, status) in [
                ([kSecAttrKeyType: kSecAttrKeyTypeRSA], errSecParam), ([kSecAttrKeySizeInBits: 384], errSecParam),
                ([kSecAttrTokenID: "com.example.token"], errSecItemNotFound),
                ([kSecAttrTokenID: 7], errSecItemNotFound), ([kSecPrivateKeyAttrs: "x"], errSecParam),
                ([kSecAttrAccessControl: "x"], errSecParam),
            ] as [([CFString: Any], OSStatus)] {
                let (none, error) = generate(parameters.with(change))
                #expect(
                    none == nil && error?.code == Int(status) && error?.domain == NSOSStatusErrorDomain, "\(change)")
            }
            #expect(SecItemCopyMatching(key() as CFDictionary, nil) == errSecItemNotFound)
            let import1: [CFString: Any] = [
                kSecValueRef: SomeKeys.p256, kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            ]
            #expect(SecItemAdd(import1 as CFDictionary, nil) == errSecParam)
            let stored = try #require(generate(parameters).key)
            #expect(SecItemAdd([kSecValueRef: stored], nil) == errSecDuplicateItem)
            #expect(generate(parameters).key != nil)
            let loose = try #require(generate(Self.parameters([.privateKeyUsage], [kSecAttrIsPermanent: false])).key)
            #expect(SecItemAdd([kSecValueRef: loose], nil) == errSecUnimplemented)
            #expect(told { SecKeyCreateWithData(CFData(), [kSecAttrTokenID: "x"], $0) }.error?.code == Int(errSecParam))
        }
    }

    @Test func theDeviceRecordsTheCalls() throws {
        let device = SimulatedDevice()
        try device.run {
            let key = try #require(generate(Self.parameters()).key)
            _ = key.sign(Self.message, Self.algorithm)
            device.user = .absent
            _ = key.sign(Self.message, Self.algorithm)
            #expect(
                device.calls.suffix(3).map(\.name) == [
                    "SecKeyCreateRandomKey", "SecKeyCreateSignature", "SecKeyCreateSignature",
                ])
            #expect(device.calls.suffix(2).map(\.code) == [0, LAError.userCancel.rawValue])
            #expect(device.calls.last?.subject == Self.algorithm.rawValue as String)
            device.user = .owner(of: device)
            device.fail(next: .sign, with: errSecIO)
            device.clearRecords()
            #expect(key.sign(Self.message, Self.algorithm).error?.code == Int(errSecIO) && device.prompts.isEmpty)
            #expect(key.sign(Self.message, Self.algorithm).result != nil)
        }
    }

    @Test func aDeletedKeySignsNothing() throws {
        try SimulatedDevice().run {
            let key = try #require(generate(Self.parameters([.privateKeyUsage])).key)
            #expect(SecItemDelete(Self.query as CFDictionary) == errSecSuccess)
            #expect(key.sign(Self.message, Self.algorithm).error?.code == Int(errSecItemNotFound))
        }
    }

    @Test func aPublicKeyThatCannotBeStoredLeavesNoPrivateKey() {
        SimulatedDevice().run {
            let parameters = Self.parameters([.privateKeyUsage]).with([
                kSecPublicKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrAccessGroup: "another"] as [CFString: Any]
            ])
            #expect(generate(parameters).error?.code == Int(errSecMissingEntitlement))
            #expect(SecItemCopyMatching(key() as CFDictionary, nil) == errSecItemNotFound)
        }
    }

    @Test func aListHoldsKeysOfBothKinds() throws {
        let device = SimulatedDevice()
        try device.run {
            let enclave = try #require(generate(Self.parameters()).key)
            let software: [CFString: Any] = [kSecValueRef: SomeKeys.p256]
            #expect(SecItemAdd(software.guarded(by: .biometryAny) as CFDictionary, nil) == errSecSuccess)
            var found: CFTypeRef?
            #expect(SecItemCopyMatching(key().object.all as CFDictionary, &found) == errSecSuccess)
            #expect(Set(try #require(found as? [SecKey])) == [enclave, SomeKeys.p256])
            // The bytes of the key outside the enclave are a secret like any other.
            #expect(device.prompts.map(\.factor) == [.biometry])
        }
    }
}
