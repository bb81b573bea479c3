import Foundation
import KeyKit
import LatchkeyTesting
import Security
import Testing

/// Keys outside the Secure Enclave: their errors, their attributes and their items.
@Suite struct SoftwareKeyTests {
    private static func refusal(_ error: NSError?) -> Int {
        error?.domain == NSOSStatusErrorDomain ? error?.code ?? 0 : 0
    }

    @Test func aKeyHasTwentyThreeAttributes() {
        for one in SomeKeys.all {
            for key in [one, one.publicHalf] {
                let attributes = key.attributes
                #expect(
                    attributes.keys.map { $0 as String }.sorted() == [
                        "asen", "bsiz", "class", "decr", "drve", "encr", "esiz", "extr", "kcls", "klbl", "modi", "next",
                        "perm", "priv", "sens", "sign", "snrc", "type", "unwp", "v_Data", "vrfy", "vyrc", "wrap",
                    ])
                #expect(attributes[kSecValueData] as? Data == key.external)
                for name in [kSecAttrIsPermanent, kSecAttrIsPrivate, kSecAttrIsModifiable, kSecAttrIsExtractable] {
                    #expect(attributes[name] as? Bool == true)
                }
            }
        }
    }

    @Test func generatingRefusesTheseDictionaries() {
        let ec = kSecAttrKeyTypeECSECPrimeRandom
        for (parameters, status) in [
            ([:], errSecParam), ([kSecAttrKeyType: ec], errSecParam), ([kSecAttrKeySizeInBits: 256], errSecParam),
            ([kSecAttrKeyType: "no type", kSecAttrKeySizeInBits: 256], errSecParam),
            ([kSecAttrKeyType: 73, kSecAttrKeySizeInBits: 256], errSecParam),
            ([kSecAttrKeyType: "43", kSecAttrKeySizeInBits: 256], errSecParam),
            ([kSecAttrKeyType: ec, kSecAttrKeySizeInBits: 257], errSecParam),
            ([kSecAttrKeyType: ec, kSecAttrKeySizeInBits: "x"], errSecParam),
            ([kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 100], errSecParam),
            ([kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: Double.nan], errSecParam),
            ([kSecAttrKeyType: ec, kSecAttrKeySizeInBits: 256, kSecPublicKeyAttrs: 1], errSecParam),
            // Apple's system has these keys.
            ([kSecAttrKeyType: ec, kSecAttrKeySizeInBits: 192], errSecUnimplemented),
            ([kSecAttrKeyType: kSecAttrKeyTypeEd25519, kSecAttrKeySizeInBits: 256], errSecUnimplemented),
            ([kSecAttrKeyType: kSecAttrKeyTypeMLDSA, kSecAttrKeySizeInBits: 65], errSecUnimplemented),
        ] as [([CFString: Any], OSStatus)] {
            let (none, error) = generate(parameters)
            #expect(none == nil && Self.refusal(error) == Int(status), "\(parameters)")
            var (publicKey, privateKey): (SecKey?, SecKey?)
            #expect(SecKeyGeneratePair(parameters as CFDictionary, &publicKey, &privateKey) == status)
            #expect(publicKey == nil && privateKey == nil)
        }
        #expect(generate([kSecAttrKeyType: ec, kSecAttrKeySizeInBits: "384"]).key != nil)
        #expect(generate([kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 1024]).key != nil)
        #expect(SecKeyGeneratePair([kSecAttrKeyType: ec, kSecAttrKeySizeInBits: 256], nil, nil) == errSecSuccess)
    }

    @Test func readingRefusesTheseBytes() throws {
        let ec = kSecAttrKeyTypeECSECPrimeRandom
        let bytes = try #require(SomeKeys.p256.external)
        let point = try #require(SomeKeys.p256.publicHalf.external)
        let other = try #require(SomeKeys.p384.external)
        #expect(other.count == 145)
        for (data, attributes, status) in [
            (bytes, [:], errSecParam), (bytes, [kSecAttrKeyType: ec], errSecParam),
            (bytes, [kSecAttrKeyClass: kSecAttrKeyClassPrivate], errSecParam),
            (bytes, [kSecAttrKeyType: "x", kSecAttrKeyClass: "1"], errSecParam),
            (bytes, [kSecAttrKeyType: true, kSecAttrKeyClass: "1"], errSecParam),
            (bytes, [kSecAttrKeyType: "073", kSecAttrKeyClass: "1"], errSecParam),
            (bytes, [kSecAttrKeyType: 12, kSecAttrKeyClass: "1"], errSecParam),
            (bytes, [kSecAttrKeyType: ec, kSecAttrKeyClass: "3"], errSecParam),
            (Data(), [kSecAttrKeyType: ec, kSecAttrKeyClass: "1"], errSecParam),
            (point.changed(at: 5), [kSecAttrKeyType: ec, kSecAttrKeyClass: "0"], errSecParam),
            (bytes.changed(at: -1), [kSecAttrKeyType: ec, kSecAttrKeyClass: "1"], errSecParam),
            (point, [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: "0"], errSecParam),
            (bytes, [kSecAttrKeyType: ec, kSecAttrKeyClass: kSecAttrKeyClassSymmetric], errSecUnimplemented),
            (Data([4]) + Data(count: 48), [kSecAttrKeyType: ec, kSecAttrKeyClass: "0"], errSecUnimplemented),
            (Data([4]) + Data(count: 84), [kSecAttrKeyType: ec, kSecAttrKeyClass: "1"], errSecUnimplemented),
            (bytes, [kSecAttrKeyType: kSecAttrKeyTypeX25519, kSecAttrKeyClass: "1"], errSecUnimplemented),
        ] as [(Data, [CFString: Any], OSStatus)] {
            let (none, error) = told { SecKeyCreateWithData(data as CFData, attributes as CFDictionary, $0) }
            #expect(none == nil && Self.refusal(error) == Int(status), "\(data.count) \(attributes)")
        }
        // Numbers are as good as texts, and sizes are not read.
        let numbers: [CFString: Any] = [kSecAttrKeyType: 73, kSecAttrKeyClass: 1, kSecAttrKeySizeInBits: 384]
        #expect(SecKeyCreateWithData(bytes as CFData, numbers as CFDictionary, nil) == SomeKeys.p256)
        let again = SecKeyCreateWithData(bytes as CFData, SomeKeys.p256.attributes as CFDictionary, nil)
        #expect(again == SomeKeys.p256)
    }

    @Test func keysAreEqualByTheirValue() throws {
        let bytes = try #require(SomeKeys.p256.external)
        let again = try #require(imported(bytes, kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate).key)
        #expect(again == SomeKeys.p256 && again.hashValue == SomeKeys.p256.hashValue && again !== SomeKeys.p256)
        #expect(again != SomeKeys.p256.publicHalf && again.publicHalf == SomeKeys.p256.publicHalf)
        #expect(CFEqual(again, SomeKeys.p256) && !CFEqual(again, SomeKeys.p384))
        #expect(CFGetTypeID(again) == SecKeyGetTypeID())
        #expect(SomeKeys.all.map(SecKeyGetBlockSize) == [32, 48, 66, 256])
    }

    @Test func aWrongSignatureIsToldFromWrongArguments() throws {
        let data = Data("x".utf8)
        let (ec, rsa) = (SomeKeys.p256, SomeKeys.rsa2048)
        let ecdsa = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        let pkcs1 = SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256
        let signature = try #require(ec.sign(data, ecdsa).result)
        let long = try #require(rsa.sign(data, pkcs1).result)
        for (key, algorithm, signature, status) in [
            (ec, ecdsa, signature + [0], errSecVerifyFailed), (ec, ecdsa, Data(), errSecVerifyFailed),
            (ec, .ecdsaSignatureMessageRFC4754SHA256, signature, errSecVerifyFailed),
            (ec, .ecdsaSignatureDigestX962SHA256, signature, errSecParam), (ec, pkcs1, signature, errSecParam),
            (rsa, pkcs1, Data(), errSecVerifyFailed), (rsa, pkcs1, long.changed(at: -1), errSecVerifyFailed),
            (rsa, pkcs1, long + [0], errSecParam), (rsa, pkcs1, Data(repeating: 0xFF, count: 256), errSecParam),
            (rsa, .rsaSignatureMessagePSSSHA256, long, errSecVerifyFailed),
        ] as [(SecKey, SecKeyAlgorithm, Data, OSStatus)] {
            let (isValid, error) = key.publicHalf.verify(signature, of: data, algorithm)
            #expect(!isValid && Self.refusal(error) == Int(status), "\(algorithm.rawValue)")
        }
        #expect(Self.refusal(ec.verify(signature, of: data, ecdsa).error) == Int(errSecParam))
        #expect(Self.refusal(rsa.verify(long, of: data, pkcs1).error) == Int(errSecVerifyFailed))
        #expect(Self.refusal(ec.publicHalf.sign(data, ecdsa).error) == Int(errSecParam))
        // Apple's keys drop zeros in front of what they decrypt, and of nothing else.
        let padded = Data(count: 255) + [7]
        let raw = try #require(rsa.sign(padded, .rsaSignatureRaw).result)
        #expect(!rsa.publicHalf.verify(raw, of: padded, .rsaSignatureRaw).result)
        #expect(rsa.publicHalf.verify(raw, of: Data([7]), .rsaSignatureRaw).result)
    }

    @Test func aKeyExchangeNeedsItsParameters() {
        let (key, other) = (SomeKeys.p256, SomeKeys.p256.publicHalf)
        let derived = SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA256
        #expect(key.agree(other, .ecdhKeyExchangeCofactor).result?.count == 32)
        for (parameters, status) in [
            ([:], errSecParam), ([SecKeyKeyExchangeParameter.sharedInfo: Data()], errSecParam),
            ([SecKeyKeyExchangeParameter.requestedSize: "32"], errSecParam),
            ([SecKeyKeyExchangeParameter.requestedSize: -1], errSecParam),
            ([SecKeyKeyExchangeParameter.requestedSize: 1 << 40], errSecParam),
            (["requestedSize": 32, "sharedInfo": "text"], errSecParam),
        ] as [(CFDictionary, OSStatus)] {
            #expect(Self.refusal(key.agree(other, derived, parameters).error) == Int(status), "\(parameters)")
        }
        #expect(key.agree(other, derived, ["requestedSize": 40]).result?.count == 40)
        #expect(Self.refusal(key.agree(SomeKeys.p384.publicHalf, derived, ["requestedSize": 8]).error) == -26275)
        #expect(Self.refusal(key.agree(SomeKeys.rsa2048.publicHalf, derived).error) == Int(errSecParam))
        #expect(Self.refusal(key.agree(key, derived).error) == Int(errSecParam))
        #expect(Self.refusal(other.agree(other, derived).error) == Int(errSecParam))
    }

    @Test func theParametersOfECIESCount() throws {
        let key = SomeKeys.p256
        let algorithm = SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA256AESGCM
        let parameters: [CFString: Any] = [
            SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data("info".utf8),
            kSecKeyEncryptionParameterSymmetricAAD: Data("aad".utf8),
            kSecKeyEncryptionParameterSymmetricKeySizeInBits: 256,
        ]
        let box = try #require(key.publicHalf.encrypt(Data("m".utf8), algorithm, parameters).result)
        #expect(key.decrypt(box, algorithm, parameters).result == Data("m".utf8))
        for name in parameters.keys {
            #expect(key.decrypt(box, algorithm, parameters.filter { $0.key != name }).result == nil)
            #expect(Self.refusal(key.decrypt(box, algorithm, [name: "wrong"]).error) == Int(errSecParam))
        }
        let size = kSecKeyEncryptionParameterSymmetricKeySizeInBits
        #expect(Self.refusal(key.decrypt(box, algorithm, [size: 100]).error) == Int(errSecParam))
    }

    @Test func aPublicRSAKeyDecryptsWithoutPadding() throws {
        let key = SomeKeys.rsa2048
        let signature = try #require(key.sign(Data([9]), .rsaSignatureRaw).result)
        #expect(key.publicHalf.decrypt(signature, .rsaEncryptionRaw).result == Data(count: 255) + [9])
        #expect(Self.refusal(key.publicHalf.decrypt(signature, .rsaEncryptionPKCS1).error) == Int(errSecParam))
        #expect(Self.refusal(key.publicHalf.decrypt(signature, .rsaEncryptionOAEPSHA1AESGCM).error) == Int(errSecParam))
    }

    // MARK: Items

    @Test func aKeyIsAnItemLikeAnyOther() throws {
        let device = SimulatedDevice()
        try device.run {
            let item: [CFString: Any] = [kSecValueRef: SomeKeys.p256, kSecAttrLabel: "l"]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecDuplicateItem)
            #expect(SecItemAdd([kSecValueRef: SomeKeys.p256.publicHalf], nil) == errSecSuccess)
            let changes: [CFString: Any] = [kSecAttrLabel: "m", kSecAttrCanSign: false]
            #expect(SecItemUpdate([kSecValueRef: SomeKeys.p256], changes as CFDictionary) == errSecSuccess)
            var found: CFTypeRef?
            let query: [CFString: Any] = [kSecValueRef: SomeKeys.p256, kSecAttrLabel: "m"]
            #expect(
                SecItemCopyMatching(query.data.attributes.object as CFDictionary, &found) == errSecSuccess)
            let result = try #require(found as? [String: Any])
            #expect(result[kSecValueData as String] as? Data == SomeKeys.p256.external)
            #expect(CFEqual(result[kSecValueRef as String], SomeKeys.p256))
            #expect(result[kSecClass as String] as? String == kSecClassKey as String)
            #expect(result[kSecAttrKeyType as String] as? Int == 73)
            #expect(SecItemUpdate([kSecValueRef: SomeKeys.p384], [kSecAttrLabel: "n"]) == errSecItemNotFound)
            #expect(SecItemDelete([kSecValueRef: SomeKeys.p256.publicHalf]) == errSecSuccess)
            #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess)
        }
    }

    @Test func anAddReturnsTheKey() throws {
        try SimulatedDevice().run {
            var found: CFTypeRef?
            let item: [CFString: Any] = [kSecValueRef: SomeKeys.p256, kSecReturnRef: true]
            #expect(SecItemAdd(item as CFDictionary, &found) == errSecSuccess && found as? SecKey == SomeKeys.p256)
            let bytes = try #require(SomeKeys.p384.external)
            let raw = key([
                kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrKeyType: kSecAttrKeyTypeEC, kSecValueData: bytes,
            ])
            #expect(
                SecItemAdd(raw.object as CFDictionary, &found) == errSecSuccess && found as? SecKey == SomeKeys.p384)
        }
    }

    @Test func aRowThatIsNoKeyHasNoObject() {
        SimulatedDevice().run {
            var found: CFTypeRef?
            let rows: [[CFString: Any]] = [
                key([kSecAttrLabel: "a"]).holding("bytes"), key([kSecAttrLabel: "b", kSecAttrKeyType: 73]),
                key([kSecAttrLabel: "c", kSecAttrKeyClass: "text"]).holding("x"),
                key([kSecAttrLabel: "d", kSecAttrKeyClass: 2, kSecAttrKeyType: "2147483649"]).holding("x"),
            ]
            for row in rows {
                #expect(SecItemAdd(row as CFDictionary, nil) == errSecSuccess)
                let query = key([kSecAttrLabel: row[kSecAttrLabel] as Any])
                #expect(SecItemCopyMatching(query.object as CFDictionary, &found) == errSecSuccess && found == nil)
                #expect(SecItemCopyMatching(query.object.attributes as CFDictionary, &found) == errSecSuccess)
                #expect((found as? [String: Any])?[kSecValueRef as String] == nil)
            }
            #expect(SecItemCopyMatching(key().object.all as CFDictionary, &found) == errSecSuccess)
            #expect((found as? [Any])?.count == 0)
        }
    }

    @Test func theBytesOfAProtectedKeyAreReadLikeAnySecret() throws {
        let device = SimulatedDevice()
        try device.run {
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256, kSecAttrIsPermanent: true,
                kSecPublicKeyAttrs: [kSecAttrIsPermanent: false],
                kSecAttrAccessControl: access(.biometryCurrentSet),
            ]
            let generated = try #require(generate(parameters).key)
            #expect(device.prompts.isEmpty)
            var found: CFTypeRef?
            #expect(
                SecItemCopyMatching(key().object.failing as CFDictionary, &found) == errSecInteractionNotAllowed)
            #expect(SecItemCopyMatching(key().object as CFDictionary, &found) == errSecSuccess)
            #expect(found as? SecKey == generated && device.prompts.map(\.factor) == [.biometry])
            #expect((found as? SecKey)?.sign(Data([1]), .ecdsaSignatureMessageX962SHA256).result != nil)
            #expect(device.prompts.count == 1)
            device.enroll("left thumb")
            #expect(SecItemCopyMatching(key().object as CFDictionary, &found) == errSecItemNotFound)
            // An access control for the Secure Enclave allows no reading of bytes, so they cannot be stored.
            let wrong = parameters.with([kSecAttrAccessControl: access([.privateKeyUsage, .biometryAny])])
            #expect(Self.refusal(generate(wrong).error) == Int(errSecAuthFailed))
        }
    }
}
