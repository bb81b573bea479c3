internal import AccessPolicy
internal import SodiumKit

/// What follows from the fixed key of the device file: enough to find and to check, never to read what a passcode guards.
struct FixedKeys: ~Copyable {
    private let fixed: Key
    /// Tags of headers.
    let header: Key
    /// Index columns.
    let index: Key
    /// Sealing the ledger.
    let ledger: Key
    /// The sum over all items in it.
    let sum: Key
    /// The audit trail.
    let audit: Key
    /// The class that is always open.
    let always: Key
    /// The root while there is no passcode.
    let root: Key
    /// Telling wrong passcodes apart.
    let attempts: Key
    /// Backups that this device alone can open.
    let backup: Key

    private static let purpose: StaticString = "Latchkey"

    init(_ fixed: consuming Key) throws(SodiumError) {
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

    /// What the keybag is sealed under: either half missing, it is noise.
    func keybag(_ erase: borrowing Key) throws(SodiumError) -> Key {
        var hash = try KeyedHash(fixed)
        hash.add("keybag".utf8Span.span.bytes)
        hash.add(erase)
        return try hash.key()
    }

    /// What the root is wrapped under, from the stretched passcode: without this device file no guess can be tried.
    func passcode(_ stretch: borrowing Key) throws(SodiumError) -> Key {
        var hash = try KeyedHash(fixed)
        hash.add("passcode".utf8Span.span.bytes)
        hash.add(stretch)
        return try hash.key()
    }

    /// What the root is also wrapped under where there is a recovery key.
    func recovery(_ key: borrowing Key) throws(SodiumError) -> Key {
        var hash = try KeyedHash(fixed)
        hash.add("recovery".utf8Span.span.bytes)
        hash.add(key)
        return try hash.key()
    }

    /// Returns a hash that tells one enrollment set from another without saying which it is.
    func hash(of domainState: DomainState) throws(SodiumError) -> [UInt8] {
        var hash = try KeyedHash(index)
        hash.add("enrolment".utf8Span.span.bytes)
        hash.add(UInt64(domainState.sensor))
        hash.add(UInt64(domainState.epoch))
        return hash.bytes()
    }

    /// What tells one wrong passcode from another.
    func attempt(_ stretch: borrowing Key) -> Tag { stretch.withBytes { Tag(of: $0, under: attempts) } }
}
