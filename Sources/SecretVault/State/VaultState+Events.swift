internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// The means by which class keys are opened.
enum Opening: ~Copyable {
    case nothing
    case root(Key)
    case match
}

extension VaultState {
    /// Applies `event` to the device, and then its effects to the keys and the database.
    ///
    /// Changes that outlive a restart are committed before anything changes in memory. Keys are destroyed in three
    /// steps: a new erase key is added, the keybag is sealed under it, and the old erase key is overwritten.
    ///
    /// If `always`, the keybag is written even if the event does not change it. If `destroying`, no earlier copy of it
    /// opens any more, whatever the event is. `noting` makes further changes to the keybag in the same transaction.
    mutating func happen(
        _ event: Event, _ secrets: borrowing EventKeys, committing always: Bool = false, destroying: Bool = false,
        noting: (inout Keybag) -> Void = { _ in }
    ) throws -> Effects {
        try refresh()
        var next = device
        var effects = next.apply(event)
        if effects.refusal != nil { return effects }
        if always || effects.contains(where: \.changesKeybag) || next.lasting.differs(from: device.lasting) {
            // An event that rewraps nothing only records what happened. Erasing everything must not fail for lack of room.
            let isRecord = effects.allSatisfy { !$0.changesKeybag || $0 == .eraseAll }
            effects =
                try isRecord
                ? recording { try $0.commit(event, secrets, destroying: destroying, noting) }
                : commit(event, secrets, destroying: destroying, noting)
            if effects.refusal != nil { return effects }
        } else {
            device = next
        }
        let store = store
        do {
            // A committed event cannot be undone, so its memory was set aside in advance.
            try store.reserve.lend {
                try carryOut(effects, opening: try secrets.opening(after: effects))
                if effects.contains(.eraseAll) {
                    cleared = ClearedItems()
                    try openAfterRestart()
                }
            }
        } catch {
            throw failClosed(error)  // only part of the event is in memory, so the vault closes
        }
        let isWrong = effects.contains(.rejected(.passcode)) || effects.contains(.rejected(.biometry))
        audit.add(.event, event.auditWord + (isWrong ? ", wrong" : ""), hour: device.now.milliseconds)
        return effects
    }

    /// Applies the event to the device as it is under the lock, and commits the result.
    private mutating func commit(
        _ event: Event, _ secrets: borrowing EventKeys, destroying: Bool, _ note: (inout Keybag) -> Void
    ) throws -> Effects {
        do {
            return try destroyingTransaction { vault in
                var next = vault.device
                let effects = next.apply(event)
                if effects.refusal != nil { throw Refused(effects: effects) }
                var bag = vault.bag
                try vault.ring.read { contents in
                    for effect in effects {
                        try bag.follow(effect, next, secrets, contents.keys.gate, vault.store.fixed)
                    }
                }
                if next.wrongPasscodes.isEmpty { bag.attempts.forgetWrong() }
                note(&bag)
                if effects.contains(.eraseAll) {
                    bag.device = next.lasting
                    try bag.sealSettingsAnew(vault.store)
                    try vault.ledger.items.removeAll(from: vault.store)
                    try vault.ledger.forgetAllRemoved(in: vault.store)
                }
                try vault.commit(bag, next, destroying: destroying || effects.contains(where: \.destroysKeys))
                return effects
            }
        } catch let refused as Refused {
            return refused.effects
        }
    }

    /// Runs a transaction that may seal the keybag under a new erase key. Afterwards only one erase key is left: the
    /// one that opens the keybag in the database.
    mutating func destroyingTransaction<Result>(_ body: (inout VaultState) throws -> Result) throws -> Result {
        let store = store
        return try store.locked {
            // Reading the keybag removes an erase key that a crash has left behind, because the new one needs its slot.
            if try store.keys.eraseKeys().hasOlder { _ = try store.readKeybag() }
            let result: Result
            do {
                result = try transaction(lasting: true, isDestroying: true, body)
            } catch {
                if try store.keys.eraseKeys().hasOlder { _ = try store.readKeybag() }
                throw error
            }
            do { try store.keys.keep(.newest) } catch { throw failClosed(error) }
            store.observer?(.ended)
            return result
        }
    }

    /// Changes the keybag in a transaction of its own.
    mutating func amendKeybag(_ change: (inout Keybag) -> Void) throws {
        try transaction(lasting: true) { vault in
            var bag = vault.bag
            change(&bag)
            try vault.commit(bag, vault.device, destroying: false)
        }
    }

    /// Writes keybag and device in the open transaction. If `destroying`, the keybag is sealed under a new erase key.
    mutating func commit(_ newBag: Keybag, _ newDevice: Device, destroying: Bool) throws {
        if destroying {
            let erase = try Key.random()
            try store.keys.add(erase)
            store.observer?(.addedKey)
            bag = newBag
            device = newDevice
            try writeKeybag(under: erase)
        } else {
            let erase = try store.eraseKeyInUse()
            bag = newBag
            device = newDevice
            try writeKeybag(under: erase)
        }
    }

    /// Carries out the effects of an event on the keys in memory and on the evidence of contexts.
    mutating func carryOut(_ effects: Effects, opening: consuming Opening) throws {
        let opening = opening
        try ring.change { contents in
            try contents.carryOut(effects) { contents, classes in
                switch opening {
                case .nothing: break
                case .root(let root): try open(classes, root, in: &contents)
                case .match: try contents.openKept(classes)
                }
            }
        }
        forgetWiped()
        let isAnotherSensor = effects.contains { effect in if case .destroySensor = effect { true } else { false } }
        if isAnotherSensor { contexts.wipe([.biometry]) }
    }

    /// Returns the keybag with the missing gates of the present enrolled set added; nil if none is missing, or if the
    /// gate key is closed.
    func bagWithMissingGates() throws -> Keybag? {
        let state = device.domainState
        guard bag.lacksGates(for: state) else { return nil }
        var bag = bag
        let areMade: Void? = try ring.read { try Gates.lend($0.keys.gate) { try bag.addGates(under: $0, for: state) } }
        return areMade == nil ? nil : bag
    }

    /// Creates the gates that the present enrolled set lacks, because its enrollment happened while the gate key was
    /// closed.
    mutating func ensureGates() throws {
        guard bag.lacksGates(for: device.domainState), ring.read({ Gates.isThere($0.keys.gate) }) else { return }
        // An unlock comes through here, and must not fail on a full disk.
        try recording { vault in
            try vault.transaction(lasting: true) { vault in
                guard let bag = try vault.bagWithMissingGates() else { return }
                try vault.commit(bag, vault.device, destroying: false)
            }
        }
    }
}

/// An error for an event that the device refuses once the lock is held.
private struct Refused: NothingToCommitError {
    let effects: Effects
}

extension Effect {
    fileprivate var changesKeybag: Bool {
        switch self {
        case .rewrapRoot, .createPasscodeClass, .destroyPasscodeClass, .destroyDomainState, .destroySensor,
            .beginDomainState, .eraseAll:
            true
        case .refused, .authenticated, .rejected, .endSheets, .wipeContexts, .close, .open, .forgetUnlockKey,
            .exportBackup,
            .importBackup:
            false
        }
    }

    /// True if no earlier copy of the keybag may ever open again. That includes wrapping the root anew, because a
    /// keybag from before the passcode was set would open with the device file alone.
    fileprivate var destroysKeys: Bool {
        switch self {
        case .rewrapRoot, .destroyPasscodeClass, .destroyDomainState, .destroySensor, .eraseAll: true
        case .createPasscodeClass, .beginDomainState, .refused, .authenticated, .rejected, .endSheets, .wipeContexts,
            .close,
            .open, .forgetUnlockKey, .exportBackup, .importBackup:
            false
        }
    }
}

extension EventKeys {
    /// Returns the means by which class keys are opened after an event: the keys kept for a match, or the root that a
    /// passcode opened.
    fileprivate borrowing func opening(after effects: Effects) throws -> Opening {
        if effects.authenticated(.biometry) { return .match }
        switch root {
        case .some(let root): return .root(try root.copy())
        case .none: return .nothing
        }
    }
}
