import Foundation
import KeyKit
import LatchkeyTesting
import Security
import Testing

/// Apple's older regression tests of keys, as facts: si-40-seckey, si-41-sececkey, SecKeyTests and KeychainCryptoTests, as
/// far as they call public functions. RSA keys have 2048 bits, and keys of 192 and 224 bits are left out.
@Suite struct AppleOlderChecksTests {
    private static let hashes: [HashAlgorithm] = [.sha1, .sha224, .sha256, .sha384, .sha512]
    private static let rsaDigests: [SecKeyAlgorithm] = [
        .rsaSignatureDigestPKCS1v15SHA1, .rsaSignatureDigestPKCS1v15SHA224, .rsaSignatureDigestPKCS1v15SHA256,
        .rsaSignatureDigestPKCS1v15SHA384, .rsaSignatureDigestPKCS1v15SHA512,
    ]
    private static let rsaMessages: [SecKeyAlgorithm] = [
        .rsaSignatureMessagePKCS1v15SHA1, .rsaSignatureMessagePKCS1v15SHA224, .rsaSignatureMessagePKCS1v15SHA256,
        .rsaSignatureMessagePKCS1v15SHA384, .rsaSignatureMessagePKCS1v15SHA512,
    ]
    private static let rsaEncryptions: [SecKeyAlgorithm] = [
        .rsaEncryptionRaw, .rsaEncryptionPKCS1, .rsaEncryptionOAEPSHA1, .rsaEncryptionOAEPSHA224,
        .rsaEncryptionOAEPSHA256,
    ]
    private static let ecSignatures: [SecKeyAlgorithm] = [
        .ecdsaSignatureRFC4754, .ecdsaSignatureDigestRFC4754, .ecdsaSignatureDigestRFC4754SHA1,
        .ecdsaSignatureDigestRFC4754SHA224, .ecdsaSignatureDigestRFC4754SHA256, .ecdsaSignatureDigestRFC4754SHA384,
        .ecdsaSignatureDigestRFC4754SHA512, .ecdsaSignatureDigestX962, .ecdsaSignatureDigestX962SHA1,
        .ecdsaSignatureDigestX962SHA224, .ecdsaSignatureDigestX962SHA256, .ecdsaSignatureDigestX962SHA384,
        .ecdsaSignatureDigestX962SHA512, .ecdsaSignatureMessageX962SHA1, .ecdsaSignatureMessageX962SHA224,
        .ecdsaSignatureMessageX962SHA256, .ecdsaSignatureMessageX962SHA384, .ecdsaSignatureMessageX962SHA512,
    ]
    private static let exchanges: [SecKeyAlgorithm] = [
        .ecdhKeyExchangeStandard, .ecdhKeyExchangeStandardX963SHA1, .ecdhKeyExchangeStandardX963SHA224,
        .ecdhKeyExchangeStandardX963SHA256, .ecdhKeyExchangeStandardX963SHA384, .ecdhKeyExchangeStandardX963SHA512,
        .ecdhKeyExchangeCofactor, .ecdhKeyExchangeCofactorX963SHA1, .ecdhKeyExchangeCofactorX963SHA224,
        .ecdhKeyExchangeCofactorX963SHA256, .ecdhKeyExchangeCofactorX963SHA384, .ecdhKeyExchangeCofactorX963SHA512,
    ]

    // MARK: Which algorithms are supported

    @Test func rsaKeysSupportTheseAlgorithms() {
        var checks = AppleChecks()
        let key = SomeKeys.rsa2048
        for size in [key, key.publicHalf].map({ $0.attributes[kSecAttrKeySizeInBits] as? Int }) {
            checks.ok(size == 2048)
        }
        for algorithm in [.rsaSignatureRaw] + Self.rsaDigests + Self.rsaMessages {
            checks.ok(key.does(.sign, algorithm))
            checks.ok(key.publicHalf.does(.verify, algorithm))
            checks.ok(key.does(.verify, algorithm))
            checks.ok(!key.publicHalf.does(.sign, algorithm))
        }
        checks.ok(!key.does(.sign, .ecdsaSignatureDigestX962))
        checks.ok(!key.does(.verify, .ecdsaSignatureDigestX962))
        for algorithm in Self.rsaEncryptions {
            checks.ok(key.does(.decrypt, algorithm))
            checks.ok(key.publicHalf.does(.encrypt, algorithm))
            checks.ok(!key.does(.encrypt, algorithm))
            checks.ok(key.publicHalf.does(.decrypt, algorithm))
        }
        #expect(checks.taken == 68)
    }

    @Test func keysOnCurvesSupportTheseAlgorithms() {
        var checks = AppleChecks()
        let key = SomeKeys.p256
        for algorithm in Self.ecSignatures {
            checks.ok(key.does(.sign, algorithm))
            checks.ok(key.publicHalf.does(.verify, algorithm))
            checks.ok(!key.does(.verify, algorithm))
            checks.ok(!key.publicHalf.does(.sign, algorithm))
        }
        for algorithm in Self.exchanges {
            checks.ok(key.does(.keyExchange, algorithm))
            checks.ok(!key.publicHalf.does(.keyExchange, algorithm))
        }
        #expect(checks.taken == 96)
    }

    // MARK: Bytes, attributes and public keys

    @Test(arguments: [SomeKeys.rsa2048, SomeKeys.p256]) func keysAreCreatedFromTheirBytes(_ key: SecKey) throws {
        var checks = AppleChecks()
        let type: CFString = key.publicKeyIsRSA ? kSecAttrKeyTypeRSA : kSecAttrKeyTypeECSECPrimeRandom
        for (one, itsClass, other) in [
            (key, kSecAttrKeyClassPrivate, kSecAttrKeyClassPublic),
            (key.publicHalf, kSecAttrKeyClassPublic, kSecAttrKeyClassPrivate),
        ] {
            let bytes = try #require(one.external)
            checks.ok(!bytes.isEmpty)
            let created = imported(bytes, type, itsClass)
            checks.ok(created.key != nil)
            checks.ok(CFEqual(created.key, one))
            checks.ok(imported(bytes, type, other).key == nil)
            checks.ok(imported(bytes.changed(), type, itsClass).key == nil)
            // The last two checks of Apple's test repeat this one.
            checks.ok(imported(bytes, type, other).error?.code == Int(errSecParam))
        }
        #expect(checks.taken == 12)
    }

    @Test(arguments: [SomeKeys.rsa2048, SomeKeys.p256]) func keysHaveTheseAttributes(_ key: SecKey) {
        var checks = AppleChecks()
        let isRSA = key.publicKeyIsRSA
        let size = isRSA ? 2048 : 256
        for (one, isPrivate) in [(key, true), (key.publicHalf, false)] {
            let attributes = one.attributes
            checks.ok(!attributes.isEmpty)
            checks.ok(attributes[kSecAttrCanEncrypt] as? Bool == !isPrivate)
            checks.ok(attributes[kSecAttrCanDecrypt] as? Bool == (isPrivate || isRSA))
            checks.ok(attributes[kSecAttrCanDerive] as? Bool == (isPrivate && !isRSA))
            checks.ok(attributes[kSecAttrCanSign] as? Bool == isPrivate)
            checks.ok(attributes[kSecAttrCanVerify] as? Bool == !isPrivate)
            let keyClass: CFString = isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic
            checks.ok(CFEqual(attributes[kSecAttrKeyClass], keyClass))
            checks.ok(
                CFEqual(attributes[kSecAttrKeyType], isRSA ? kSecAttrKeyTypeRSA : kSecAttrKeyTypeECSECPrimeRandom))
            checks.ok(attributes[kSecAttrKeySizeInBits] as? Int == size)
        }
        checks.ok(
            CFEqual(key.attributes[kSecAttrApplicationLabel], key.publicHalf.attributes[kSecAttrApplicationLabel]))
        #expect(checks.taken == 19)
    }

    @Test(arguments: [SomeKeys.rsa2048, SomeKeys.p256]) func publicKeysAreCopied(_ key: SecKey) {
        var checks = AppleChecks()
        for one in [key, key.publicHalf] {
            let copy = SecKeyCopyPublicKey(one)
            checks.ok(copy != nil)
            checks.ok(CFEqual(copy, key.publicHalf))
        }
        #expect(checks.taken == 4)
    }

    // MARK: Signing and verifying

    private static let signatures: [(SecKey, SecKeyAlgorithm, HashAlgorithm?, SecKeyAlgorithm)] =
        [(SomeKeys.rsa2048, .rsaSignatureRaw, nil, .rsaSignatureDigestPKCS1v15SHA1)]
        + zip(rsaDigests, hashes).map { (SomeKeys.rsa2048, $0, $1, .rsaSignatureRaw) }
        + rsaMessages.map { (SomeKeys.rsa2048, $0, nil, .rsaSignatureRaw) }
        + [.ecdsaSignatureRFC4754, .ecdsaSignatureDigestRFC4754].map {
            (SomeKeys.p256, $0, .sha256, .ecdsaSignatureDigestX962)
        }
        + [(SomeKeys.p256, .ecdsaSignatureDigestX962, .sha256, .ecdsaSignatureDigestRFC4754)]
        + ecSignatures.suffix(5).map { (SomeKeys.p256, $0, nil, .ecdsaSignatureDigestRFC4754) }

    @Test func onlyTheRightSignatureIsValid() throws {
        var checks = AppleChecks()
        for (key, algorithm, hash, incompatible) in Self.signatures {
            let test = Data("test".utf8)
            let data = hash.map { test.digest($0) } ?? test
            checks.ok(key.publicHalf.sign(data, algorithm).result == nil)
            let signature = try #require(key.sign(data, algorithm).result)
            checks.ok(!signature.isEmpty)
            checks.ok(!key.verify(signature, of: data, algorithm).result)
            checks.ok(!key.publicHalf.verify(signature, of: data, incompatible).result)
            checks.ok(key.publicHalf.verify(signature, of: data, algorithm).result)
            checks.ok(!key.publicHalf.verify(signature.changed(), of: data, algorithm).result)
            checks.ok(!key.publicHalf.verify(signature, of: data.changed(), algorithm).result)
        }
        #expect(checks.taken == 19 * 7)
    }

    @Test(arguments: [SomeKeys.p256, SomeKeys.p384, SomeKeys.p521]) func keysAgree(_ key: SecKey) throws {
        var checks = AppleChecks()
        let (other, error) = generate([
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits: key.attributes[kSecAttrKeySizeInBits] as Any,
        ])
        checks.ok(error == nil)
        let second = try #require(other)
        let parameters: CFDictionary = [
            SecKeyKeyExchangeParameter.requestedSize: 273,
            SecKeyKeyExchangeParameter.sharedInfo: Data("sharedInput".utf8),
        ]
        for algorithm in Self.exchanges {
            let mine = key.agree(second.publicHalf, algorithm, parameters).result
            checks.ok(mine != nil)
            checks.ok(mine == second.agree(key.publicHalf, algorithm, parameters).result)
        }
        #expect(checks.taken == 25)
    }

    // MARK: Pairs, and the deprecated calls

    private static func pair(
        _ type: CFString, _ bits: Int, _ more: [CFString: Any] = [:]
    ) -> (status: OSStatus, publicKey: SecKey?, privateKey: SecKey?) {
        var (publicKey, privateKey): (SecKey?, SecKey?)
        let parameters = more.with([kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits])
        let status = SecKeyGeneratePair(parameters as CFDictionary, &publicKey, &privateKey)
        return (status, publicKey, privateKey)
    }

    private static func rawSign(_ key: SecKey, _ padding: SecPadding, _ data: Data) -> (OSStatus, Data) {
        var signature = [UInt8](repeating: 0, count: 600)
        var count = signature.count
        let status = SecKeyRawSign(key, padding, Array(data), data.count, &signature, &count)
        return (status, Data(signature.prefix(count)))
    }

    private static func rawVerify(_ key: SecKey, _ padding: SecPadding, _ data: Data, _ signature: Data) -> OSStatus {
        SecKeyRawVerify(key, padding, Array(data), data.count, Array(signature), signature.count)
    }

    @Test(arguments: [256, 384, 521]) func pairsOnCurvesAreGeneratedAndStored(_ bits: Int) throws {
        var checks = AppleChecks()
        try SimulatedDevice().run {
            let pair = Self.pair(kSecAttrKeyTypeEC, bits)
            checks.ok(pair.status == errSecSuccess)
            let (publicKey, privateKey) = (try #require(pair.publicKey), try #require(pair.privateKey))
            for key in [publicKey, privateKey] {
                checks.ok(key.attributes[kSecAttrKeySizeInBits] as? Int == bits)
            }
            let something = Data(repeating: 0x80, count: 32)
            let (status, signature) = Self.rawSign(privateKey, [], something)
            checks.ok(status == errSecSuccess)
            checks.ok(Self.rawVerify(publicKey, [], something, signature) == errSecSuccess)
            checks.ok(Self.rawVerify(publicKey, [], something, signature.changed()) == errSSLCrypto)
            checks.ok(Self.rawVerify(publicKey, [], something.changed(), signature) == errSSLCrypto)
            for key in [privateKey, publicKey] {
                checks.ok(SecItemAdd([kSecValueRef: key], nil) == errSecSuccess)
                checks.ok(SecItemDelete([kSecValueRef: key]) == errSecSuccess)
            }
        }
        #expect(checks.taken == 11)
    }

    @Test(arguments: [(kSecAttrKeyTypeRSA as String, 2048), (kSecAttrKeyTypeEC as String, 256)])
    func labeledPairsAreFound(_ type: String, _ bits: Int) throws {
        var checks = AppleChecks()
        try SimulatedDevice().run {
            var publicQuery: [CFString: Any] = [kSecAttrLabel: "public name"]
            var privateQuery: [CFString: Any] = [kSecAttrLabel: "private name"]
            let pair = Self.pair(
                type as CFString, bits,
                [
                    kSecAttrIsPermanent: true, kSecPublicKeyAttrs: publicQuery, kSecPrivateKeyAttrs: privateQuery,
                ])
            checks.ok(pair.status == errSecSuccess)
            checks.ok(pair.publicKey != nil)
            checks.ok(pair.privateKey != nil)
            publicQuery = key(publicQuery).object
            privateQuery = key(privateQuery).object.with([kSecAttrCanSign: true])
            var (foundPublic, foundPrivate): (CFTypeRef?, CFTypeRef?)
            checks.ok(SecItemCopyMatching(publicQuery as CFDictionary, &foundPublic) == errSecSuccess)
            checks.ok(SecItemCopyMatching(privateQuery as CFDictionary, &foundPrivate) == errSecSuccess)
            let publicKey = try #require(foundPublic as? SecKey)
            let privateKey = try #require(foundPrivate as? SecKey)
            checks.ok(publicKey == pair.publicKey)
            checks.ok(privateKey == pair.privateKey)
            let something = Data(repeating: 1, count: 20)
            let (status, signature) = Self.rawSign(privateKey, .PKCS1, something)
            checks.ok(status == errSecSuccess)
            checks.ok(Self.rawVerify(publicKey, .PKCS1, something, signature) == errSecSuccess)
            var (buffer, count) = ([UInt8](repeating: 0, count: 600), 600)
            checks.ok(
                SecKeyEncrypt(publicKey, .PKCS1SHA1, Array(something), something.count, &buffer, &count) == errSecParam)
            checks.ok(SecItemDelete(publicQuery as CFDictionary) == errSecSuccess)
            checks.ok(SecItemDelete(privateQuery as CFDictionary) == errSecSuccess)
        }
        #expect(checks.taken == 12)
    }

    @Test func deprecatedCallsSignWithThesePaddings() {
        var checks = AppleChecks()
        let key = SomeKeys.rsa2048
        let something = Data(repeating: 7, count: 256 - 11)
        checks.ok(Self.rawSign(key, .PKCS1, something + [1]).0 == errSecParam)
        let (status, signature) = Self.rawSign(key, .PKCS1, something)
        checks.ok(status == errSecSuccess)
        checks.ok(Self.rawVerify(key.publicHalf, .PKCS1, something, signature) == errSecSuccess)
        checks.ok(Self.rawVerify(key.publicHalf, .PKCS1, something, Data()) == errSSLCrypto)
        for padding in [SecPadding.PKCS1MD2, .PKCS1MD5] {
            checks.ok(Self.rawSign(key, padding, Data(count: 16)).0 != errSecSuccess)
            checks.ok(Self.rawVerify(key.publicHalf, padding, Data(count: 16), signature) != errSecSuccess)
        }
        let paddings: [SecPadding] = [.PKCS1SHA1, .PKCS1SHA224, .PKCS1SHA256, .PKCS1SHA384, .PKCS1SHA512]
        for (padding, hash) in zip(paddings, Self.hashes) {
            let (status, signature) = Self.rawSign(key, padding, Data(count: hash.digestCount))
            checks.ok(status == errSecSuccess)
            checks.ok(
                Self.rawVerify(key.publicHalf, padding, Data(count: hash.digestCount), signature) == errSecSuccess)
            if padding == .PKCS1SHA1 {
                // A public key decrypts a signature to what was signed: the padding, and the name and value of the digest.
                var (buffer, count) = ([UInt8](repeating: 0, count: 256), 256)
                checks.ok(
                    SecKeyDecrypt(key.publicHalf, [], Array(signature), signature.count, &buffer, &count)
                        == errSecSuccess)
                checks.ok(count == 255)
                let end = buffer.prefix(count).firstIndex(of: 0) ?? 0
                checks.ok(count - end == 16 + 20)
            }
        }
        #expect(checks.taken == 21)
    }

    @Test func deprecatedCallsEncryptAsMuchAsFits() {
        var checks = AppleChecks()
        let key = SomeKeys.rsa2048
        for (padding, limit) in [(SecPadding(), 256), (.PKCS1, 245), (.OAEP, 214)] {
            var secret = [UInt8](repeating: 0xA5, count: limit + 2)
            if padding == [] { (secret[0], secret[1]) = (0, 128) }
            var (box, boxCount) = ([UInt8](repeating: 0, count: 256), 256)
            checks.ok(
                SecKeyEncrypt(key.publicHalf, padding, secret, limit + 2, &box, &boxCount) == errSecParam)
            checks.ok(SecKeyEncrypt(key.publicHalf, padding, secret, limit, &box, &boxCount) == errSecSuccess)
            var (opened, count) = ([UInt8](repeating: 0xFF, count: 256), 256)
            checks.ok(SecKeyDecrypt(key, padding, box, boxCount, &opened, &count) == errSecSuccess)
            let expected = padding == [] ? Array(secret[1..<limit]) : Array(secret[..<limit])
            checks.ok(count == expected.count)
            checks.ok(Array(opened.prefix(count)) == expected)
        }
        #expect(checks.taken == 15)
    }

    // MARK: si-44-seckey-rsa

    @Test func rsaEncryptsUpToItsLimits() {
        var checks = AppleChecks()
        let key = SomeKeys.rsa2048
        let limits: [(SecKeyAlgorithm, Int)] = [
            (.rsaEncryptionRaw, 256), (.rsaEncryptionPKCS1, 245), (.rsaEncryptionOAEPSHA1, 214),
            (.rsaEncryptionOAEPSHA256, 190),
        ]
        for (algorithm, limit) in limits {
            let box = key.publicHalf.encrypt(Data(count: limit), algorithm).result
            checks.ok(box != nil)
            checks.ok(box?.count == 256)
            let (none, error) = key.publicHalf.encrypt(Data(count: limit + 1), algorithm)
            checks.ok(none == nil)
            checks.ok(error?.code == Int(errSecParam))
        }
        for algorithm in Self.rsaEncryptions + [.rsaEncryptionOAEPSHA384, .rsaEncryptionOAEPSHA512] {
            let message = Data("encrypt".utf8)
            let box = key.publicHalf.encrypt(message, algorithm).result
            checks.ok(box != nil)
            let opened = box.flatMap { key.decrypt($0, algorithm).result }
            checks.ok(opened != nil)
            checks.ok(algorithm == .rsaEncryptionRaw ? opened?.suffix(7) == message : opened == message)
        }
        #expect(checks.taken == 37)
    }

    @Test func rsaSignsWithPSS() throws {
        var checks = AppleChecks()
        let key = SomeKeys.rsa2048
        let algorithms: [(SecKeyAlgorithm, SecKeyAlgorithm, HashAlgorithm)] = [
            (.rsaSignatureMessagePSSSHA1, .rsaSignatureDigestPSSSHA1, .sha1),
            (.rsaSignatureMessagePSSSHA224, .rsaSignatureDigestPSSSHA224, .sha224),
            (.rsaSignatureMessagePSSSHA256, .rsaSignatureDigestPSSSHA256, .sha256),
            (.rsaSignatureMessagePSSSHA384, .rsaSignatureDigestPSSSHA384, .sha384),
            (.rsaSignatureMessagePSSSHA512, .rsaSignatureDigestPSSSHA512, .sha512),
        ]
        let message = Data("1234".utf8)
        for (ofMessage, ofDigest, hash) in algorithms {
            checks.ok(key.does(.sign, ofMessage))
            checks.ok(key.does(.sign, ofDigest))
            let first = try #require(key.sign(message, ofMessage).result)
            checks.ok(key.publicHalf.verify(first, of: message, ofMessage).result)
            let second = try #require(key.sign(message.digest(hash), ofDigest).result)
            checks.ok(key.publicHalf.verify(second, of: message, ofMessage).result)
            checks.ok(key.publicHalf.verify(first, of: message.digest(hash), ofDigest).result)
        }
        #expect(checks.taken == 25)
    }

    // MARK: SecKeyTests and KeychainCryptoTests

    @Test func attributesAreFoundByTheirNamesAndConstants() {
        let attributes = SecKeyCopyAttributes(SomeKeys.p384) ?? [:]
        var checks = AppleChecks()
        checks.ok(CFEqual(attributes[kSecAttrKeySizeInBits], attributes["bsiz"]))
        checks.ok(attributes["bsiz"] as? Int == 384)
        #expect(checks.taken == 2)
    }

    @Test func aMessageWithoutItsTagDoesNotDecrypt() throws {
        var checks = AppleChecks()
        let algorithm = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
        let box = try #require(SomeKeys.p256.publicHalf.encrypt(Data("message".utf8), algorithm).result)
        checks.ok(SomeKeys.p256.decrypt(box, algorithm).result == Data("message".utf8))
        let (none, error) = SomeKeys.p256.decrypt(box.dropLast(16), algorithm)
        checks.ok(none == nil)
        checks.ok(error?.code == Int(errSecParam))
        #expect(checks.taken == 3)
    }

    @Test func aPermanentKeyThatFailsLeavesNothing() {
        var checks = AppleChecks()
        SimulatedDevice().run {
            for (size, group) in [(1_000_000, nil), (256, "nonexistent-access-group")] as [(Int, String?)] {
                var parameters: [CFString: Any] = [
                    kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: size,
                    kSecAttrIsPermanent: true, kSecAttrLabel: "failing",
                ]
                if let group { parameters[kSecAttrAccessGroup] = group }
                let (none, error) = generate(parameters)
                checks.ok(none == nil)
                checks.ok(error?.code == Int(group == nil ? errSecParam : errSecMissingEntitlement))
                checks.ok(
                    SecItemCopyMatching(key([kSecAttrLabel: "failing"]) as CFDictionary, nil) == errSecItemNotFound)
            }
        }
        #expect(checks.taken == 6)
    }

    @Test func aStoredKeyComesBack() throws {
        var checks = AppleChecks()
        try SimulatedDevice().run {
            let item = key([kSecValueRef: SomeKeys.rsa2048, kSecAttrLabel: "TestLabel"])
            checks.ok(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            var found: CFTypeRef?
            checks.ok(SecItemCopyMatching(item.object as CFDictionary, &found) == errSecSuccess)
            checks.ok(try #require(found as? SecKey).external == SomeKeys.rsa2048.external)
        }
        #expect(checks.taken == 3)
    }
}

extension SecKey {
    fileprivate var publicKeyIsRSA: Bool { CFEqual(attributes[kSecAttrKeyType], kSecAttrKeyTypeRSA) }
}
