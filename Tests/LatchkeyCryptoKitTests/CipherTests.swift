import Foundation
import LatchkeyCryptoKit
import Testing

/// AES-GCM and ChaCha20-Poly1305, with the published examples of the proposal to NIST and of RFC 8439.
@Suite struct CipherTests {
    private static let text = data(
        """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657\
        ba637b39
        """)
    private static let additional = data("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    private static let key = data("feffe9928665731c6d6a8f9467308308")

    /// Key, nonce, message, additional data, and the ciphertext with the tag.
    private static let boxes: [(key: Data, nonce: Data, message: Data, additional: Data, box: String)] = [
        (repeated(0, 16), repeated(0, 12), Data(), Data(), "58e2fccefa7e3061367f1d57a4e7455a"),
        (
            repeated(0, 16), repeated(0, 12), repeated(0, 16), Data(),
            "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf"
        ),
        (
            repeated(0, 24), repeated(0, 12), repeated(0, 16), Data(),
            "98e7247c07f0fe411c267e4384b0f6002ff58d80033927ab8ef4d4587514f0fb"
        ),
        (
            repeated(0, 32), repeated(0, 12), repeated(0, 16), Data(),
            "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
        ),
        (
            key, data("cafebabefacedbaddecaf888"), text, additional,
            """
            42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0a\
            ac973d58e0915bc94fbc3221a5db94fae95ae7121a47
            """
        ),
        (
            key + key,
            data(
                """
                9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728c3c0c95156809539fcf0e2429a6b525416aedbf5\
                a0de6a57a637b39b
                """), text, additional,
            """
            5a8def2f0c9e53f1f75d7853659e2a20eeb2b22aafde6419a058ab4f6f746bf40fc0c3b780f244452da3ebf1c5d82cdea2418997200e\
            f82e44ae7e3fa44a8266ee1c8eb0c8b5d4cf5ae9f19a
            """
        ),
    ]

    @Test(arguments: boxes.indices) func publishedBoxesOfAES(index: Int) throws {
        let (key, nonce, message, additional, box) = Self.boxes[index]
        let symmetric = SymmetricKey(data: key)
        let sealed = try AES.GCM.seal(
            Pieces(message), using: symmetric, nonce: AES.GCM.Nonce(data: nonce), authenticating: Pieces(additional))
        #expect(hex(sealed.ciphertext + sealed.tag) == box)
        #expect(Data(sealed.nonce) == nonce)
        #expect(try AES.GCM.open(sealed, using: symmetric, authenticating: additional) == message)
        // Only the usual nonce allows for a box in one piece.
        #expect(sealed.combined == (nonce.count == 12 ? nonce + data(box) : nil))
        let again = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: nonce), ciphertext: sealed.ciphertext, tag: sealed.tag)
        #expect(try AES.GCM.open(again, using: symmetric, authenticating: additional) == message)
    }

    @Test func publishedBoxOfChaCha() throws {
        let key = SymmetricKey(data: counting(32, from: 0x80))
        let message = Data(
            """
            Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would \
            be it.
            """.utf8)
        let nonce = try ChaChaPoly.Nonce(data: data("070000004041424344454647"))
        let additional = data("50515253c0c1c2c3c4c5c6c7")
        let sealed = try ChaChaPoly.seal(message, using: key, nonce: nonce, authenticating: additional)
        #expect(
            hex(sealed.ciphertext) == """
                d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a\
                9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9d\
                e576d26586cec64b6116
                """)
        #expect(hex(sealed.tag) == "1ae10b594f09e26a7e902ecbd0600691")
        #expect(try ChaChaPoly.open(sealed, using: key, authenticating: additional) == message)
        #expect(
            try ChaChaPoly.open(.init(combined: sealed.combined), using: key, authenticating: additional) == message)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 1000, 70_000]) func bothWays(count: Int) throws {
        let message = counting(count)
        let key = SymmetricKey(size: .bits256)
        let box = try AES.GCM.seal(message, using: key)
        #expect(box.ciphertext.count == count)
        #expect(try AES.GCM.open(AES.GCM.SealedBox(combined: box.combined!), using: key) == message)
        let other = try ChaChaPoly.seal(Pieces(message), using: key)
        #expect(try ChaChaPoly.open(ChaChaPoly.SealedBox(combined: other.combined), using: key) == message)
        // A nonce that the caller leaves out is another one each time.
        #expect(try Data(AES.GCM.seal(message, using: key).nonce) != Data(box.nonce))
        #expect(try Data(ChaChaPoly.seal(message, using: key).nonce) != Data(other.nonce))
    }

    /// Any changed byte, another key and other additional data are refused with the same error.
    @Test func whatWasChangedDoesNotOpen() throws {
        let key = SymmetricKey(size: .bits128)
        let whole = try AES.GCM.seal(Data("message".utf8), using: key, authenticating: Data("x".utf8)).combined!
        let key256 = SymmetricKey(size: .bits256)
        let chacha = try ChaChaPoly.seal(Data("message".utf8), using: key256, authenticating: Data("x".utf8)).combined
        for place in whole.indices {
            var wrong = whole
            wrong[place] ^= 1
            #expect(throws: CryptoKitError.authenticationFailure) {
                try AES.GCM.open(.init(combined: wrong), using: key, authenticating: Data("x".utf8))
            }
            wrong = chacha
            wrong[place] ^= 0x80
            #expect(throws: CryptoKitError.authenticationFailure) {
                try ChaChaPoly.open(.init(combined: wrong), using: key256, authenticating: Data("x".utf8))
            }
        }
        #expect(throws: CryptoKitError.authenticationFailure) {
            try AES.GCM.open(.init(combined: whole), using: key)
        }
        #expect(throws: CryptoKitError.authenticationFailure) {
            try AES.GCM.open(
                .init(combined: whole), using: SymmetricKey(size: .bits128), authenticating: Data("x".utf8))
        }
        #expect(throws: CryptoKitError.authenticationFailure) {
            try ChaChaPoly.open(.init(combined: chacha), using: key256, authenticating: Data("y".utf8))
        }
    }

    @Test(arguments: [0, 1, 15, 17, 31, 33, 64]) func keysOfOtherSizes(count: Int) throws {
        let key = SymmetricKey(data: counting(count))
        let box = try AES.GCM.SealedBox(combined: counting(28))
        let other = try ChaChaPoly.SealedBox(combined: counting(28))
        #expect(throws: CryptoKitError.incorrectKeySize) { try AES.GCM.seal(Data(), using: key) }
        #expect(throws: CryptoKitError.incorrectKeySize) { try AES.GCM.open(box, using: key) }
        #expect(throws: CryptoKitError.incorrectKeySize) { try ChaChaPoly.seal(Data(), using: key) }
        #expect(throws: CryptoKitError.incorrectKeySize) { try ChaChaPoly.open(other, using: key) }
    }

    @Test func partsOfOtherSizes() throws {
        for count in [0, 1, 11, 129] {
            #expect(throws: CryptoKitError.incorrectParameterSize) { try AES.GCM.Nonce(data: counting(count)) }
        }
        for count in [0, 11, 13, 24] {
            #expect(throws: CryptoKitError.incorrectParameterSize) { try ChaChaPoly.Nonce(data: counting(count)) }
        }
        for count in [0, 15, 17, 32] {
            #expect(throws: CryptoKitError.incorrectParameterSize) {
                try AES.GCM.SealedBox(nonce: .init(), ciphertext: Data(), tag: counting(count))
            }
            #expect(throws: CryptoKitError.incorrectParameterSize) {
                try ChaChaPoly.SealedBox(nonce: .init(), ciphertext: Data(), tag: counting(count))
            }
        }
        for count in [0, 12, 27] {
            #expect(throws: CryptoKitError.incorrectParameterSize) { try AES.GCM.SealedBox(combined: counting(count)) }
            #expect(throws: CryptoKitError.incorrectParameterSize) {
                try ChaChaPoly.SealedBox(combined: counting(count))
            }
        }
    }

    /// A slice of data counts its places from elsewhere than zero.
    @Test func slicesAreTakenAsTheyAre() throws {
        let key = SymmetricKey(size: .bits256)
        let whole = Data("head".utf8) + (try AES.GCM.seal(Data("message".utf8), using: key).combined!)
        let box = try AES.GCM.SealedBox(combined: whole.dropFirst(4))
        #expect(box.ciphertext.startIndex == 0)
        #expect(try AES.GCM.open(box, using: key) == Data("message".utf8))
    }

    @Test func symmetricKeys() {
        #expect(SymmetricKey(size: .bits128).bitCount == 128)
        #expect(SymmetricKey(size: .bits192).bitCount == 192)
        #expect(SymmetricKey(size: SymmetricKeySize(bitCount: 512)).bitCount == 512)
        #expect(SymmetricKey(size: .bits256) != SymmetricKey(size: .bits256))
        #expect(SymmetricKey(data: counting(32)) == SymmetricKey(data: counting(32)))
        #expect(SymmetricKey(data: counting(32)) != SymmetricKey(data: counting(31)))
        #expect(SymmetricKey(data: SHA256.hash(data: Data())).bitCount == 256)
        #expect(SymmetricKey(data: counting(5)).withUnsafeBytes { Data($0) } == counting(5))
    }
}
