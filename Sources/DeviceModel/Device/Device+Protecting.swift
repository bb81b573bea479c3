package import AccessPolicy

// Stolen Device Protection (semantics 7.7): what the settings ask for besides the passcode, away from familiar places.

/// What Stolen Device Protection asks of someone who changes a setting.
package enum ProtectedBy: Sendable {
    /// Nothing.
    case nothing
    /// Biometry, which no passcode replaces.
    case biometry
    /// Biometry, an hour's wait, and biometry again.
    case biometryTwice
}

extension Device {
    /// How long Stolen Device Protection has someone wait between the two authentications.
    package static let securityDelay = TimeSpan.hours(1)

    /// Whether Stolen Device Protection is at work. It takes a passcode and someone who is enrolled.
    public var isTheftProtected: Bool { settings.stolenDeviceProtection && passcode != nil && !enrolled.isEmpty }

    /// Whether the hour has passed since the first authentication.
    public var isSecurityDelayOver: Bool { securityDelayEnds.map { $0 <= now } ?? false }

    mutating func startSecurityDelay() -> Effects {
        if !isTheftProtected { return Effects(.notProtected) }
        if securityDelayEnds != nil { return Effects(.nothingToChange) }
        guard now + Self.securityDelay <= Self.endOfTime else { return Effects(.clockGoesNoFurther) }
        securityDelayEnds = now + Self.securityDelay
        return Effects()
    }

    /// A delay that is over serves until the device is locked: it is begun anew for the next visit to the settings.
    mutating func endSecurityDelayIfOver() { if isSecurityDelayOver { securityDelayEnds = nil } }
}

extension Event {
    /// What Stolen Device Protection asks for, where it is at work.
    package var protectedBy: ProtectedBy {
        switch self {
        case .passcodeChanged, .passcodeRemoved, .enrolled, .removed, .biometryReset: .biometryTwice
        case .erase, .securityDelayStarted: .biometry
        case .reboot, .lock, .passcodeEntered, .presented, .timePassed, .passcodeSet, .passcodeRecovered, .sensorForgot,
            .companionPaired, .companionUnpaired, .companionNear, .companionAway, .companionUnlocked, .companionLocked,
            .appInstalled, .appRemoved, .biometryPermitted, .biometryDenied, .backupTaken, .restoredOntoThisDevice,
            .restoredOntoAnotherDevice, .remoteLock, .emergency:
            .nothing
        }
    }
}
