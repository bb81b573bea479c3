package import AccessPolicy

/// An event in the words of a scenario, in which fingers, passcodes, apps and people have names.
package enum StepEvent: Equatable, Sendable {
    case lock, reboot, lockRemotely, holdButtons, removePasscode, resetBiometry, startSecurityDelay, erase
    /// A passcode is typed; nil for the owner's.
    case unlock(passcode: String?)
    /// A finger or face is shown to the sensor.
    case touch(String)
    /// Fingers or faces are enrolled.
    case enroll([String])
    /// Fingers are removed.
    case remove([String])
    /// A passcode is set or changed.
    case setPasscode(String)
    case companion(CompanionState)
    case wait(TimeSpan)
    case install(String)
    case uninstall(String)
    /// The user lets an app use Face ID.
    case permitBiometry(String)
    /// The user forbids an app to use Face ID.
    case denyBiometry(String)
    case backup(encrypted: Bool)
    /// The last backup is restored.
    case restore(sameDevice: Bool)
    /// This person gets the device.
    case hold(String)
}
