import Foundation
import KeyKit
import SodiumKit
import Testing

/// Results that others have published.
@Suite struct VectorTests {
    /// A box that an iPhone made, with its key (Stack Overflow, question 64702417).
    @Test func theBoxOfAnIPhoneOpens() throws {
        let half = try bytes(
            base64: "BBPT50Rn0PeeV0LxUbhDV7U1FUgVw9YLVctQx5HA+TiA3lp3k/cud8Xsjh6lytgaI5S7IUW1YouUiPNR/7LPArk=")
        let key = try PrivateKey(
            checking: bytes(
                base64: """
                    BBPT50Rn0PeeV0LxUbhDV7U1FUgVw9YLVctQx5HA+TiA3lp3k/cud8Xsjh6lytgaI5S7IUW1YouUiPNR/7LPArkWcIYOQWtdkbTq\
                    my++lz0cQ8ukWvUyhD9yzqZHPLQgQg==
                    """), .ec)
        let box = try bytes(
            base64: """
                BNNzHjSJQxP8jNuj5W9XSW0XNgpOlEHY/S4KzZQJFxwjzoujuwz5kJeOLj6cASBaYKePGLhkbE0qN20y8aHpU+PmeuDJWY7LZ25Ljvut\
                afOJGugdRZdURRwFSke7hzhXlSneaTFegT3xOoq9ffjCynwD7iRD
                """)
        #expect(key.publicKey.externalRepresentation == half)
        #expect(hex(try key.publicKey.fingerprint) == "56725b15c62b4dd01f626667a197039b73949bf3")
        let message = Array("514227F0-51E9-41AC-9A39-42752E2ABADF".utf8)
        #expect(try key.decrypt(box, with: .ecies(.cofactor, .sha256, .derived)) == message)
        #expect(throws: KeyError.cannotDecrypt) { try key.decrypt(box, with: .ecies(.cofactor, .sha256, .zero)) }
    }

    /// ECIES with a fixed ephemeral key: the ends of boxes that Python's cryptography made of "hello".
    struct SealedHello: Sendable {
        let curve: Curve
        let hash: HashAlgorithm
        let vector: InitializationVector
        let parameters: EncryptionParameters
        let end: String
    }

    private static let shared = EncryptionParameters(
        sharedInfo: Array("shared".utf8), additionalData: Array("aad".utf8))

    static let sealed: [SealedHello] = [
        (
            Curve.p256, "62fc5bde3591b56544759d8a4b41c2d9085a8bb4de", "3d64526faa52e34b274a468f6aa8ebca985735894c",
            "6464aca20e393c05a4818dd4684176973ac692a80d", "5ab3346f79b8bfb8c2e8a4dbcebcc6430389ee3ee6"
        ),
        (
            .p384, "ccc66fd54cd4bcfc7891df27eb0ed462c4e28a3342", "fe07ce829002dcaacc241673ef46db17b72fc7c089",
            "63e05464118f6969f4b62665440f01740aeb4ed340", "dbe973fed4cd13e814eb5fea92363eb7f3972f63f3"
        ),
        (
            .p521, "5095a1c0dd514da18bb4edc9b59c201f67dbc7944f", "614f91f199ef09ca5f894e0a85158eee85989f1d67",
            "23ff3b73c9a12e7972e939f5fa4cee069f5b409016", "4a6d44fbdd4f951bee541e74df96b0c476b10e02a6"
        ),
    ].flatMap { curve, derived, zero, withParameters, sha512 in
        [
            SealedHello(curve: curve, hash: .sha256, vector: .derived, parameters: .init(), end: derived),
            SealedHello(curve: curve, hash: .sha256, vector: .zero, parameters: .init(), end: zero),
            SealedHello(curve: curve, hash: .sha256, vector: .derived, parameters: shared, end: withParameters),
            SealedHello(curve: curve, hash: .sha512, vector: .derived, parameters: .init(), end: sha512),
        ]
    }

    static let recipient = bytes(hex: "332e834c6de47dcad7e12e1d26ce79406c3d2c2dbccc921e530047e8192c4baf")
    static let ephemeral = bytes(hex: "41a0a12e57f6f4e92582ccd77efef7f8e0a9376bad8390bf5ccdfc605ba4c5c0")

    @Test(arguments: sealed) func aBoxWithAFixedEphemeralKeyIsTheSame(_ sealed: SealedHello) throws {
        let recipient = try PrivateKey(scalar: Self.recipient, on: sealed.curve)
        let ephemeral = try PrivateKey(scalar: Self.ephemeral, on: sealed.curve)
        for form in AgreementForm.allCases {
            let scheme = EncryptionScheme.ecies(form, sealed.hash, sealed.vector)
            let box = try recipient.publicKey.encrypt(
                Array("hello".utf8).span.bytes, with: scheme, sealed.parameters, ephemeral: ephemeral)
            #expect(Array(box.prefix(sealed.curve.pointCount)) == ephemeral.publicKey.externalRepresentation)
            #expect(hex(Array(box.dropFirst(sealed.curve.pointCount))) == sealed.end)
            #expect(try recipient.decrypt(box, with: scheme, sealed.parameters) == Array("hello".utf8))
        }
    }

    @Test func theFingerprintsOfTheseKeysAreKnown() throws {
        let known: [Curve: String] = [
            .p256: "a3747d3e9a2bbbecb53065bf2d1137d733bb7b4e", .p384: "580fcb38b3cf4e90a85cd26a146ff1d7a35b57b9",
            .p521: "c06c8e96d802b5acea82b8767736303ba0a927ca",
        ]
        for curve in Curve.allCases {
            let key = try PrivateKey(scalar: Self.recipient, on: curve)
            #expect(hex(try key.publicKey.fingerprint) == known[curve])
        }
    }

    /// RFC 6979, A.2.5 to A.2.7: signatures of "sample" and "test".
    @Test func theSignaturesOfRFC6979AreValid() throws {
        let p256 = try PrivateKey(
            scalar: bytes(hex: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"), on: .p256)
        #expect(
            p256.publicKey.externalRepresentation
                == [4]
                + bytes(
                    hex: """
                        60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6
                        7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299
                        """))
        let signature = bytes(
            hex: """
                EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716
                F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8
                """)
        #expect(
            try p256.publicKey.verify(
                signature, of: Array("sample".utf8), with: .ecdsa(.rfc4754, .sha256, .message)))
        #expect(
            try !p256.publicKey.verify(signature, of: Array("test".utf8), with: .ecdsa(.rfc4754, .sha256, .message)))
    }

    /// RFC 5903, 8.1: an agreement on P-256.
    @Test func theAgreementOfRFC5903IsTheSame() throws {
        let initiator = try PrivateKey(
            scalar: bytes(hex: "C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433"), on: .p256)
        let responder = try PrivateKey(
            scalar: bytes(hex: "C6EF9C5D78AE012A011164ACB397CE2088685D8F06BF9BE0B283AB46476BEE53"), on: .p256)
        let secret = bytes(hex: "D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE")
        #expect(try initiator.sharedSecret(with: responder.publicKey).array() == secret)
        #expect(try responder.sharedSecret(with: initiator.publicKey).array() == secret)
    }

    /// FIPS 180: the digests of "abc".
    @Test func theDigestsAreTheStandardOnes() throws {
        let known: [HashAlgorithm: String] = [
            .sha1: "a9993e364706816aba3e25717850c26c9cd0d89d",
            .sha224: "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
            .sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            .sha384: """
            cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7
            """,
            .sha512: """
            ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd\
            454d4423643ce80e2a9ac94fa54ca49f
            """,
        ]
        for hash in HashAlgorithm.allCases {
            let digest = try hash.digest(of: Array("abc".utf8).span.bytes)
            #expect(hex(digest) == known[hash])
            #expect(digest.count == hash.digestCount)
        }
    }
}

extension PrivateKey {
    /// Creates the key of a scalar, whose public half is computed.
    init(scalar: [UInt8], on curve: Curve) throws {
        let name: [UInt8] =
            switch curve {
            case .p256: [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
            case .p384: [0xA0, 0x07, 0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
            case .p521: [0xA0, 0x07, 0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
            }
        let content = [0x02, 0x01, 0x01, 0x04, UInt8(scalar.count)] + scalar + name
        self = try PrivateKey(der: secure([0x30, UInt8(content.count)] + content))
    }
}
