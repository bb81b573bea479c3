internal import AccessPolicy
internal import SodiumKit

/// An open class key, and the keys derived from it that every item of the class uses.
struct OpenClassKey: ~Copyable {
    /// The number of the key within its class. The number of a destroyed key is never used again.
    let id: UInt32
    let key: Key
    /// The key that wraps items without a constraint.
    let plainWay: Key
    /// The key that seals attributes.
    let attributes: Key

    init(id: UInt32, _ key: consuming Key) throws(SodiumError) {
        let plainWay = try WayKey(key, []).key()
        let attributes = try key.derive(1, "metadata")
        self.id = id
        self.plainWay = plainWay
        self.attributes = attributes
        self.key = key
    }
}

/// The class keys that the vault holds open.
struct OpenKeys: ~Copyable {
    private var always: OpenClassKey?
    private var afterFirstUnlock: OpenClassKey?
    private var whenUnlocked: OpenClassKey?
    private var whenPasscodeSet: OpenClassKey?
    /// The key that wraps the gates. It is open from the first unlock until the restart.
    var gate: Key?
    /// The key that seals the owner's settings. It is open from the passcode until the lock.
    var settings: Key?

    mutating func set(_ keyClass: KeyClass, _ key: consuming OpenClassKey?) {
        switch keyClass {
        case .always: always = key
        case .afterFirstUnlock: afterFirstUnlock = key
        case .whenUnlocked: whenUnlocked = key
        case .whenPasscodeSet: whenPasscodeSet = key
        }
    }

    /// Lends a class key to `body`. Returns nil if that key is not open.
    borrowing func with<Result: ~Copyable>(
        _ keyClass: KeyClass, _ body: (borrowing OpenClassKey) throws -> Result
    ) rethrows -> Result? {
        switch keyClass {
        case .always: try Self.lend(always, body)
        case .afterFirstUnlock: try Self.lend(afterFirstUnlock, body)
        case .whenUnlocked: try Self.lend(whenUnlocked, body)
        case .whenPasscodeSet: try Self.lend(whenPasscodeSet, body)
        }
    }

    private static func lend<Result: ~Copyable>(
        _ key: borrowing OpenClassKey?, _ body: (borrowing OpenClassKey) throws -> Result
    ) rethrows -> Result? {
        switch key {
        case .some(let key): try body(key)
        case .none: nil
        }
    }
}

/// The *when unlocked* class keys of a locked device. They wait for a match, wrapped under a key that the sensor's side
/// holds.
struct KeptForMatch: ~Copyable {
    let unlockKey: Key
    private var boxes: [(KeyClass, UInt32, [UInt8])] = []

    init(_ classes: KeyClasses, of open: borrowing OpenKeys) throws(SodiumError) {
        unlockKey = try Key.random()
        for keyClass in classes {
            let box = open.with(keyClass) { open in
                (keyClass, open.id, Box.seal(open.key, under: unlockKey, context: "unlock".utf8Span.span.bytes))
            }
            if let box { boxes.append(box) }
        }
    }

    borrowing func openKey(_ keyClass: KeyClass) throws -> OpenClassKey? {
        for (kept, id, box) in boxes where kept == keyClass {
            guard
                let key = try Box.openKey(
                    box.span.bytes, under: unlockKey, context: "unlock".utf8Span.span.bytes)
            else { return nil }
            return try OpenClassKey(id: id, key)
        }
        return nil
    }
}
