internal import SodiumKit

/// The keys that an event brings along.
struct EventKeys: ~Copyable {
    /// The root, while a passcode is being checked.
    var root: Key?
    /// The next passcode, stretched.
    var stretch: Key?

    init(root: consuming Key? = nil, stretch: consuming Key? = nil) {
        self.root = root
        self.stretch = stretch
    }
}

extension EventKeys {
    /// Lends out the root. Throws if there is none.
    borrowing func withRoot(_ body: (borrowing Key) throws -> Void) throws { try Self.lend(root, body) }

    /// Lends out the stretch of the next passcode. Throws if there is none.
    borrowing func withStretch(_ body: (borrowing Key) throws -> Void) throws { try Self.lend(stretch, body) }

    private static func lend(_ key: borrowing Key?, _ body: (borrowing Key) throws -> Void) throws {
        guard try Gates.lend(key, body) != nil else { throw VaultError.eventNeedsAuthentication }
    }
}
