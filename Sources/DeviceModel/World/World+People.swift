internal import AccessPolicy

/// The means that a person needs to cause an event.
package enum Means: Hashable, Sendable {
    /// Nothing, not even the device itself.
    case nothing
    case unlockedDevice
    /// Access to the settings: the unlocked device, and the passcode if one is set.
    case settings
    /// Access to the settings and biometry, without the passcode as a fallback. If `afterDelay` is true, the security
    /// delay must be over.
    case protectedSettings(afterDelay: Bool)
    /// Knowledge of this passcode.
    case passcode(Passcode)
    case finger(Finger)
    /// The companion, worn by the person.
    case companion
    /// The password of the backup, if it is encrypted.
    case backup
    /// The password of the backup, if it is encrypted, and access to the settings.
    case backupAndSettings
    /// None that a person can have: the sensor causes the event.
    case sensorItself
    /// A recovery key. A modeled person has none; apply the event to the device directly.
    case recoveryKey
}

extension Event {
    /// Returns the means that a person needs to cause the event.
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

    /// True if a refusal reveals that a code is the present passcode, which only a person who knows it may learn.
    package var isRefusedOnlyToWhoKnows: Bool { if case .passcodeChanged = self { true } else { false } }

    /// The event as a person causes it: an app that a person installs has not yet asked for permission.
    package var causedBySomebody: Event {
        guard case .appInstalled(let id, var app) = self else { return self }
        app.permission = .notAsked
        return .appInstalled(id, app)
    }
}

extension World {
    /// Applies an event that a person causes, if they have the means for it.
    ///
    /// For an event in the settings, the device must be unlocked, and the person enters the passcode; a wrong one
    /// counts. While Stolen Device Protection is in effect the person also shows a finger, and a failed match counts.
    /// If the person lacks the means, the reason is in ``Effects/refusal``.
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
            return Effects(refusal)  // refused before the person enters a passcode
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

    /// Returns true if the person can open the backup. An encrypted one has its own password.
    private func opensBackup(_ person: Person) -> Bool {
        backup?.isEncrypted != true || person.knowsBackupPassword
    }
}
