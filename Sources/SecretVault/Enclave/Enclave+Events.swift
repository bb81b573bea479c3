internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// What class keys are opened with.
enum Opening: ~Copyable {
    case nothing
    case root(Key)
    case match
}

extension Enclave {
    /// Lets `event` happen: the device decides what follows from it, the keys and the database follow.
    ///
    /// What outlives a restart is committed before anything happens in memory, and what destroys keys does so for good:
    /// a new erase key beside the old one, the keybag sealed under it, the old one overwritten.
    ///
    /// `always` says that the keybag is to be written whether or not the event changes it.
    /// `noting` changes what is on record besides, in the same transaction.
    mutating func happen(
        _ event: Event, _ secrets: borrowing EventKeys, committing always: Bool = false,
        noting: (inout Keybag) -> Void = { _ in }
    ) throws -> Effects {
        try refresh()
        var next = device
        var effects = next.apply(event)
        if effects.refusal != nil { return effects }
        if always || effects.contains(where: \.changesKeybag) || next.lasting.differs(from: device.lasting) {
            effects = try commit(event, secrets, noting)
            if effects.refusal != nil { return effects }
        } else {
            device = next
        }
        let store = store
        do {
            // A committed event cannot be taken back, so carrying it out has memory of its own.
            try store.reserve.lend {
                try carryOut(effects, opening: try secrets.opening(after: effects))
                if effects.contains(.eraseAll) {
                    cleared = ClearedItems()
                    try openAfterRestart()
                }
            }
        } catch {
            throw failClosed(error)  // half of an event is in memory: rather nothing
        }
        let isWrong = effects.contains(.rejected(.passcode)) || effects.contains(.rejected(.biometry))
        audit.add(.event, event.auditWord + (isWrong ? ", wrong" : ""), hour: device.now.milliseconds)
        return effects
    }

    /// Decides the event on the device as it is under the lock, and makes it last.
    private mutating func commit(
        _ event: Event, _ secrets: borrowing EventKeys, _ note: (inout Keybag) -> Void
    ) throws -> Effects {
        do {
            return try destroyingTransaction { enclave in
                var next = enclave.device
                let effects = next.apply(event)
                if effects.refusal != nil { throw Refused(effects: effects) }
                var bag = enclave.bag
                try enclave.ring.read { contents in
                    for effect in effects {
                        try bag.follow(effect, next, secrets, contents.keys.gate, enclave.store.fixed)
                    }
                }
                if next.wrongPasscodes.isEmpty { bag.attempts.forgetWrong() }
                note(&bag)
                if effects.contains(.eraseAll) { try enclave.ledger.items.removeAll(from: enclave.store) }
                try enclave.commit(bag, next, destroying: effects.contains(where: \.destroysKeys))
                return effects
            }
        } catch let refused as Refused {
            return refused.effects
        }
    }

    /// A transaction that may seal the keybag under a new erase key. When it is over only one is left: the one that the
    /// keybag in the database is under.
    mutating func destroyingTransaction<Result>(_ body: (inout Enclave) throws -> Result) throws -> Result {
        let store = store
        return try store.locked {
            // What a crash left is settled before the transaction: the new key needs the spare slot.
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

    /// Puts keybag and device into the transaction that is open, under a new erase key where something is to be destroyed.
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

    /// The keybag with the gates that are missing for the present enrollment set; nil where none is, or the gate key is away.
    func bagWithMissingGates() throws -> Keybag? {
        let state = device.domainState
        guard bag.lacksGates(for: state) else { return nil }
        var bag = bag
        let areMade: Void? = try ring.read { try Gates.lend($0.keys.gate) { try bag.addGates(under: $0, for: state) } }
        return areMade == nil ? nil : bag
    }

    /// Makes the gates that have to exist for the present enrollment set, where they were begun without the gate key.
    mutating func ensureGates() throws {
        guard bag.lacksGates(for: device.domainState), ring.read({ Gates.isThere($0.keys.gate) }) else { return }
        try transaction(lasting: true) { enclave in
            guard let bag = try enclave.bagWithMissingGates() else { return }
            try enclave.commit(bag, enclave.device, destroying: false)
        }
    }
}

/// An event that the device refuses once it is looked at under the lock.
private struct Refused: NothingToCommitError {
    let effects: Effects
}

extension Effect {
    /// True if it changes what is sealed.
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

    /// True if no copy of what was there before may ever open again. Wrapping the root anew is one of them: a keybag from
    /// before a passcode was set would open with the device file alone.
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
    /// What class keys are opened with after an event: what a match keeps, or what a passcode opens.
    fileprivate borrowing func opening(after effects: Effects) throws -> Opening {
        if effects.authenticated(.biometry) { return .match }
        switch root {
        case .some(let root): return .root(try root.copy())
        case .none: return .nothing
        }
    }
}
