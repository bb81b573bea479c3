internal import AccessPolicy

extension World {
    /// Lets `person` cause `event`, as far as what they know and carry lets them.
    ///
    /// What a device's settings ask the passcode for, they can do only with it on an unlocked device, and a wrong one
    /// that they type there counts as one. What they could not cause is in the effects' `refusal`.
    @discardableResult
    public mutating func act(_ event: Event, by person: Person) -> Effects {
        switch event {
        case .reboot, .lock, .emergency, .timePassed, .remoteLock:
            return apply(event)
        case .erase where device.isDisabled:
            return apply(event)  // a device that takes no more passcodes offers nothing else
        case .passcodeRecovered:
            // A recovery key is no property of people; whoever has one acts on the device itself.
            return Effects(.personCannot)
        case .restoredOntoAnotherDevice:
            return opensBackup(person) ? apply(event) : Effects(.personCannot)
        case .restoredOntoThisDevice:
            return opensBackup(person) ? changeSettings(event, by: person) : Effects(.personCannot)
        case .passcodeEntered(let code):
            return person.passcode == code ? apply(event) : Effects(.personCannot)
        case .presented(let finger):
            return person.fingers.contains(finger) ? apply(event) : Effects(.personCannot)
        case .companionNear, .companionAway, .companionUnlocked, .companionLocked:
            return person.wearsCompanion ? apply(event) : Effects(.personCannot)
        case .appInstalled(let id, var app):
            if device.isLocked { return Effects(.deviceLocked) }
            app.permission = .notAsked  // what an app may use is for the holder to say once it asks
            return apply(.appInstalled(id, app))
        case .appRemoved, .biometryPermitted, .biometryDenied:
            return device.isLocked ? Effects(.deviceLocked) : apply(event)
        case .passcodeSet, .passcodeChanged, .passcodeRemoved, .enrolled, .removed, .biometryReset, .companionPaired,
            .companionUnpaired, .backupTaken, .erase:
            return changeSettings(event, by: person)
        }
    }

    private mutating func changeSettings(_ event: Event, by person: Person) -> Effects {
        if device.isLocked { return Effects(.deviceLocked) }
        var trial = self
        if let refusal = trial.apply(event).refusal { return Effects(refusal) }  // then no passcode is typed either
        if device.passcode != nil {
            guard let code = person.passcode else { return Effects(.personCannot) }
            let typed = apply(.passcodeEntered(code))
            guard typed.proved(.passcode) else { return typed }
        }
        return apply(event)
    }

    /// An encrypted backup has a password of its own.
    private func opensBackup(_ person: Person) -> Bool {
        backup?.isEncrypted != true || person.knowsBackupPassword
    }
}
