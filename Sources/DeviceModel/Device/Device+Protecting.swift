package import AccessPolicy

// Stolen Device Protection (semantics 7.7): the authentication that settings need in addition to the passcode while the
// device is away from familiar places.

/// The authentication that Stolen Device Protection requires before a change of settings.
package enum ProtectedBy: Sendable {
    /// No authentication.
    case nothing
    /// Biometry, without the passcode as a fallback.
    case biometry
    /// Biometry, a delay of an hour, and biometry again.
    case biometryTwice
}

extension Device {
    /// The delay between the two authentications of Stolen Device Protection.
    package static let securityDelay = TimeSpan.hours(1)

    /// True if Stolen Device Protection is in effect: it is on, a passcode is set, and a finger or face is enrolled.
    public var isTheftProtected: Bool { settings.stolenDeviceProtection && passcode != nil && !enrolled.isEmpty }

    /// True if the security delay was started and is over.
    public var isSecurityDelayOver: Bool { securityDelayEnds.map { $0 <= now } ?? false }

    mutating func startSecurityDelay() -> Effects {
        if !isTheftProtected { return Effects(.notProtected) }
        if securityDelayEnds != nil { return Effects(.nothingToChange) }
        guard now + Self.securityDelay <= Self.endOfTime else { return Effects(.clockGoesNoFurther) }
        securityDelayEnds = now + Self.securityDelay
        return Effects()
    }

    /// Clears a security delay that is over. It is valid until the device locks; the next change of settings needs a
    /// new one.
    mutating func endSecurityDelayIfOver() { if isSecurityDelayOver { securityDelayEnds = nil } }
}

extension Event {
    /// The authentication that the event needs while Stolen Device Protection is in effect.
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
