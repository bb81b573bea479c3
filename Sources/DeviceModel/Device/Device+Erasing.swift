internal import AccessPolicy

extension Device {
    mutating func makeBackup(encrypted: Bool) -> Effects {
        if isLocked { return Effects(.deviceLocked) }  // the backup could not read items whose class key is unavailable
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

    /// Resets the device to its initial state. The numbers of the sensor, the epoch, the class key and the session
    /// continue, so that no binding from before can become valid again.
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
        fresh.apps = apps  // setting up the device installs the apps again, without their items
        self = fresh
        endSession(&effects)
        effects.add(.open(openClasses))
    }
}
