import SodiumKit
import Testing

/// A box returns its message, and opens under nothing but its key and context.
@Suite struct BoxTests {
    private static let context = Array("context".utf8)

    private func open(_ box: [UInt8], _ key: borrowing Key, _ context: [UInt8] = context) throws -> [UInt8]? {
        switch try Box.open(box.span.bytes, under: key, context: context.span.bytes) {
        case .some(let bytes): bytes.array()
        case .none: nil
        }
    }

    @Test func whatIsSealedOpensUnderTheSameKeyAndContext() throws {
        let key = try Key.random()
        for count in [0, 1, 3, 15, 16, 17, 63, 64, 65, 4096, 70_000] {
            let message = counting(count)
            let box = Box.seal(message.span.bytes, under: key, context: Self.context.span.bytes)
            #expect(box.count == count + Box.overhead)
            #expect(try open(box, key) == message)
        }
    }

    @Test func aContextMayBeEmptyAndIsStillPartOfIt() throws {
        let key = try Key.random()
        let box = Box.seal(counting(5).span.bytes, under: key, context: RawSpan())
        #expect(try open(box, key, []) == counting(5))
        #expect(try open(box, key, [0]) == nil)
    }

    /// The test vector for XChaCha20-Poly1305 in draft-irtf-cfrg-xchacha-03, A.3.1.
    @Test func itIsThePublishedCipher() throws {
        let message =
            "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen "
            + "would be it."
        let sealed = bytes(
            hex: """
                404142434445464748494a4b4c4d4e4f5051525354555657
                bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54
                c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9768812f6
                15c68b13b52e c0875924c1c7987947deafd8780acf49
                """)
        let additional = bytes(hex: "50515253c0c1c2c3c4c5c6c7")
        let key = try key(counting(32, from: 0x80))
        #expect(try open(sealed, key, additional) == Array(message.utf8))
    }

    @Test func aBoxWithAnyBitChangedDoesNotOpen() throws {
        let key = try Key.random()
        let message = counting(40)
        var box = Box.seal(message.span.bytes, under: key, context: Self.context.span.bytes)
        var opened: [Int] = []
        for place in box.indices {
            for bit in 0..<8 {
                box[place] ^= 1 << UInt8(bit)
                if try open(box, key) != nil { opened.append(place * 8 + bit) }
                box[place] ^= 1 << UInt8(bit)
            }
        }
        #expect(opened.prefix(10) == [], "bits")
        #expect(try open(box, key) == message)
    }

    @Test func aBoxCutOffOrLengthenedDoesNotOpen() throws {
        let key = try Key.random()
        let box = Box.seal(counting(20).span.bytes, under: key, context: Self.context.span.bytes)
        for count in 0..<box.count {
            #expect(try open(Array(box.prefix(count)), key) == nil, "the first \(count)")
            #expect(try open(Array(box.suffix(count)), key) == nil, "the last \(count)")
        }
        #expect(try open(box + [0], key) == nil)
        #expect(try open([0] + box, key) == nil)
    }

    @Test func anotherKeyOrContextDoesNotOpen() throws {
        let right = counting(32)
        let box = Box.seal(counting(20).span.bytes, under: try key(right), context: Self.context.span.bytes)
        #expect(try open(box, try key(right)) == counting(20))
        for place in right.indices {
            var wrong = right
            wrong[place] ^= 1
            #expect(try open(box, try key(wrong)) == nil, "key byte \(place)")
        }
        for context in [[], Array("contexu".utf8), Array("contex".utf8), Self.context + [0]] {
            #expect(try open(box, try key(right), context) == nil)
        }
    }

    @Test func noTwoBoxesAreAlike() throws {
        let key = try Key.random()
        var seen: Set<[UInt8]> = []
        for _ in 0..<1000 {
            let box = Box.seal(counting(3).span.bytes, under: key, context: RawSpan())
            seen.insert(Array(box.prefix(24)))
        }
        #expect(seen.count == 1000)
    }

    @Test func boxesAreAppendedToWhatIsThere() throws {
        let key = try Key.random()
        var boxes: [UInt8] = [7, 7]
        Box.seal(counting(3).span.bytes, under: key, context: RawSpan(), onto: &boxes)
        #expect(boxes.count == 2 + 3 + Box.overhead)
        #expect(Array(boxes.prefix(2)) == [7, 7])
        #expect(try open(Array(boxes.dropFirst(2)), key, []) == counting(3))
    }

    @Test func aKeyInABoxComesOutAsAKeyAndNothingElseDoes() throws {
        let outer = try Key.random()
        let inner = try Key.random()
        let box = Box.seal(inner, under: outer, context: Self.context.span.bytes)
        switch try Box.openKey(box.span.bytes, under: outer, context: Self.context.span.bytes) {
        case .some(let opened): #expect(opened.array() == inner.array())
        case .none: Issue.record("it did not open")
        }
        for count in [0, 31, 33] {
            let other = Box.seal(counting(count).span.bytes, under: outer, context: Self.context.span.bytes)
            let opened = try Box.openKey(other.span.bytes, under: outer, context: Self.context.span.bytes)
            if case .some = opened { Issue.record("\(count) bytes are no key") }
        }
        let wrong = try Box.openKey(box.span.bytes, under: inner, context: Self.context.span.bytes)
        if case .some = wrong { Issue.record("it opened under another key") }
    }
}
