internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// The keys that a context holds. They belong to the ring, which must be pinned while they are used.
final class ContextKeys: @unchecked Sendable {  // reached only through the ring's contents
    var gates = Gates()
    /// The application password that the app has set, stretched; nil once it has been found wrong.
    var password: Key?
    /// The password that opened the item of the present evidence. Either the app set it or the user typed it.
    fileprivate var authenticated: Key?
    /// The password that the user typed for an item about to be stored, during that call only.
    fileprivate var chosen: Key?

    /// Wipes everything except the application password that the app has set, which is evidence of nothing.
    func wipe() {
        gates = Gates()
        authenticated = nil
        chosen = nil
    }

    /// Wipes the gates and passwords that these factors opened.
    fileprivate func wipe(_ factors: FactorSet) {
        gates.wipe(factors)
        if factors.contains(.applicationPassword) { authenticated = nil }
    }

    /// True if there is a password to store an item with.
    fileprivate var offersPassword: Bool { Gates.isThere(chosen) || Gates.isThere(password) }
}

/// A context as the vault keeps it: the evidence, and the gates that were released for it.
///
/// Both end together. A lock wipes the gates; the evidence is void from then on, and is wiped when the next operation
/// begins.
final class ContextState {
    var context = Context()
    private let ring: KeyRing
    private let held = ContextKeys()

    init(_ ring: KeyRing) {
        self.ring = ring
        ring.withdraw { $0.register(held) }
    }

    deinit { ring.withdraw { $0.forget(held) } }

    /// Returns the keys of this context, while the ring is pinned.
    func held(in contents: borrowing KeyRing.Contents) -> ContextKeys { held }

    /// Wipes all evidence and everything that it opened.
    func wipe() {
        let held = held
        ring.withdraw { _ in held.wipe() }
        forgetEvidence()
    }

    /// Wipes all evidence, after its gates have been wiped.
    func forgetEvidence() {
        for factor in Factor.allCases { context[factor] = nil }
        noteOffer()
    }

    /// Wipes the evidence of these factors and everything that it opened.
    func wipe(_ factors: FactorSet) {
        for factor in factors { context[factor] = nil }
        wipeGates(factors)
    }

    /// Wipes the gates and passwords that these factors opened.
    func wipeGates(_ factors: FactorSet) {
        let held = held
        ring.withdraw { _ in held.wipe(factors) }
    }

    /// Wipes evidence that has become void, and its gates.
    func discardVoid(under conditions: Conditions) {
        let discarded = context.discardVoid(under: conditions)
        if !discarded.isEmpty { wipeGates(discarded) }
        if context.isInvalidated {
            let held = held
            ring.withdraw { _ in held.password = nil }
        }
    }

    /// Sets the application password, in its stretched form. Evidence by the former password is wiped.
    func setPassword(copying stretched: borrowing Key?) throws {
        dropPassword()
        if context.isInvalidated { return }
        try put(stretched) { $0.password = $1 }
        noteOffer()
    }

    /// Forgets the application password and the evidence by it.
    func dropPassword() {
        wipe([.applicationPassword])
        refusePassword()
    }

    /// Forgets an application password that was found wrong. Evidence by another password stays.
    func refusePassword() {
        let held = held
        ring.withdraw { _ in held.password = nil }
        noteOffer()
    }

    /// Records that `key` is the password of the item in `evidence`.
    func record(_ key: borrowing Key, _ evidence: Evidence) throws {
        if context.isInvalidated { return }
        let held = held
        try ring.change { _ in held.authenticated = .some(try key.copy()) }
        context.add(evidence)
    }

    /// Sets the password that the user typed for an item about to be stored.
    func choose(copying key: borrowing Key?) throws {
        if context.isInvalidated { return endChoosing() }
        try put(key) { $0.chosen = $1 }
        noteOffer()
    }

    /// Forgets the password that the user typed for a new item.
    func endChoosing() {
        let held = held
        ring.withdraw { _ in held.chosen = nil }
        noteOffer()
    }

    /// Returns a copy of the application password that the app has set; nil if there is none.
    func copyPassword() throws -> Key? {
        try ring.read { try Gates.lend(held(in: $0).password) { try $0.copy() } }
    }

    private func put(_ key: borrowing Key?, _ body: (ContextKeys, consuming Key?) -> Void) throws {
        let held = held
        try ring.change { _ in body(held, try Gates.lend(key) { try $0.copy() }) }
    }

    private func noteOffer() { context.offersApplicationPassword = ring.read { held(in: $0).offersPassword } }

    /// Lends the password for opening `item` to `body`: the one in evidence for that item, or else the one that the app
    /// has set.
    func withPassword<Result: ~Copyable>(
        for item: ItemID, in contents: borrowing KeyRing.Contents, _ body: (borrowing Key?) throws -> Result
    ) rethrows -> Result {
        let held = held(in: contents)
        return context[.applicationPassword]?.item == item && Gates.isThere(held.authenticated)
            ? try body(held.authenticated) : try body(held.password)
    }

    /// Lends the password for storing `item` to `body`: the one in evidence for that item, or else the one that the
    /// user chose, or else the one that the app has set.
    func withPasswordToStore<Result: ~Copyable>(
        _ item: ItemID, in contents: borrowing KeyRing.Contents, _ body: (borrowing Key?) throws -> Result
    ) rethrows -> Result {
        let held = held(in: contents)
        if context[.applicationPassword]?.item == item && Gates.isThere(held.authenticated) {
            return try body(held.authenticated)
        }
        return Gates.isThere(held.chosen) ? try body(held.chosen) : try body(held.password)
    }
}
