import Foundation
import LatchkeyCryptoKit
import Testing

/// The wrapping of keys, with the examples of RFC 3394.
@Suite struct KeyWrapTests {
    private static let secret = data("00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f")

    /// The numbers of bytes in the wrapping key and in the secret, and the wrapped secret.
    private static let examples: [(key: Int, secret: Int, wrapped: String)] = [
        (16, 16, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"),
        (24, 16, "96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d"),
        (32, 16, "64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7"),
        (24, 24, "031d33264e15d33268f24ec260743edce1c6c7ddee725a936ba814915c6762d2"),
        (32, 24, "a8f9bc1612c68b3ff6e6f4fbe30e71e4769c8b80a32cb8958cd5d17d6b254da1"),
        (32, 32, "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21"),
    ]

    @Test(arguments: examples.indices) func publishedWraps(index: Int) throws {
        let example = Self.examples[index]
        let key = SymmetricKey(data: counting(example.key))
        let secret = SymmetricKey(data: Self.secret.prefix(example.secret))
        let wrapped = try AES.KeyWrap.wrap(secret, using: key)
        #expect(hex(wrapped) == example.wrapped)
        #expect(try AES.KeyWrap.unwrap(Pieces(wrapped), using: key) == secret)
        for place in wrapped.indices {
            var changed = wrapped
            changed[place] ^= 1
            #expect(throws: CryptoKitError.unwrapFailure) { try AES.KeyWrap.unwrap(changed, using: key) }
        }
        let other = SymmetricKey(data: counting(example.key, from: 1))
        #expect(throws: CryptoKitError.unwrapFailure) { try AES.KeyWrap.unwrap(wrapped, using: other) }
    }

    @Test func onlyWholeBlocksAreWrapped() {
        let key = SymmetricKey(size: .bits256)
        for count in [0, 1, 8, 15, 17, 23, 33] {
            #expect(throws: CryptoKitError.wrapFailure) {
                try AES.KeyWrap.wrap(SymmetricKey(data: Data(count: count)), using: key)
            }
            #expect(throws: CryptoKitError.unwrapFailure) {
                try AES.KeyWrap.unwrap(Data(count: count + 8), using: key)
            }
        }
        #expect(throws: CryptoKitError.unwrapFailure) {
            try AES.KeyWrap.unwrap(Data(count: (1 << 20) + 16), using: key)
        }
        for count in [0, 8, 15, 20, 33, 64] {
            let wrong = SymmetricKey(data: Data(count: count))
            #expect(throws: CryptoKitError.incorrectKeySize) { try AES.KeyWrap.wrap(key, using: wrong) }
            #expect(throws: CryptoKitError.incorrectKeySize) { try AES.KeyWrap.unwrap(Data(count: 40), using: wrong) }
        }
    }

    @Test func aLongSecretComesBack() throws {
        let key = SymmetricKey(size: .bits192)
        for count in [64, 1024, 100_000] {
            let secret = SymmetricKey(size: SymmetricKeySize(bitCount: count * 8))
            let wrapped = try AES.KeyWrap.wrap(secret, using: key)
            #expect(wrapped.count == count + 8)
            #expect(try AES.KeyWrap.unwrap(wrapped, using: key) == secret)
        }
    }
}
