package import AccessPolicy
package import SodiumKit

/// The keys derived from the fixed key in the device file. They find and verify what is stored, but open nothing that a
/// passcode guards.
package struct FixedKeys: ~Copyable {
    private let fixed: Key
    /// The key for the tags of headers.
    package let header: Key
    /// The key for the tags in index columns.
    package let index: Key
    /// The key that seals the ledger.
    package let ledger: Key
    /// The key for the ledger's sum over all items.
    package let sum: Key
    /// The key of the audit log.
    package let audit: Key
    /// The key that wraps the class that is always open.
    package let always: Key
    /// The key that wraps the root while there is no passcode.
    package let root: Key
    /// The key for the hashes that tell wrong passcodes apart.
    package let attempts: Key
    /// The key for backups that only this device can open.
    package let backup: Key

    private static let purpose: StaticString = "Latchkey"

    package init(_ fixed: consuming Key) throws(SodiumError) {
        let header = try fixed.derive(1, Self.purpose)
        let index = try fixed.derive(2, Self.purpose)
        let ledger = try fixed.derive(3, Self.purpose)
        let audit = try fixed.derive(4, Self.purpose)
        let always = try fixed.derive(5, Self.purpose)
        let root = try fixed.derive(6, Self.purpose)
        let attempts = try fixed.derive(7, Self.purpose)
        let backup = try fixed.derive(8, Self.purpose)
        let sum = try fixed.derive(9, Self.purpose)
        self.header = header
        self.index = index
        self.ledger = ledger
        self.audit = audit
        self.always = always
        self.root = root
        self.attempts = attempts
        self.backup = backup
        self.sum = sum
        self.fixed = fixed
    }

    /// Returns the key that seals the keybag. It needs both the fixed key and the erase key.
    package func keybag(_ erase: borrowing Key) throws(SodiumError) -> Key {
        var hash = try KeyedHash(fixed)
        hash.add("keybag".utf8Span.span.bytes)
        hash.add(erase)
        return try hash.key()
    }

    /// Returns the key that wraps the root under a stretched passcode. Because it needs the device file too, a passcode
    /// cannot be guessed without that file.
    package func passcode(_ stretch: borrowing Key) throws(SodiumError) -> Key {
        var hash = try KeyedHash(fixed)
        hash.add("passcode".utf8Span.span.bytes)
        hash.add(stretch)
        return try hash.key()
    }

    /// Returns the key that wraps the root under the recovery key.
    package func recovery(_ key: borrowing Key) throws(SodiumError) -> Key {
        var hash = try KeyedHash(fixed)
        hash.add("recovery".utf8Span.span.bytes)
        hash.add(key)
        return try hash.key()
    }

    /// Returns a hash that identifies an enrolled set without revealing it.
    package func hash(of domainState: DomainState) throws(SodiumError) -> [UInt8] {
        var hash = try KeyedHash(index)
        hash.add("enrolment".utf8Span.span.bytes)
        hash.add(UInt64(domainState.sensor))
        hash.add(UInt64(domainState.epoch))
        return hash.bytes()
    }

    /// Returns the tag that tells one wrong passcode from another.
    package func attempt(_ stretch: borrowing Key) -> Tag { stretch.withBytes { Tag(of: $0, under: attempts) } }
}
