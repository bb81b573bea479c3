package import AccessPolicy

// Stolen Device Protection (semantics 7.7): what the settings ask for besides the passcode, away from familiar places.

/// The authentication that Stolen Device Protection asks for before a change of settings.
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

    /// True if Stolen Device Protection is at work. It takes a passcode and an enrolled person.
    public var isTheftProtected: Bool { settings.stolenDeviceProtection && passcode != nil && !enrolled.isEmpty }

    /// True once an hour has passed since the first authentication.
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
    /// The authentication that Stolen Device Protection asks for, if it is at work.
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
