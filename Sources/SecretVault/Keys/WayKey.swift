internal import AccessPolicy
internal import SodiumKit

/// What an item key is wrapped under for one way to meet the constraint: the class key, and the gates of the way in the order
/// of their factors.
struct WayKey: ~Copyable {
    private var hash: KeyedHash

    init(_ classKey: borrowing Key, _ way: FactorSet) throws(SodiumError) {
        hash = try KeyedHash(classKey)
        hash.add("way".utf8Span.span.bytes)
        hash.add(UInt64(way.bits))
    }

    mutating func add(_ gate: borrowing Key) { hash.add(gate) }

    consuming func key() throws(SodiumError) -> Key { try hash.key() }
}

/// The passcode's part of a way key: what the passcode gate and a key made for this one wrap agree on. So an item can be
/// locked up behind the passcode without anybody typing it.
enum PasscodePart {
    /// A part nobody but the owner of the gate arrives at again, and the public half to keep for that.
    static func make(_ gate: [UInt8]) throws -> (part: Part, publicHalf: [UInt8]) {
        let made = try Key.random()
        let publicHalf = Agreement.publicHalf(of: made)
        guard let shared = try Agreement.key(made, with: gate.span.bytes) else {
            throw VaultError.damaged(.keybag)
        }
        return (Part(try bound(shared, publicHalf.span.bytes, gate.span.bytes)), publicHalf)
    }

    /// The part again, by the owner of the gate.
    static func again(_ gate: borrowing Key, _ publicHalf: RawSpan) throws -> Key? {
        guard let shared = try Agreement.key(gate, with: publicHalf) else { return nil }
        return try bound(shared, publicHalf, Agreement.publicHalf(of: gate).span.bytes)
    }

    private static func bound(_ shared: borrowing Key, _ made: RawSpan, _ gate: RawSpan) throws -> Key {
        var hash = try KeyedHash(shared)
        hash.add("passcode".utf8Span.span.bytes)
        hash.add(made)
        hash.add(gate)
        return try hash.key()
    }

    /// Holds the part, since a tuple cannot.
    final class Part {
        let key: Key
        init(_ key: consuming Key) { self.key = key }
    }
}
