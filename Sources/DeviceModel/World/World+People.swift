internal import AccessPolicy

/// What somebody needs who wants to cause an event.
package enum Means: Hashable, Sendable {
    /// To have the device in their hands, or not even that.
    case nothing
    /// That the device is unlocked.
    case unlockedDevice
    /// What a device's settings ask for: that it is unlocked, and the passcode where there is one.
    case settings
    /// The same and biometry, which no passcode replaces; and that the security delay is over, where that is asked for.
    case protectedSettings(afterDelay: Bool)
    /// To know this code.
    case passcode(Passcode)
    /// To have this finger.
    case finger(Finger)
    /// To wear the companion.
    case companion
    /// To open the backup, if it is encrypted.
    case backup
    /// The same, and what the settings ask for.
    case backupAndSettings
    /// That no person causes it: the sensor does.
    case sensorItself
    /// A recovery key, which is no property of people; whoever has one acts on the device itself.
    case recoveryKey
}

extension Event {
    /// What somebody needs who wants to cause it.
    package func means(on device: Device) -> Means {
        switch self {
        case .reboot, .lock, .emergency, .timePassed, .remoteLock: .nothing
        case .erase where device.isDisabled: .nothing  // a device that takes no more passcodes offers nothing else
        case .passcodeRecovered: .recoveryKey
        case .sensorForgot: .sensorItself
        case .restoredOntoAnotherDevice: .backup
        case .restoredOntoThisDevice: .backupAndSettings
        case .passcodeEntered(let code): .passcode(code)
        case .presented(let finger): .finger(finger)
        case .companionNear, .companionAway, .companionUnlocked, .companionLocked: .companion
        case .appInstalled, .appRemoved, .biometryPermitted, .biometryDenied: .unlockedDevice
        case .passcodeSet, .passcodeChanged, .passcodeRemoved, .enrolled, .removed, .biometryReset, .companionPaired,
            .companionUnpaired, .backupTaken, .erase, .securityDelayStarted:
            meansInSettings(on: device)
        }
    }

    private func meansInSettings(on device: Device) -> Means {
        guard device.isTheftProtected else { return .settings }
        return switch protectedBy {
        case .nothing: .settings
        case .biometry: .protectedSettings(afterDelay: false)
        case .biometryTwice: .protectedSettings(afterDelay: true)
        }
    }

    /// True if a refusal tells something that only who knows the passcode may learn: that a code is the present one.
    package var isRefusedOnlyToWhoKnows: Bool { if case .passcodeChanged = self { true } else { false } }

    /// The event as a person causes it. If they install an app, the user decides about its permission once it asks.
    package var causedBySomebody: Event {
        guard case .appInstalled(let id, var app) = self else { return self }
        app.permission = .notAsked
        return .appInstalled(id, app)
    }
}

extension World {
    /// Lets `person` cause `event`, as far as what they know and carry lets them.
    ///
    /// What a device's settings ask the passcode for, they can do only with it on an unlocked device, and a wrong one
    /// that they type there counts as one. Where Stolen Device Protection is at work, so does a finger that is not enrolled.
    /// What they could not cause is in the effects' `refusal`.
    @discardableResult
    public mutating func act(_ event: Event, by person: Person) -> Effects {
        let event = event.causedBySomebody
        let canDo: Bool
        switch event.means(on: device) {
        case .nothing: canDo = true
        case .unlockedDevice:
            if device.isLocked { return Effects(.deviceLocked) }
            canDo = true
        case .settings: return changeSettings(event, by: person)
        case .protectedSettings(let afterDelay):
            return changeSettings(event, by: person, provingBiometry: true, afterDelay: afterDelay)
        case .passcode(let code): canDo = person.passcode == code
        case .finger(let finger): canDo = person.fingers.contains(finger)
        case .companion: canDo = person.wearsCompanion
        case .backup: canDo = opensBackup(person)
        case .backupAndSettings:
            if opensBackup(person) { return changeSettings(event, by: person) }
            canDo = false
        case .sensorItself, .recoveryKey: canDo = false
        }
        return canDo ? apply(event) : Effects(.personCannot)
    }

    private mutating func changeSettings(
        _ event: Event, by person: Person, provingBiometry: Bool = false, afterDelay: Bool = false
    ) -> Effects {
        if device.isLocked { return Effects(.deviceLocked) }
        if afterDelay && !device.isSecurityDelayOver { return Effects(.securityDelay) }
        if !event.isRefusedOnlyToWhoKnows, let refusal = refusal(of: event) {
            return Effects(refusal)  // then no passcode is typed either
        }
        if device.passcode != nil {
            guard let code = person.passcode else { return Effects(.personCannot) }
            let typed = apply(.passcodeEntered(code))
            guard typed.authenticated(.passcode) else { return typed }
        }
        if provingBiometry {
            guard let finger = person.finger(for: device.enrolled) else { return Effects(.personCannot) }
            let shown = apply(.presented(finger))
            guard shown.authenticated(.biometry) else { return shown }
        }
        return apply(event)
    }

    /// An encrypted backup has a password of its own.
    private func opensBackup(_ person: Person) -> Bool {
        backup?.isEncrypted != true || person.knowsBackupPassword
    }
}
