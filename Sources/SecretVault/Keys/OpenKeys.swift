internal import AccessPolicy
internal import SodiumKit

/// A class key that is open, with what follows from it for every item of the class.
struct OpenClassKey: ~Copyable {
    /// Which one of its class; a destroyed key's number never comes back.
    let id: UInt32
    let key: Key
    /// What items without a constraint are wrapped under.
    let plainWay: Key
    /// What attributes are sealed under.
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

/// The keys that this enclave holds open.
struct OpenKeys: ~Copyable {
    private var always: OpenClassKey?
    private var afterFirstUnlock: OpenClassKey?
    private var whenUnlocked: OpenClassKey?
    private var whenPasscodeSet: OpenClassKey?
    /// What the gates are wrapped under, from the first unlock to the restart.
    var gate: Key?

    mutating func set(_ keyClass: KeyClass, _ key: consuming OpenClassKey?) {
        switch keyClass {
        case .always: always = key
        case .afterFirstUnlock: afterFirstUnlock = key
        case .whenUnlocked: whenUnlocked = key
        case .whenPasscodeSet: whenPasscodeSet = key
        }
    }

    /// Lends out the key of a class; nil when it is not open.
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

/// The *when unlocked* class keys as they wait for a match while the device is locked: wrapped under a key that the
/// sensor's side holds.
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
