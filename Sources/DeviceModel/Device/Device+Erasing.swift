internal import AccessPolicy

extension Device {
    mutating func makeBackup(encrypted: Bool) -> Effects {
        if isLocked { return Effects(.deviceLocked) }  // closed classes could not be read
        var effects = Effects()
        effects.add(.exportBackup(encrypted: encrypted))
        return effects
    }

    mutating func restore(sameDevice: Bool) -> Effects {
        var effects = erase()
        if effects.refusal == nil { effects.add(.importBackup(sameDevice: sameDevice)) }
        return effects
    }

    mutating func erase() -> Effects {
        guard countersLeft else { return Effects(.countersExhausted) }
        var effects = Effects()
        eraseAll(&effects)
        return effects
    }

    var countersLeft: Bool { domainState.epoch < .max && domainState.sensor < .max }

    /// A device fresh from the box, but for what must never come back: sensor, epoch, class key and session go on.
    mutating func eraseAll(_ effects: inout Effects) {
        guard countersLeft else { return }
        effects.add(.endSheets)
        effects.add(.eraseAll)
        var fresh = Device(settings)
        fresh.now = now
        fresh.session = session
        fresh.passcodeClassKey = passcodeClassKey
        fresh.domainState = DomainState(sensor: domainState.sensor + 1, epoch: domainState.epoch + 1)
        fresh.lastUnlocked = now
        fresh.lastPasscode = now
        fresh.lastBiometricUnlock = now
        fresh.apps = apps  // apps come back with the setup; what they had stored does not
        self = fresh
        endSession(&effects)
        effects.add(.open(openClasses))
    }
}
