import Foundation
import KeyKit
import LatchkeyTesting
import Security
import Testing

/// Apple's own regression tests of keys, as facts: si-44-seckey-gen, si-44-seckey-ec and si-44-seckey-ies. RSA keys have
/// 2048 bits in place of 1024, and keys of 192 bits have 384.
@Suite struct AppleChecksTests {
    // MARK: si-44-seckey-gen

    @Test(arguments: [kSecAttrKeyTypeRSA, kSecAttrKeyTypeECSECPrimeRandom] as [String], [0, 1, 2])
    func generatedKeysAreInTheKeychainIfPermanent(_ type: String, _ permanent: Int) {
        var checks = AppleChecks()
        let (isPublicPermanent, isPrivatePermanent) = (permanent == 2, permanent > 0)
        let size = type == kSecAttrKeyTypeRSA as String ? 2048 : 256
        SimulatedDevice().run {
            let (generated, error) = generate([
                kSecAttrKeyType: type, kSecAttrKeySizeInBits: size, kSecAttrLabel: "gen",
                kSecPublicKeyAttrs: [kSecAttrIsPermanent: isPublicPermanent],
                kSecPrivateKeyAttrs: [kSecAttrIsPermanent: isPrivatePermanent],
            ])
            checks.ok(generated != nil, "\(String(describing: error))")
            guard let generated else { return }
            let publicKey = SecKeyCopyPublicKey(generated)
            checks.ok(publicKey != nil)
            checks.ok(publicKey?.external != nil)
            let query: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecAttrKeyType: type, kSecAttrKeySizeInBits: size, kSecAttrLabel: "gen",
            ]
            var found: CFTypeRef?
            let expected = permanent > 0 ? errSecSuccess : errSecItemNotFound
            checks.ok(SecItemCopyMatching(query.attributes.all as CFDictionary, &found) == expected)
            checks.ok((found as? [Any])?.count ?? 0 == permanent, "\(String(describing: found))")
            for (key, isStored) in [(publicKey, isPublicPermanent), (generated, isPrivatePermanent)] {
                var reference: CFTypeRef?
                if !isStored {
                    let item: [CFString: Any] = [
                        kSecValueRef: key as Any, kSecAttrLabel: "gen", kSecReturnPersistentRef: true,
                    ]
                    checks.ok(SecItemAdd(item as CFDictionary, &reference) == errSecSuccess)
                }
                if isStored { checks.ok(true) }
                checks.ok(isStored || reference is Data)
            }
            checks.ok(SecItemCopyMatching(query.attributes.all as CFDictionary, &found) == errSecSuccess)
            checks.ok((found as? [Any])?.count == 2)
            checks.ok(SecItemDelete(query as CFDictionary) == errSecSuccess)
        }
        #expect(checks.taken == 12)
    }

    @Test(
        arguments: [[kSecAttrLabel], [kSecAttrApplicationTag], [kSecAttrLabel, kSecAttrApplicationTag]] as [[String]])
    func attributesOfTheGeneratorAreThoseOfBothItems(_ names: [String]) {
        var checks = AppleChecks()
        let values: [String: Any] = [
            kSecAttrLabel as String: "Label", kSecAttrApplicationTag as String: Data("AppTag".utf8),
        ]
        let given = values.filter { names.contains($0.key) }
        SimulatedDevice().run {
            var parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048, kSecAttrIsPermanent: true,
            ]
            for (name, value) in given { parameters[name as CFString] = value }
            let generated = generate(parameters).key
            checks.ok(generated != nil)
            guard let generated else { return }
            checks.ok(SecKeyCopyPublicKey(generated) != nil)
            for key in [generated, generated.publicHalf] {
                var found: CFTypeRef?
                let query: [CFString: Any] = [kSecValueRef: key, kSecReturnAttributes: true]
                checks.ok(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
                let attributes = found as? [String: Any] ?? [:]
                checks.ok(given.allSatisfy { CFEqual($0.value, attributes[$0.key]) }, "\(attributes)")
            }
            checks.ok(SecItemDelete([kSecValueRef: generated]) == errSecSuccess)
            checks.ok(SecItemDelete([kSecValueRef: generated.publicHalf]) == errSecSuccess)
        }
        #expect(checks.taken == 8)
    }

    // MARK: si-44-seckey-ec

    @Test(arguments: [SomeKeys.p384, SomeKeys.p256, SomeKeys.p521])
    func keysOnCurvesAreExportedAndImported(_ key: SecKey) throws {
        var checks = AppleChecks()
        let size = SecKeyGetBlockSize(key)
        let message = Data("hello".utf8)
        checks.ok(size > 0)
        let signature = try #require(key.sign(message, .ecdsaSignatureMessageX962SHA1).result)
        checks.ok(!signature.isEmpty)
        let bytes = try #require(key.publicHalf.external)
        checks.ok(!bytes.isEmpty)
        checks.ok(bytes.count == 2 * size + 1)
        let publicKey = try #require(
            imported(bytes, kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClassPublic).key)
        checks.ok(publicKey == key.publicHalf)
        checks.ok(publicKey.verify(signature, of: message, .ecdsaSignatureMessageX962SHA1).result)
        let secret = try #require(key.external)
        checks.ok(!secret.isEmpty)
        checks.ok(secret.count == 3 * size + 1)
        let importedPrivate = try #require(
            imported(secret, kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClassPrivate).key)
        checks.ok(importedPrivate == key)
        checks.ok(
            importedPrivate.publicHalf.verify(signature, of: message, .ecdsaSignatureMessageX962SHA1).result)
        #expect(checks.taken == 10)
    }

    private static let digests: [(SecKeyAlgorithm, HashAlgorithm?)] = [
        (.ecdsaSignatureDigestX962, nil), (.ecdsaSignatureDigestX962SHA1, .sha1),
        (.ecdsaSignatureDigestX962SHA224, .sha224), (.ecdsaSignatureDigestX962SHA256, .sha256),
        (.ecdsaSignatureDigestX962SHA384, .sha384), (.ecdsaSignatureDigestX962SHA512, .sha512),
    ]

    @Test(arguments: [SomeKeys.p384, SomeKeys.p256, SomeKeys.p521])
    func digestsOfTheRightLengthAreSigned(_ key: SecKey) throws {
        var checks = AppleChecks()
        checks.ok(true)  // The key was generated.
        for (algorithm, hash) in Self.digests {
            checks.ok(key.does(.sign, algorithm))
            let digest = Data(count: hash?.digestCount ?? 50)
            let signature = try #require(key.sign(digest, algorithm).result)
            checks.ok(!signature.isEmpty)
            // Apple's test verifies with its library of cryptography; this one verifies with KeyKit.
            let bytes = try #require(key.publicHalf.external)
            checks.ok(!bytes.isEmpty)
            let other = try PublicKey(externalRepresentation: bytes.bytes, .ec)
            checks.ok(other.externalRepresentation == Array(bytes))
            let isValid = try other.verify(signature.bytes, of: digest.bytes, with: .ecdsaOfAnyDigest(.x962))
            checks.ok(isValid)
            checks.ok(try !other.verify(signature.bytes, of: Data([1]).bytes, with: .ecdsaOfAnyDigest(.x962)))
            for change in [1, -1] {
                guard let hash else {
                    checks.ok(true)
                    checks.ok(true)
                    continue
                }
                let (none, error) = key.sign(Data(count: hash.digestCount + change), algorithm)
                checks.ok(none == nil)
                checks.ok(error?.code == Int(errSecParam))
            }
        }
        #expect(checks.taken == 61)
    }

    private static let pairs: [(SecKeyAlgorithm, SecKeyAlgorithm, HashAlgorithm?)] = [
        (.ecdsaSignatureRFC4754, .ecdsaSignatureRFC4754, .sha256),
        (.ecdsaSignatureDigestRFC4754, .ecdsaSignatureDigestRFC4754SHA1, .sha1),
        (.ecdsaSignatureDigestRFC4754, .ecdsaSignatureDigestRFC4754SHA224, .sha224),
        (.ecdsaSignatureDigestRFC4754, .ecdsaSignatureDigestRFC4754SHA256, .sha256),
        (.ecdsaSignatureDigestRFC4754, .ecdsaSignatureDigestRFC4754SHA384, .sha384),
        (.ecdsaSignatureDigestRFC4754, .ecdsaSignatureDigestRFC4754SHA512, .sha512),
        (.ecdsaSignatureMessageRFC4754SHA1, .ecdsaSignatureMessageRFC4754SHA1, nil),
        (.ecdsaSignatureMessageRFC4754SHA224, .ecdsaSignatureMessageRFC4754SHA224, nil),
        (.ecdsaSignatureMessageRFC4754SHA256, .ecdsaSignatureMessageRFC4754SHA256, nil),
        (.ecdsaSignatureMessageRFC4754SHA384, .ecdsaSignatureMessageRFC4754SHA384, nil),
        (.ecdsaSignatureMessageRFC4754SHA512, .ecdsaSignatureMessageRFC4754SHA512, nil),
    ]

    @Test func fixedSignaturesAreOneFormat() throws {
        var checks = AppleChecks()
        let key = SomeKeys.p256
        checks.ok(key.does(.sign, .ecdsaSignatureRFC4754))
        for (signing, verifying, hash) in Self.pairs {
            let input = hash.map { Data(count: $0.digestCount) } ?? Data("a message of some length".utf8)
            let signature = try #require(key.sign(input, signing).result)
            checks.ok(signature.count == 64)
            checks.ok(key.publicHalf.verify(signature, of: input, verifying).result)
        }
        #expect(checks.taken == 23)
    }

    // MARK: si-44-seckey-ies

    private static func ecies(_ names: [SecKeyAlgorithm]) -> [SecKeyAlgorithm] {
        names + [
            .eciesEncryptionStandardVariableIVX963SHA224AESGCM, .eciesEncryptionStandardVariableIVX963SHA256AESGCM,
            .eciesEncryptionStandardVariableIVX963SHA384AESGCM, .eciesEncryptionStandardVariableIVX963SHA512AESGCM,
        ]
    }

    private static let standard = ecies([
        .eciesEncryptionStandardX963SHA1AESGCM, .eciesEncryptionStandardX963SHA224AESGCM,
        .eciesEncryptionStandardX963SHA256AESGCM, .eciesEncryptionStandardX963SHA384AESGCM,
        .eciesEncryptionStandardX963SHA512AESGCM,
    ])
    private static let cofactor = ecies([
        .eciesEncryptionCofactorX963SHA1AESGCM, .eciesEncryptionCofactorX963SHA224AESGCM,
        .eciesEncryptionCofactorX963SHA256AESGCM, .eciesEncryptionCofactorX963SHA384AESGCM,
        .eciesEncryptionCofactorX963SHA512AESGCM,
    ])
    private static let mixed = ecies([
        .eciesEncryptionStandardX963SHA1AESGCM, .eciesEncryptionStandardX963SHA224AESGCM,
        .eciesEncryptionCofactorX963SHA256AESGCM, .eciesEncryptionCofactorX963SHA384AESGCM,
        .eciesEncryptionCofactorX963SHA512AESGCM,
    ])
    private static let wrapping: [SecKeyAlgorithm] = [
        .rsaEncryptionOAEPSHA1AESGCM, .rsaEncryptionOAEPSHA224AESGCM, .rsaEncryptionOAEPSHA256AESGCM,
        .rsaEncryptionOAEPSHA384AESGCM,
    ]

    private static let encryptions: [(SecKey, [SecKeyAlgorithm])] = [
        (SomeKeys.p384, standard), (SomeKeys.p256, cofactor), (SomeKeys.p521, mixed), (SomeKeys.rsa2048, wrapping),
        (SomeKeys.rsa4096, [.rsaEncryptionOAEPSHA512AESGCM]),
    ]

    @Test(arguments: encryptions) func encryptedMessagesDecrypt(_ key: SecKey, _ algorithms: [SecKeyAlgorithm]) throws {
        var checks = AppleChecks()
        checks.ok(true)  // The key was generated.
        let message = Data("hello".utf8)
        for algorithm in algorithms {
            let publicKey = key.publicHalf
            checks.ok(!publicKey.attributes.isEmpty)
            checks.ok(key.does(.decrypt, algorithm))
            checks.ok(publicKey.does(.encrypt, algorithm))
            checks.ok(!publicKey.does(.decrypt, algorithm))
            checks.ok(!key.does(.encrypt, algorithm))
            let shared: [CFString: Any] = [
                SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data("shared".utf8)
            ]
            let box = try #require(publicKey.encrypt(message, algorithm).result)
            let sharedBox = try #require(publicKey.encrypt(message, algorithm, shared).result)
            checks.ok(!box.isEmpty)
            let opened = key.decrypt(box, algorithm).result
            checks.ok(opened != nil)
            checks.ok(opened == message)
            let openedSharedly = key.decrypt(sharedBox, algorithm, shared).result
            checks.ok(openedSharedly != nil)
            checks.ok(openedSharedly == message)
            for place in [-8, -20, 0, 1] { checks.ok(key.decrypt(box.changed(at: place), algorithm).result == nil) }
        }
        #expect(checks.taken == 1 + 14 * algorithms.count)
    }

    @Test func messagesThatApplesSystemEncryptedAreDecrypted() throws {
        var checks = AppleChecks()
        let message = Data("KNOWN PLAINTEXT\0".utf8)
        for box in AppleBoxes.all {
            let data = try #require(Data(base64Encoded: box.key))
            let read = imported(
                data, box.isRSA ? kSecAttrKeyTypeRSA : kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClassPrivate)
            checks.ok(read.key != nil, "\(String(describing: read.error))")
            let ciphertext = try #require(Data(base64Encoded: box.box))
            let opened = read.key?.decrypt(ciphertext, box.algorithm)
            checks.ok(opened?.result != nil, "\(String(describing: opened?.error))")
            checks.ok(opened?.result == message)
        }
        #expect(checks.taken == 33)
    }
}
