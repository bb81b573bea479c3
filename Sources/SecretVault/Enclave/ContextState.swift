internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// What the enclave keeps of a context: what was proved, and the gates that were given for it. Both go together.
final class ContextState {
    var context = Context()
    var gates = Gates()
    /// The application's password as it was stretched, until it is found wrong.
    var password: Key?
    /// The one that opened the item which the evidence is of: the application's own, or one that somebody typed.
    private var proved: Key?
    /// One that somebody typed for what is about to be stored, for the call under way.
    private var chosen: Key?

    /// Wipes everything that was proved, and what it had opened.
    func wipe() {
        for factor in Factor.allCases { context[factor] = nil }
        gates = Gates()
        proved = nil
        choose(nil)
    }

    /// Wipes the evidence of these factors, and what it had opened.
    func wipe(_ factors: FactorSet) {
        for factor in factors { context[factor] = nil }
        gates.wipe(factors)
        if factors.contains(.applicationPassword) { proved = nil }
    }

    /// Wipes what counts for nothing any more.
    func discardVoid(under conditions: Conditions) {
        let discarded = context.discardVoid(under: conditions)
        if !discarded.isEmpty { gates.wipe(discarded) }
        if discarded.contains(.applicationPassword) { proved = nil }
        if context.isInvalidated { password = nil }
    }

    /// Takes the application's password, as it was stretched. What another one had proved is gone with it.
    func take(copying stretched: borrowing Key?) throws {
        dropPassword()
        if context.isInvalidated { return }
        switch stretched {
        case .some(let key): password = .some(try key.copy())
        case .none: return
        }
        context.offersApplicationPassword = true
    }

    /// Forgets the application's password, and what it proved.
    func dropPassword() {
        wipe([.applicationPassword])
        refusePassword()
    }

    /// Forgets the application's password, which was found wrong; what one proved for something else stays.
    func refusePassword() {
        password = nil
        context.offersApplicationPassword = Gates.isThere(chosen)
    }

    /// Takes note that `key` is the password of the item that `evidence` is of.
    func prove(_ key: borrowing Key, _ evidence: Evidence) throws {
        if context.isInvalidated { return }
        proved = .some(try key.copy())
        context.add(evidence)
    }

    /// Takes a password that somebody has typed for what is about to be stored; nil when that is over.
    func choose(_ key: consuming Key?) {
        chosen = key
        context.offersApplicationPassword = Gates.isThere(chosen) || Gates.isThere(password)
    }

    /// The same, copying it.
    func choose(copying key: borrowing Key?) throws {
        switch key {
        case .some(let key) where !context.isInvalidated: choose(.some(try key.copy()))
        default: choose(nil)
        }
    }

    /// Lends out the password to open `item` with: the one that is proved for it, else the application's own.
    func withPassword<Result: ~Copyable>(
        for item: ItemID, _ body: (borrowing Key?) throws -> Result
    ) rethrows -> Result {
        context[.applicationPassword]?.item == item && Gates.isThere(proved) ? try body(proved) : try body(password)
    }

    /// Lends out the password to lock `item` up with: the one that it has, or the one that was chosen for it.
    func withPasswordToStore<Result: ~Copyable>(
        _ item: ItemID, _ body: (borrowing Key?) throws -> Result
    ) rethrows -> Result {
        if context[.applicationPassword]?.item == item && Gates.isThere(proved) { return try body(proved) }
        return Gates.isThere(chosen) ? try body(chosen) : try body(password)
    }
}
