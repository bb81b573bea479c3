internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// The keys that a context holds. They belong to the ring and are used under its pin.
final class ContextKeys: @unchecked Sendable {  // reached through the ring's contents only
    var gates = Gates()
    /// The application's password as it was stretched, until it is found wrong.
    var password: Key?
    /// The one that opened the item which the evidence is of: the application's own, or one that somebody typed.
    fileprivate var authenticated: Key?
    /// One that somebody typed for what is about to be stored, for the call under way.
    fileprivate var chosen: Key?

    /// Wipes everything except the application's own password, which proves nothing.
    func wipe() {
        gates = Gates()
        authenticated = nil
        chosen = nil
    }

    /// Wipes what these factors had opened.
    fileprivate func wipe(_ factors: FactorSet) {
        gates.wipe(factors)
        if factors.contains(.applicationPassword) { authenticated = nil }
    }

    /// True if there is a password to store an item with.
    fileprivate var offersPassword: Bool { Gates.isThere(chosen) || Gates.isThere(password) }
}

/// What the enclave keeps of a context: what was proved, and the gates that were given for it. Both go together: where a lock
/// wipes the gates, the evidence is void at once, and wiped when the next operation begins.
final class ContextState {
    var context = Context()
    private let ring: KeyRing
    private let held = ContextKeys()

    init(_ ring: KeyRing) {
        self.ring = ring
        ring.withdraw { $0.register(held) }
    }

    deinit { ring.withdraw { $0.forget(held) } }

    /// The keys of this context, while the ring is held.
    func held(in contents: borrowing KeyRing.Contents) -> ContextKeys { held }

    /// Wipes everything that was proved, and what it had opened.
    func wipe() {
        let held = held
        ring.withdraw { _ in held.wipe() }
        forgetEvidence()
    }

    /// Wipes the evidence whose gates are wiped already.
    func forgetEvidence() {
        for factor in Factor.allCases { context[factor] = nil }
        noteOffer()
    }

    /// Wipes the evidence of these factors, and what it had opened.
    func wipe(_ factors: FactorSet) {
        for factor in factors { context[factor] = nil }
        wipeGates(factors)
    }

    /// Wipes what these factors had opened.
    func wipeGates(_ factors: FactorSet) {
        let held = held
        ring.withdraw { _ in held.wipe(factors) }
    }

    /// Wipes what counts for nothing any more.
    func discardVoid(under conditions: Conditions) {
        let discarded = context.discardVoid(under: conditions)
        if !discarded.isEmpty { wipeGates(discarded) }
        if context.isInvalidated {
            let held = held
            ring.withdraw { _ in held.password = nil }
        }
    }

    /// Takes the application's password, as it was stretched. What another one had proved is gone with it.
    func setPassword(copying stretched: borrowing Key?) throws {
        dropPassword()
        if context.isInvalidated { return }
        try put(stretched) { $0.password = $1 }
        noteOffer()
    }

    /// Forgets the application's password, and what it proved.
    func dropPassword() {
        wipe([.applicationPassword])
        refusePassword()
    }

    /// Forgets the application's password, which was found wrong; what one proved for something else stays.
    func refusePassword() {
        let held = held
        ring.withdraw { _ in held.password = nil }
        noteOffer()
    }

    /// Takes note that `key` is the password of the item that `evidence` is of.
    func record(_ key: borrowing Key, _ evidence: Evidence) throws {
        if context.isInvalidated { return }
        let held = held
        try ring.change { _ in held.authenticated = .some(try key.copy()) }
        context.add(evidence)
    }

    /// Takes a password that the user typed for what is about to be stored.
    func choose(copying key: borrowing Key?) throws {
        if context.isInvalidated { return endChoosing() }
        try put(key) { $0.chosen = $1 }
        noteOffer()
    }

    /// What was chosen is over.
    func endChoosing() {
        let held = held
        ring.withdraw { _ in held.chosen = nil }
        noteOffer()
    }

    /// The application's own password; nil where there is none.
    func copyPassword() throws -> Key? {
        try ring.read { try Gates.lend(held(in: $0).password) { try $0.copy() } }
    }

    private func put(_ key: borrowing Key?, _ body: (ContextKeys, consuming Key?) -> Void) throws {
        let held = held
        try ring.change { _ in body(held, try Gates.lend(key) { try $0.copy() }) }
    }

    private func noteOffer() { context.offersApplicationPassword = ring.read { held(in: $0).offersPassword } }

    /// Lends out the password to open `item` with: the one that is proved for it, else the application's own.
    func withPassword<Result: ~Copyable>(
        for item: ItemID, in contents: borrowing KeyRing.Contents, _ body: (borrowing Key?) throws -> Result
    ) rethrows -> Result {
        let held = held(in: contents)
        return context[.applicationPassword]?.item == item && Gates.isThere(held.authenticated)
            ? try body(held.authenticated) : try body(held.password)
    }

    /// Lends out the password to lock `item` up with: the one that it has, or the one that was chosen for it.
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
