import KeyKit
import SodiumKit
import Testing

/// The agreement and the cipher of the Secret Service.
@Suite struct SecretServiceSchemesTests {
    @Test func bothEndsAgreeOnASecretOf128Bytes() throws {
        for _ in 0..<20 {
            let mine = try SecondOakleyKey()
            let theirs = try SecondOakleyKey()
            let keys = [mine.publicKey, theirs.publicKey]
            #expect(keys[0].count == 128 && keys[0] != keys[1])
            let secret = try mine.sharedSecret(with: theirs.publicKey.span.bytes)
            let other = try theirs.sharedSecret(with: mine.publicKey.span.bytes)
            let count = secret.count
            #expect(count == 128)
            let isEqual = secret.equals(other)
            #expect(isEqual)
        }
    }

    @Test func aPublicKeyForWhichTheSecretIsKnownIsRefused() throws {
        let key = try SecondOakleyKey()
        let prime = [UInt8](repeating: 0xFF, count: 128)
        for other in [[], [0], [1], [UInt8](repeating: 0, count: 128), prime, [UInt8](repeating: 2, count: 129)] {
            #expect(throws: KeyError.invalidKey) { _ = try key.sharedSecret(with: other.span.bytes) }
        }
    }

    /// The first block of SP 800-38A, F.2.1.
    @Test func theCipherGivesThePublishedBlock() throws {
        let key: [UInt8] = [
            0x2B, 0x7E, 0x15, 0x16, 0x28, 0xAE, 0xD2, 0xA6, 0xAB, 0xF7, 0x15, 0x88, 0x09, 0xCF, 0x4F, 0x3C,
        ]
        let message: [UInt8] = [
            0x6B, 0xC1, 0xBE, 0xE2, 0x2E, 0x40, 0x9F, 0x96, 0xE9, 0x3D, 0x7E, 0x11, 0x73, 0x93, 0x17, 0x2A,
        ]
        let block: [UInt8] = [
            0x76, 0x49, 0xAB, 0xAC, 0x81, 0x19, 0xB2, 0x46, 0xCE, 0xE9, 0x8E, 0x9B, 0x12, 0xE9, 0x19, 0x7D,
        ]
        let vector = [UInt8](0..<16)
        let box = try AES128CBC.encrypt(message.span.bytes, key: key.span.bytes, vector: vector.span.bytes)
        #expect(box.count == 32 && Array(box[..<16]) == block)
    }

    @Test func everyLengthDecryptsToItselfAndADamagedOneDoesNot() throws {
        let (key, vector) = (Sodium.randomBytes(16), Sodium.randomBytes(16))
        for count in 0...100 {
            let message = Sodium.randomBytes(count)
            let box = try AES128CBC.encrypt(message.span.bytes, key: key.span.bytes, vector: vector.span.bytes)
            let opened = try AES128CBC.decrypt(box.span.bytes, key: key.span.bytes, vector: vector.span.bytes)
            #expect(opened.withBytes { $0.withUnsafeBytes { Array($0) } } == message)
            let cut = Array(box.dropLast())
            #expect(throws: KeyError.cannotDecrypt) {
                _ = try AES128CBC.decrypt(cut.span.bytes, key: key.span.bytes, vector: vector.span.bytes)
            }
        }
        #expect(throws: KeyError.invalidSize(15)) {
            _ = try AES128CBC.encrypt([1].span.bytes, key: Array(key.dropLast()).span.bytes, vector: vector.span.bytes)
        }
    }
}
