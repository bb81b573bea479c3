import SodiumKit
import TestSupport
import Testing

/// Boxes that commit to their key.
@Suite struct CommittedBoxTests {
    private static func bytes(_ key: borrowing Key) -> [UInt8] {
        key.withBytes { bytes in bytes.withUnsafeBytes { Array($0) } }
    }

    private static func key(_ byte: UInt8) throws -> Key {
        try Key(copying: [UInt8](repeating: byte, count: Key.count).span.bytes)
    }

    private static func opens(_ box: [UInt8], _ key: borrowing Key, _ context: [UInt8]) throws -> [UInt8]? {
        guard let opened = try CommittedBox.openKey(box.span.bytes, under: key, context: context.span.bytes) else {
            return nil
        }
        return bytes(opened)
    }

    private static func opensPlain(_ box: [UInt8], _ key: borrowing Key, _ context: [UInt8]) throws -> [UInt8]? {
        guard let opened = try Box.openKey(box.span.bytes, under: key, context: context.span.bytes) else { return nil }
        return bytes(opened)
    }

    @Test func theKeyComesBackUnderItsKeyAndContextAlone() throws {
        let secret = try Self.key(7)
        let key = try Self.key(1)
        let context: [UInt8] = [1, 2, 3]
        let box = try CommittedBox.seal(secret, under: key, context: context.span.bytes)
        #expect(box.count == Key.count + CommittedBox.overhead)
        #expect(try Self.opens(box, key, context) == Self.bytes(secret))
        #expect(try Self.opens(box, Self.key(2), context) == nil)
        #expect(try Self.opens(box, key, [1, 2]) == nil)
        for place in box.indices {
            var changed = box
            changed[place] ^= 1
            #expect(try Self.opens(changed, key, context) == nil, "byte \(place)")
        }
        for count in [0, 31, 32, 71, 72, box.count - 1] {
            #expect(try Self.opens(Array(box.prefix(count)), key, context) == nil)
        }
        #expect(try Self.opens(box + [0], key, context) == nil)
    }

    @Test func withoutItsCommitmentItIsNoBoxThatOpens() throws {
        let key = try Self.key(1)
        let box = try CommittedBox.seal(Self.key(7), under: key, context: RawSpan())
        #expect(try Self.opensPlain(Array(box.dropFirst(32)), key, []) == nil)
        #expect(try Self.opensPlain(box, key, []) == nil)
        let plain = Box.seal(try Self.key(7), under: key, context: RawSpan())
        #expect(try Self.opens(Array(box.prefix(32)) + plain, key, []) == nil)
    }

    /// A plain box can open under two keys, and a committed one cannot. The test computes such a box, since libsodium
    /// makes none.
    @Test(arguments: [[], Array(0..<29), [UInt8](repeating: 5, count: 64)] as [[UInt8]])
    func aBoxOpensUnderTwoKeysAndACommittedOneDoesNot(_ context: [UInt8]) throws {
        let one = try Self.key(1)
        let two = try Self.key(2)
        let box = TwoKeyBox.make(Self.bytes(one), Self.bytes(two), context: context)
        let first = try #require(try Self.opensPlain(box, one, context))
        let second = try #require(try Self.opensPlain(box, two, context))
        #expect(first != second)
        #expect(try Self.opensPlain(box, Self.key(3), context) == nil)

        // The same attack on a committed box, by an attacker who knows its construction: the inner box opens under the
        // keys derived from both, but only one of them has the commitment.
        func inner(_ key: borrowing Key) throws -> [UInt8] {
            var hash = try KeyedHash(key)
            hash.add("committed box".utf8Span.span.bytes)
            return Self.bytes(try hash.key())
        }
        let inside = TwoKeyBox.make(try inner(one), try inner(two), context: context)
        var hash = try KeyedHash(one)
        hash.add("commitment".utf8Span.span.bytes)
        hash.add(Array(inside[..<24]).span.bytes)
        hash.add(context.span.bytes)
        let committed = hash.bytes() + inside
        #expect(try Self.opens(committed, one, context) != nil)
        #expect(try Self.opens(committed, two, context) == nil)
    }
}
