internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension VaultState {
    /// Applies a sensor's result, and adds a match to the evidence of the context. A match that unlocks the device is
    /// not added, unless the context asked for it (`isToUnlock`); a context can only reuse it.
    mutating func present(
        _ finger: Finger, at sheet: PromptTicket?, in context: ContextState?, isToUnlock: Bool = false
    ) throws -> Effects {
        try refresh()
        if isOver(sheet) { return Effects(.refused(.promptOver)) }
        let wasLocked = device.isLocked
        let effects = try happen(.presented(finger), EventKeys())
        // The match counts, but a lock has already wiped the keys that it opened.
        if effects.authenticated(.biometry), ring.hasLocked { return Effects(.refused(.promptOver)) }
        guard effects.authenticated(.biometry), !wasLocked || isToUnlock, let context,
            !context.context.isInvalidated
        else { return effects }
        try ensureGates()
        try GateKeeper.release(against: .match(effects), of: bag, in: ring, to: context)
        if ring.hasLocked {
            context.wipeGates([.biometry])
            return Effects(.refused(.promptOver))
        }
        context.context.add(Evidence(.biometry, under: device.conditions()))
        return effects
    }

    /// Adds the companion's confirmation to the evidence of a context. Returns false if no companion can confirm now.
    mutating func confirmByCompanion(at sheet: PromptTicket?, in context: ContextState) throws -> Bool {
        try refresh()
        guard !isOver(sheet), !context.context.isInvalidated, device.companion.state == .ready, !device.isLocked else {
            return false
        }
        try GateKeeper.release(against: .companion, of: bag, in: ring, to: context)
        if ring.hasLocked {
            context.wipeGates([.companion])
            return false
        }
        context.context.add(Evidence(.companion, under: device.conditions()))
        return true
    }
}
