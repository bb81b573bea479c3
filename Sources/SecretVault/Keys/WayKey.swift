internal import AccessPolicy
internal import SodiumKit

/// The key that wraps an item key for one way to satisfy the constraint. It is derived from the class key and the gates
/// of the way, in the order of their factors.
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

/// The passcode's part of a way key. The passcode gate and a key made for this one wrap agree on it, so the vault can
/// encrypt an item behind the passcode while no passcode is typed.
enum PasscodePart {
    /// Creates a part that only the owner of the gate can derive again, and the public half to store for that.
    static func make(_ gate: [UInt8]) throws -> (part: Part, publicHalf: [UInt8]) {
        let made = try Key.random()
        let publicHalf = Agreement.publicHalf(of: made)
        guard let shared = try Agreement.key(made, with: gate.span.bytes) else {
            throw VaultError.damaged(.keybag)
        }
        return (Part(try bound(shared, publicHalf.span.bytes, gate.span.bytes)), publicHalf)
    }

    /// Derives the part again with the private half of the gate.
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

    /// A box for the part, because a tuple cannot hold a noncopyable key.
    final class Part {
        let key: Key
        init(_ key: consuming Key) { self.key = key }
    }
}
