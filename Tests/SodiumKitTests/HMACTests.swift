import SodiumKit
import Testing

/// SHA-256 and HMAC with it, as their standards publish them.
@Suite struct HMACTests {
    @Test func hashesAreThePublishedOnes() {
        #expect(
            SHA256.hexadecimal([UInt8]().span.bytes)
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            SHA256.hexadecimal("abc".utf8Span.span.bytes)
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    /// RFC 4231, cases 2 and 6: a short key, and one that is longer than a block.
    @Test func codesAreThePublishedOnes() throws {
        func code(_ message: String, _ key: [UInt8]) throws -> [UInt8] {
            try HMAC256.key(message.utf8Span.span.bytes, under: key.span.bytes).withBytes {
                $0.withUnsafeBytes { Array($0) }
            }
        }
        #expect(
            try code("what do ya want for nothing?", Array("Jefe".utf8))
                == bytes(hex: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
        #expect(
            try code("Test Using Larger Than Block-Size Key - Hash Key First", Array(repeating: 0xAA, count: 131))
                == bytes(hex: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"))
        let key = try key(counting(32))
        #expect(
            bytes(hex: try HMAC256.hexadecimal("abc".utf8Span.span.bytes, under: key))
                == (try code("abc", counting(32))))
    }
}
