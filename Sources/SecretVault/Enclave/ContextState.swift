internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// What the enclave keeps of a context: what was proved, and the gates that were given for it. Both go together.
final class ContextState {
    var context = Context()
    var gates = Gates()
    /// The application's password as it was stretched, until it is found wrong.
    var password: Key?
    /// Wipes everything that was proved, and what it had opened.
    func wipe() {
        for factor in Factor.allCases { context[factor] = nil }
        gates = Gates()
    }

    /// Wipes the evidence of these factors, and what it had opened.
    func wipe(_ factors: FactorSet) {
        for factor in factors { context[factor] = nil }
        gates.wipe(factors)
    }

    /// Wipes what counts for nothing any more.
    func discardVoid(under conditions: Conditions) {
        let discarded = context.discardVoid(under: conditions)
        if !discarded.isEmpty { gates.wipe(discarded) }
        if context.isInvalidated { password = nil }
    }

    /// Takes the application's password, as it was stretched. What another one had proved is gone with it.
    func take(password stretched: consuming Key) {
        dropPassword()
        password = .some(stretched)
        context.offersApplicationPassword = true
    }

    /// Forgets the application's password, and what it proved.
    func dropPassword() {
        password = nil
        context[.applicationPassword] = nil
        context.offersApplicationPassword = false
    }
}
