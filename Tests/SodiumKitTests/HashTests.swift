import SodiumKit
import Testing

/// Tags, keyed hashes, checksums and derived keys.
@Suite struct HashTests {
    /// The reference vectors of SipHash-2-4 with 128 bits, from its authors: the bytes 0, 1, 2 and so on under the key
    /// 0 to 15.
    @Test func tagsAreThePublishedHash() throws {
        let key = try key(counting(32))
        let published = [
            "a3817f04ba25a8e66df67214c7550293", "da87c1d86b99af44347659119b22fc45", "8177228da4a45dc7fca38bdef60affe4",
            "9c70b60c5267a94e5f33b6b02985ed51", "f88164c12d9c8faf7d0f6e7c7bcd5579",
        ]
        for (count, expected) in published.enumerated() {
            let tag = Tag(of: counting(count).span.bytes, under: key)
            #expect(tag.withBytes { $0.withUnsafeBytes { Array($0) } } == bytes(hex: expected))
            #expect(tag == Tag(bytes(hex: expected).span.bytes))
        }
    }

    @Test func tagsDifferByMessageAndByTheFirstHalfOfTheKey() throws {
        let message = counting(9)
        let tag = Tag(of: message.span.bytes, under: try key(counting(32)))
        for place in 0..<32 {
            var other = counting(32)
            other[place] ^= 1
            let isSame = Tag(of: message.span.bytes, under: try key(other)).equals(tag)
            #expect(isSame == (place >= 16), "key byte \(place)")
        }
        for place in message.indices {
            var other = message
            other[place] ^= 1
            #expect(Tag(of: other.span.bytes, under: try key(counting(32))).equals(tag) == false)
        }
    }

    @Test func tagsAreEqualOnlyWhenEveryByteIs() {
        let one = counting(16)
        let tag = Tag(one.span.bytes)
        #expect(tag.equals(Tag(one.span.bytes)))
        for place in 0..<16 {
            var other = one
            other[place] ^= 0x80
            #expect(!tag.equals(Tag(other.span.bytes)))
            #expect(tag != Tag(other.span.bytes))
        }
        #expect(Tag.none.equals(Tag([UInt8](repeating: 0, count: 16).span.bytes)) == true)
    }

    private func hash(_ parts: [[UInt8]]) throws -> [UInt8] {
        var hash = try KeyedHash(try key(counting(32)))
        for part in parts { hash.add(part.span.bytes) }
        return hash.bytes()
    }

    /// Compares with Python's hashlib: BLAKE2b with 32 bytes under a key, over each part with its length.
    @Test func aKeyedHashIsBlakeOverPartsWithTheirLengths() throws {
        #expect(
            try hash([]) == bytes(hex: "4e51e7a913fc80137da52880fecca175bf81e117d5c68126dc2774033517ea0d"))
        #expect(
            try hash([Array("abc".utf8)])
                == bytes(hex: "5b73af91afe1f77d7b5bef28845d1e84042bb4f8ff72b77a01ae8cf3523ce65f"))
        var mixed = try KeyedHash(try key(counting(32)))
        mixed.add("ab".utf8Span.span.bytes)
        mixed.add("c".utf8Span.span.bytes)
        mixed.add(7)
        #expect(mixed.bytes() == bytes(hex: "535b4d162676b324d5f466fd8450744ba042f8950c805457263410b3ed88e5f2"))
    }

    @Test func partsDoNotRunTogether() throws {
        let parts: [[[UInt8]]] = [
            [], [[]], [[], []], [[1, 2, 3]], [[1, 2], [3]], [[1], [2, 3]], [[1], [2], [3]], [[1, 2, 3], []],
            [[], [1, 2, 3]], [[3], [1, 2]], [[3, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]],
        ]
        let hashes = try parts.map { try hash($0) }
        #expect(Set(hashes).count == parts.count)
    }

    @Test func aHashAsKeyIsTheSameBytesAndAKeyIsAPartLikeItsBytes() throws {
        let part = try Key.random()
        var one = try KeyedHash(try key(counting(32)))
        one.add(part)
        var other = try KeyedHash(try key(counting(32)))
        other.add(part.array().span.bytes)
        #expect(try one.key().array() == other.bytes())
    }

    @Test func aLongPartIsTheSameInOnePieceOrNot() throws {
        let long = counting(1000)
        #expect(try hash([long]) != hash([Array(long.prefix(500)), Array(long.suffix(500))]))
        #expect(try hash([long]) == hash([long]))
    }

    /// BLAKE2b with 16 bytes and no key, from Python's hashlib.
    @Test func checksumsAreBlakeWithoutAKey() {
        #expect(Checksum.of(RawSpan()) == bytes(hex: "cae66941d9efbd404e4d88758ea67670"))
        #expect(Checksum.of("abc".utf8Span.span.bytes) == bytes(hex: "cf4ab791c62b8d2b2109c90275287816"))
    }

    /// libsodium's crypto_kdf is BLAKE2b with the number as salt and the purpose as person; values from Python's
    /// hashlib.
    @Test func derivedKeysAreWhatTheirNumberAndPurposeMakeThem() throws {
        let key = try key(counting(32))
        #expect(
            try key.derive(1, "Latchkey").array()
                == bytes(hex: "98915356b9cc936d734225642641cb518ec171a503afed2a0308ce440babf8bf"))
        #expect(
            try key.derive(2, "Latchkey").array()
                == bytes(hex: "65726d9d996d4a83dd4d88300ab31b7b64b519578911f58626b291b6a64978c5"))
        #expect(
            try key.derive(1, "metadata").array()
                == bytes(hex: "68cd9ede0f4a1ffe3fc6849a5e25488f3c9971563a1a26494ed25aebeeab1ef3"))
        let other = try Key.random()
        #expect(try other.derive(1, "Latchkey").equals(key.derive(1, "Latchkey")) == false)
    }
}
