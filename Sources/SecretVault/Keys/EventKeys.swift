internal import SodiumKit

/// The keys that an event needs.
struct EventKeys: ~Copyable {
    /// The root, while the vault checks a passcode.
    var root: Key?
    /// The stretched form of the next passcode.
    var stretch: Key?

    init(root: consuming Key? = nil, stretch: consuming Key? = nil) {
        self.root = root
        self.stretch = stretch
    }
}

extension EventKeys {
    /// Lends the root to `body`. Throws ``VaultError/eventNeedsAuthentication`` if there is none.
    borrowing func withRoot(_ body: (borrowing Key) throws -> Void) throws { try Self.lend(root, body) }

    /// Lends the stretched next passcode to `body`. Throws ``VaultError/eventNeedsAuthentication`` if there is none.
    borrowing func withStretch(_ body: (borrowing Key) throws -> Void) throws { try Self.lend(stretch, body) }

    private static func lend(_ key: borrowing Key?, _ body: (borrowing Key) throws -> Void) throws {
        guard try Gates.lend(key, body) != nil else { throw VaultError.eventNeedsAuthentication }
    }
}
