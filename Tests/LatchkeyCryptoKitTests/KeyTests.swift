import Foundation
import LatchkeyCryptoKit
import Testing

/// Keys on NIST's curves, with the published examples of RFC 6979 and RFC 5903.
@Suite struct KeyTests {
    @Test func publishedSignature() throws {
        let key = try P256.Signing.PrivateKey(
            rawRepresentation: data("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"))
        #expect(
            hex(key.publicKey.rawRepresentation) == """
                60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6\
                7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299
                """)
        let numbers = """
            efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716\
            f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8
            """
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: data(numbers))
        #expect(key.publicKey.isValidSignature(signature, for: Data("sample".utf8)))
        #expect(key.publicKey.isValidSignature(signature, for: SHA256.hash(data: Data("sample".utf8))))
        #expect(!key.publicKey.isValidSignature(signature, for: Data("simple".utf8)))
        #expect(!key.publicKey.isValidSignature(signature, for: SHA512.hash(data: Data("sample".utf8))))
        #expect(
            hex(signature.derRepresentation) == "3046022100\(numbers.prefix(64))022100\(numbers.suffix(64))")
    }

    /// The public key of the first party, the private ones of both and their secret.
    @Test func publishedAgreements() throws {
        try agree(
            P256.KeyAgreement.PrivateKey.self, "C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433",
            "C6EF9C5D78AE012A011164ACB397CE2088685D8F06BF9BE0B283AB46476BEE53",
            "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de")
        try agree(
            P384.KeyAgreement.PrivateKey.self,
            "099F3C7034D4A2C699884D73A375A67F7624EF7C6B3C0F160647B67414DCE655E35B538041E649EE3FAEF896783AB194",
            "41CB0779B4BDB85D47846725FBEC3C9430FAB46CC8DC5060855CC9BDA0AA2942E0308312916B8ED2960E4BD55A7448FC",
            "11187331c279962d93d604243fd592cb9d0a926f422e47187521287e7156c5c4d603135569b9e9d09cf5d4a270f59746")
        try agree(
            P521.KeyAgreement.PrivateKey.self,
            """
            0037ADE9319A89F4DABDB3EF411AACCCA5123C61ACAB57B5393DCE47608172A095AA85A30FE1C2952C6771D937BA9777F5957B26\
            39BAB072462F68C27A57382D4A52
            """,
            """
            0145BA99A847AF43793FDD0E872E7CDFA16BE30FDC780F97BCCC3F078380201E9C677D600B343757A3BDBF2A3163E4C2F869CCA7\
            458AA4A4EFFC311F5CB151685EB9
            """,
            """
            01144c7d79ae6956bc8edb8e7c787c4521cb086fa64407f97894e5e6b2d79b04d1427e73ca4baa240a34786859810c06b3c715a3\
            a8cc3151f2bee417996d19f3ddea
            """)
    }

    private func agree<Key: NISTAgreementPrivateKey>(
        _ type: Key.Type, _ first: String, _ second: String, _ expected: String
    ) throws {
        let (first, second) = (try Key(rawRepresentation: data(first)), try Key(rawRepresentation: data(second)))
        let secret = try first.sharedSecretFromKeyAgreement(with: second.publicKey)
        #expect(secret == data(expected))
        #expect(try second.sharedSecretFromKeyAgreement(with: first.publicKey) == secret)
        #expect(secret.withUnsafeBytes { hex($0) } == expected)
        #expect(!secret.description.contains(expected.prefix(8)))
    }

    /// The derivation of X9.63 is SHA(Z, counter, info), so hashes alone give the same.
    @Test func derivedKeys() throws {
        let secret = try P256.KeyAgreement.PrivateKey().sharedSecretFromKeyAgreement(
            with: P256.KeyAgreement.PrivateKey().publicKey)
        let bytes = secret.withUnsafeBytes { Data($0) }
        let info = Data("info".utf8)
        var expected = Data()
        for round in UInt8(1)...3 { expected += SHA256.hash(data: bytes + [0, 0, 0, round] + info) }
        for count in [1, 32, 33, 96] {
            let key = secret.x963DerivedSymmetricKey(
                using: SHA256.self, sharedInfo: Pieces(info), outputByteCount: count)
            #expect(key == SymmetricKey(data: expected.prefix(count)))
        }
        let key = secret.hkdfDerivedSymmetricKey(
            using: SHA384.self, salt: Data("salt".utf8), sharedInfo: info, outputByteCount: 40)
        #expect(
            key
                == HKDF<SHA384>.deriveKey(
                    inputKeyMaterial: SymmetricKey(data: bytes), salt: Data("salt".utf8), info: info,
                    outputByteCount: 40))
        #expect(
            secret.x963DerivedSymmetricKey(using: SHA512.self, sharedInfo: Data(), outputByteCount: 0).bitCount == 0)
    }

    // MARK: - Representations

    private func checkPublic<Key: NISTPublicKey>(_ key: Key, _ count: Int) throws {
        let x963 = key.x963Representation
        #expect(x963.count == 2 * count + 1 && x963.first == 4)
        #expect(key.rawRepresentation == x963.dropFirst())
        #expect(key.rawRepresentation.startIndex == 0)
        #expect(key.compressedRepresentation.count == count + 1)
        #expect(key.compressedRepresentation.first == 2 | x963.last! & 1)
        #expect(!key.pemRepresentation.hasSuffix("\n"))
        let others = [
            try Key(x963Representation: x963), try Key(rawRepresentation: key.rawRepresentation),
            try Key(compressedRepresentation: key.compressedRepresentation),
            try Key(derRepresentation: key.derRepresentation), try Key(pemRepresentation: key.pemRepresentation),
        ]
        for other in others { #expect(other.x963Representation == x963) }
        if let compact = key.compactRepresentation {
            #expect(compact == key.rawRepresentation.prefix(count))
            #expect(try Key(compactRepresentation: compact).x963Representation == x963)
        }

        // A point off the curve, a number that is too large, wrong lengths and wrong forms.
        var wrong = x963
        wrong[wrong.endIndex - 1] ^= 1
        let refused = CryptoKitError.underlyingCoreCryptoError(error: -7)
        #expect(throws: refused) { try Key(x963Representation: wrong) }
        #expect(throws: refused) { try Key(rawRepresentation: wrong.dropFirst()) }
        #expect(throws: refused) { try Key(rawRepresentation: repeated(0xFF, 2 * count)) }
        #expect(throws: refused) { try Key(compressedRepresentation: [2] + repeated(0xFF, count)) }
        #expect(throws: refused) { try Key(compactRepresentation: repeated(0xFF, count)) }
        let size = CryptoKitError.incorrectParameterSize
        for count in [0, 1, x963.count - 1, x963.count + 1, 1000] {
            let bytes = repeated(4, count)
            #expect(throws: size) { try Key(x963Representation: bytes) }
            #expect(throws: size) { try Key(compressedRepresentation: bytes) }
            #expect(throws: size) { try Key(compactRepresentation: bytes) }
        }
        for count in [0, 1, x963.count - 2, x963.count, 1000] {
            #expect(throws: size) { try Key(rawRepresentation: repeated(4, count)) }
        }
        #expect(throws: size) { try Key(x963Representation: [3] + x963.dropFirst()) }
        #expect(throws: size) { try Key(compressedRepresentation: [5] + x963.dropFirst().prefix(count)) }
        #expect(throws: CryptoKitASN1Error.invalidASN1Object) { try Key(derRepresentation: [UInt8]()) }
        #expect(throws: CryptoKitASN1Error.invalidASN1Object) {
            try Key(derRepresentation: key.derRepresentation.dropLast())
        }
        #expect(throws: CryptoKitASN1Error.invalidASN1Object) {
            try Key(derRepresentation: key.derRepresentation + [0])
        }
        #expect(throws: CryptoKitASN1Error.invalidPEMDocument) { try Key(pemRepresentation: "") }
        #expect(throws: (any Error).self) {
            try Key(pemRepresentation: key.pemRepresentation.replacingOccurrences(of: "PUBLIC", with: "PRIVATE"))
        }
    }

    private func checkPrivate<Key: NISTPrivateKey>(_ type: Key.Type, _ count: Int) throws {
        let key = Key()
        #expect(key.publicKey.compactRepresentation != nil)
        // Without the demand, half of all keys are without one.
        let others = (0..<64).map { _ in Key(compactRepresentable: false) }
        #expect(others.contains { $0.publicKey.compactRepresentation == nil })
        #expect(others.contains { $0.publicKey.compactRepresentation != nil })
        for key in others.prefix(8) + [key] {
            #expect(key.rawRepresentation.count == count)
            #expect(key.x963Representation == key.publicKey.x963Representation + key.rawRepresentation)
            #expect(key.pemRepresentation.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
            #expect(!key.pemRepresentation.hasSuffix("\n"))
            let again = [
                try Key(rawRepresentation: key.rawRepresentation), try Key(x963Representation: key.x963Representation),
                try Key(derRepresentation: key.derRepresentation), try Key(pemRepresentation: key.pemRepresentation),
            ]
            for other in again { #expect(other.x963Representation == key.x963Representation) }
        }
        try checkPublic(key.publicKey, count)
        try checkPublic(others[0].publicKey, count)

        let size = CryptoKitError.incorrectParameterSize
        for count in [0, 1, count - 1, count + 1, 1000] {
            #expect(throws: size) { try Key(rawRepresentation: repeated(1, count)) }
        }
        for count in [0, 1, 3 * count, 3 * count + 2, 1000] {
            #expect(throws: size) { try Key(x963Representation: repeated(4, count)) }
        }
        let refused = CryptoKitError.underlyingCoreCryptoError(error: -7)
        #expect(throws: refused) { try Key(rawRepresentation: repeated(0, count)) }
        #expect(throws: refused) { try Key(rawRepresentation: repeated(0xFF, count)) }
        // The halves of two keys.
        #expect(throws: refused) {
            try Key(x963Representation: key.publicKey.x963Representation + others[0].rawRepresentation)
        }
        #expect(throws: CryptoKitASN1Error.invalidASN1Object) { try Key(derRepresentation: Data()) }
        #expect(throws: CryptoKitASN1Error.invalidASN1Object) { try Key(derRepresentation: repeated(0x30, 64)) }
        #expect(throws: CryptoKitASN1Error.invalidPEMDocument) { try Key(pemRepresentation: "no key") }
    }

    @Test func representationsOfP256() throws {
        try checkPrivate(P256.Signing.PrivateKey.self, 32)
        try checkPrivate(P256.KeyAgreement.PrivateKey.self, 32)
    }

    @Test func representationsOfP384() throws {
        try checkPrivate(P384.Signing.PrivateKey.self, 48)
        try checkPrivate(P384.KeyAgreement.PrivateKey.self, 48)
    }

    @Test func representationsOfP521() throws {
        try checkPrivate(P521.Signing.PrivateKey.self, 66)
        try checkPrivate(P521.KeyAgreement.PrivateKey.self, 66)
    }

    /// A key of one curve is none of another, in no representation.
    @Test func keysOfOtherCurves() {
        let key = P384.Signing.PrivateKey()
        let wrong = CryptoKitError.incorrectParameterSize
        #expect(throws: wrong) { try P256.Signing.PrivateKey(pemRepresentation: key.pemRepresentation) }
        #expect(throws: wrong) { try P256.Signing.PrivateKey(derRepresentation: key.derRepresentation) }
        #expect(throws: wrong) { try P256.Signing.PublicKey(pemRepresentation: key.publicKey.pemRepresentation) }
        #expect(throws: wrong) { try P521.Signing.PublicKey(derRepresentation: key.publicKey.derRepresentation) }
        #expect(throws: wrong) { try P521.KeyAgreement.PublicKey(pemRepresentation: key.publicKey.pemRepresentation) }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try P256.Signing.PublicKey(x963Representation: key.publicKey.x963Representation)
        }
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try P256.Signing.PrivateKey(rawRepresentation: key.rawRepresentation)
        }
    }

    /// Old versions of OpenSSL leave the leading zeros of K out.
    @Test func privateKeysWithoutTheirLeadingZerosAreRefused() throws {
        func check<Key: NISTPrivateKey>(_ type: Key.Type, _ scalar: Data, curve: [UInt8]) throws {
            func element(_ tag: UInt8, _ content: Data) -> Data { Data([tag, UInt8(content.count)]) + content }
            for (count, isWhole) in [(scalar.count, true), (scalar.count - 1, false), (1, false)] {
                let key = element(
                    0x30,
                    element(2, Data([1])) + element(4, scalar.suffix(count)) + element(0xA0, element(6, Data(curve))))
                let pem = "-----BEGIN EC PRIVATE KEY-----\n\(key.base64EncodedString())\n-----END EC PRIVATE KEY-----"
                if isWhole {
                    #expect(try Key(derRepresentation: key).rawRepresentation == scalar)
                    #expect(try Key(pemRepresentation: pem).rawRepresentation == scalar)
                } else {
                    #expect(throws: CryptoKitError.incorrectParameterSize) { try Key(derRepresentation: key) }
                    #expect(throws: CryptoKitError.incorrectParameterSize) { try Key(pemRepresentation: pem) }
                }
            }
        }
        let p521: [UInt8] = [0x2B, 0x81, 0x04, 0x00, 0x23]
        try check(P521.Signing.PrivateKey.self, repeated(0, 65) + [7], curve: p521)
        try check(P521.KeyAgreement.PrivateKey.self, repeated(0, 65) + [7], curve: p521)
        try check(P384.Signing.PrivateKey.self, repeated(0, 47) + [7], curve: [0x2B, 0x81, 0x04, 0x00, 0x22])
        try check(
            P256.Signing.PrivateKey.self, repeated(0, 31) + [7],
            curve: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
    }

    // MARK: - Signatures

    private func checkSigning<Key: NISTSigningPrivateKey>(_ type: Key.Type, _ count: Int) throws {
        typealias Signature = Key.PublicKey.ECDSASignature
        let key = Key()
        for message in [Data(), Data("message".utf8), counting(5000)] {
            let signature = try key.signature(for: Pieces(message))
            #expect(signature.rawRepresentation.count == 2 * count)
            #expect(key.publicKey.isValidSignature(signature, for: message))
            #expect(!key.publicKey.isValidSignature(signature, for: message + [0]))
            #expect(!Key().publicKey.isValidSignature(signature, for: message))
            let again = try Signature(derRepresentation: signature.derRepresentation)
            #expect(again.rawRepresentation == signature.rawRepresentation)
            #expect(signature.withUnsafeBytes { Data($0) } == signature.rawRepresentation)
            var wrong = signature.rawRepresentation
            wrong[0] ^= 1
            #expect(!key.publicKey.isValidSignature(try Signature(rawRepresentation: wrong), for: message))
        }
        // A digest of any function of this module.
        let digest = SHA512.hash(data: Data("message".utf8))
        #expect(key.publicKey.isValidSignature(try key.signature(for: digest), for: digest))
        let short = Insecure.SHA1.hash(data: Data("message".utf8))
        #expect(key.publicKey.isValidSignature(try key.signature(for: short), for: short))

        for numbers in [repeated(0, 2 * count), repeated(0xFF, 2 * count)] {
            #expect(!key.publicKey.isValidSignature(try Signature(rawRepresentation: numbers), for: Data()))
        }
        for length in [0, 1, 2 * count - 1, 2 * count + 1, 1000] {
            #expect(throws: CryptoKitError.incorrectParameterSize) {
                try Signature(rawRepresentation: repeated(1, length))
            }
        }
        let der = try key.signature(for: Data()).derRepresentation
        for length in 0..<der.count {
            #expect(throws: CryptoKitASN1Error.invalidASN1Object) {
                try Signature(derRepresentation: der.prefix(length))
            }
        }
        #expect(throws: CryptoKitASN1Error.invalidASN1Object) { try Signature(derRepresentation: der + [0]) }
    }

    @Test func signatures() throws {
        try checkSigning(P256.Signing.PrivateKey.self, 32)
        try checkSigning(P384.Signing.PrivateKey.self, 48)
        try checkSigning(P521.Signing.PrivateKey.self, 66)
    }
}

/// Bernstein's curve, with the published examples of RFC 8032 and RFC 7748.
@Suite struct Curve25519Tests {
    @Test func publishedSignatures() throws {
        let examples = [
            (
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
                """
                e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b\
                d25bf5f0595bbe24655141438e7a100b
                """
            ),
            (
                "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
                "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
                """
                92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c\
                387b2eaeb4302aeeb00d291612bb0c00
                """
            ),
        ]
        for (secret, publicHalf, message, signature) in examples {
            let key = try Curve25519.Signing.PrivateKey(rawRepresentation: data(secret))
            #expect(hex(key.publicKey.rawRepresentation) == publicHalf)
            #expect(hex(try key.signature(for: data(message))) == signature)
            #expect(key.publicKey.isValidSignature(data(signature), for: data(message)))
            #expect(!key.publicKey.isValidSignature(data(signature), for: data(message) + [0]))
            #expect(!key.publicKey.isValidSignature(data(signature).dropLast(), for: data(message)))
            #expect(!key.publicKey.isValidSignature(Data(), for: data(message)))
        }
    }

    @Test func publishedAgreement() throws {
        let key = try Curve25519.KeyAgreement.PrivateKey(
            rawRepresentation: data("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
        #expect(
            hex(key.publicKey.rawRepresentation) == "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
        let other = try Curve25519.KeyAgreement.PublicKey(
            rawRepresentation: data("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"))
        #expect(
            try key.sharedSecretFromKeyAgreement(with: other)
                == data("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"))
    }

    @Test func keysBothWays() throws {
        let (first, second) = (Curve25519.KeyAgreement.PrivateKey(), Curve25519.KeyAgreement.PrivateKey())
        #expect(
            try first.sharedSecretFromKeyAgreement(with: second.publicKey)
                == second.sharedSecretFromKeyAgreement(with: first.publicKey))
        let signing = Curve25519.Signing.PrivateKey()
        let again = try Curve25519.Signing.PrivateKey(rawRepresentation: signing.rawRepresentation)
        let signature = try again.signature(for: Pieces(counting(100)))
        #expect(signing.publicKey.isValidSignature(Pieces(signature), for: Pieces(counting(100))))
        #expect(!Curve25519.Signing.PrivateKey().publicKey.isValidSignature(signature, for: counting(100)))
    }

    @Test(arguments: [0, 1, 31, 33, 64]) func keysOfOtherSizes(count: Int) {
        let bytes = counting(count)
        #expect(throws: CryptoKitError.incorrectKeySize) { try Curve25519.Signing.PrivateKey(rawRepresentation: bytes) }
        #expect(throws: CryptoKitError.incorrectKeySize) { try Curve25519.Signing.PublicKey(rawRepresentation: bytes) }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes)
        }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes)
        }
    }

    /// A point of small order would make the secret predictable.
    @Test(arguments: [repeated(0, 32), [1] + repeated(0, 31)]) func pointsOfSmallOrder(point: Data) throws {
        let other = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: point)
        #expect(throws: CryptoKitError.invalidParameter) {
            try Curve25519.KeyAgreement.PrivateKey().sharedSecretFromKeyAgreement(with: other)
        }
    }
}
