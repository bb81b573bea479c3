import Foundation
import LatchkeyTesting
import Security
import TestSupport
import Testing

/// RSA keys of 1,024 bits, which Apple's system still generates: the checks of si-44-seckey-gen and si-44-seckey-rsa that
/// need this size, as facts.
@Suite struct OldRSAKeyTests {
    private static var parameters: [CFString: Any] {
        [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 1024]
    }
    private static let message = Data("message".utf8)

    @Test func aKeyOf1024BitsIsGeneratedStoredAndRead() throws {
        try SimulatedDevice().run {
            let key = try #require(generate(Self.parameters.with([kSecAttrIsPermanent: true])).key)
            #expect(SecKeyGetBlockSize(key) == 128)
            #expect(key.attributes[kSecAttrKeySizeInBits] as? Int == 1024)
            var found: CFTypeRef?
            let query: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrKeySizeInBits: 1024,
                kSecReturnRef: true,
            ]
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
            #expect(found as? SecKey == key)
            let external = try #require(key.external)
            #expect(imported(external, kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate).key == key)
            let publicKey = try #require(key.publicHalf.external)
            #expect(imported(publicKey, kSecAttrKeyTypeRSA, kSecAttrKeyClassPublic).key == key.publicHalf)
        }
    }

    @Test func aKeyOf1024BitsSignsAndVerifies() throws {
        let key = try #require(generate(Self.parameters).key)
        for algorithm: SecKeyAlgorithm in [
            .rsaSignatureMessagePKCS1v15SHA1, .rsaSignatureMessagePKCS1v15SHA512, .rsaSignatureMessagePSSSHA1,
            .rsaSignatureMessagePSSSHA256, .rsaSignatureMessagePSSSHA384,
        ] {
            #expect(SecKeyIsAlgorithmSupported(key, .sign, algorithm))
            let signature = try #require(key.sign(Self.message, algorithm).result)
            #expect(signature.count == 128)
            #expect(key.publicHalf.verify(signature, of: Self.message, algorithm).result)
            #expect(!key.publicHalf.verify(signature, of: Self.message + [0], algorithm).result)
        }
        // A digest, a salt of its size and the padding do not fit.
        for algorithm: SecKeyAlgorithm in [.rsaSignatureMessagePSSSHA512, .rsaSignatureDigestPSSSHA512] {
            #expect(!SecKeyIsAlgorithmSupported(key, .sign, algorithm))
            let (none, error) = key.sign(Data(count: 64), algorithm)
            #expect(none == nil && error?.code == Int(errSecParam))
            #expect(!key.publicHalf.verify(Data(count: 128), of: Data(count: 64), algorithm).result)
        }
    }

    @Test func aKeyOf1024BitsEncryptsUpToItsLimit() throws {
        let key = try #require(generate(Self.parameters).key)
        for (algorithm, limit) in [
            (SecKeyAlgorithm.rsaEncryptionRaw, 128), (.rsaEncryptionPKCS1, 117), (.rsaEncryptionOAEPSHA1, 86),
            (.rsaEncryptionOAEPSHA256, 62),
        ] {
            let message = Data([0]) + Data(repeating: 7, count: limit - 1)
            let box = try #require(key.publicHalf.encrypt(message, algorithm).result)
            #expect(box.count == 128)
            let opened = try #require(key.decrypt(box, algorithm).result)
            #expect(algorithm == .rsaEncryptionRaw ? message.suffix(opened.count) == opened : opened == message)
            let (none, error) = key.publicHalf.encrypt(message + [7], algorithm)
            #expect(none == nil && error?.code == Int(errSecParam))
        }
        let box = try #require(key.publicHalf.encrypt(Self.message, .rsaEncryptionOAEPSHA1AESGCM).result)
        #expect(key.decrypt(box, .rsaEncryptionOAEPSHA1AESGCM).result == Self.message)
        #expect(key.publicHalf.encrypt(Data([7]), .rsaEncryptionOAEPSHA512).result == nil)
        #expect(key.publicHalf.encrypt(Self.message, .rsaEncryptionOAEPSHA512AESGCM).result == nil)
    }

    @Test func otherOldSizesAreNotGenerated() {
        for (bits, status) in [
            (512, errSecUnimplemented), (1032, errSecUnimplemented), (8192, errSecUnimplemented), (511, errSecParam),
        ] {
            let (none, error) = generate(Self.parameters.with([kSecAttrKeySizeInBits: bits]))
            #expect(none == nil && error?.code == Int(status), "\(bits)")
        }
    }
}
