public import AccessPolicy

/// Something that happens to a device.
///
/// Every event is legal in every state; one that cannot happen is refused and changes nothing.
public enum Event: Hashable, Sendable {
    /// It is switched off and on.
    case reboot
    /// It is locked.
    case lock
    /// A passcode is typed, on the lock screen or at a prompt.
    case passcodeEntered(Passcode)
    /// A finger or a face is shown to the sensor, on the lock screen or at a prompt.
    case presented(Finger)
    /// Time passes.
    case timePassed(TimeSpan)

    /// A passcode is set where there was none.
    case passcodeSet(Passcode)
    /// The passcode becomes another.
    case passcodeChanged(Passcode)
    /// The passcode is removed.
    case passcodeRemoved
    /// The passcode becomes another by the recovery key. It opens nothing: whoever recovers has proved no factor.
    case passcodeRecovered(Passcode)

    /// A finger or a face is enrolled.
    case enrolled(Finger)
    /// A finger is removed in the settings. A sensor for faces or eyes offers only ``biometryReset``.
    case removed(Finger)
    /// All of them are.
    case biometryReset
    /// The sensor itself reports that it no longer knows this one: a sensor that is no Apple device may forget anyone.
    case sensorForgot(Finger)

    /// Stolen Device Protection has its first biometric authentication: from now on an hour has to pass.
    case securityDelayStarted

    /// A companion is paired; it is away and locked until something else is said.
    case companionPaired
    /// The companion is forgotten.
    case companionUnpaired
    /// The companion comes near.
    case companionNear
    /// The companion goes away.
    case companionAway
    /// The companion is unlocked.
    case companionUnlocked
    /// The companion is locked.
    case companionLocked

    /// An app is installed; what it had stored before is still there.
    case appInstalled(AppID, App)
    /// An app is removed; what it has stored stays.
    case appRemoved(AppID)
    /// The user lets an app use biometry.
    case biometryPermitted(AppID)
    /// The user refuses an app the use of biometry.
    case biometryDenied(AppID)

    /// A backup is made.
    case backupTaken(encrypted: Bool)
    /// The backup is put onto this device, which erases it first.
    case restoredOntoThisDevice
    /// The backup is put onto another device, which is the one we look at from now on.
    case restoredOntoAnotherDevice

    /// It is locked from afar.
    case remoteLock
    /// The buttons for power-off or an emergency call are held.
    case emergency
    /// It is erased.
    case erase
}

/// Why an event could not happen.
public enum Refusal: String, CaseIterable, Sendable {
    /// No passcode is set.
    case passcodeNotSet = "no passcode is set"
    /// A passcode is set already.
    case passcodeAlreadySet = "a passcode is set already"
    /// The device waits after wrong passcodes.
    case passcodeDelayed = "the device waits after wrong passcodes"
    /// The device takes no more passcodes.
    case passcodeDisabled = "the device takes no more passcodes"
    /// Biometry waits for the passcode.
    case passcodeRequired = "the device insists on the passcode"
    /// The device is locked.
    case deviceLocked = "the device is locked"
    /// There is no sensor.
    case noSensor = "there is no sensor"
    /// No finger or face is enrolled.
    case nobodyEnrolled = "nobody is enrolled"
    /// This one is not enrolled.
    case notEnrolled = "this one is not enrolled"
    /// This one is enrolled already.
    case alreadyEnrolled = "this one is enrolled already"
    /// A sensor for faces or eyes forgets everyone at once.
    case onlyResetRemoves = "this sensor forgets everyone at once, and not one by one"
    /// Stolen Device Protection asks for an hour's delay first.
    case securityDelay = "Stolen Device Protection asks for a security delay first"
    /// Stolen Device Protection protects nothing here.
    case notProtected = "Stolen Device Protection is off, or has no passcode or no biometry to work with"
    /// The sensor has room for no more.
    case sensorFull = "the sensor has room for no more"
    /// No companion is paired.
    case companionNotPaired = "no companion is paired"
    /// There is nothing to change.
    case nothingToChange = "there is nothing to change"
    /// The app is not installed.
    case appNotInstalled = "the app is not installed"
    /// The sensor needs no permission.
    case permissionNotNeeded = "the sensor needs no permission"
    /// There is no backup.
    case noBackup = "there is no backup"
    /// Time does not run backwards.
    case clockCannotGoBack = "time does not run backwards"
    /// The clock is at its end.
    case clockGoesNoFurther = "the clock goes no further"
    /// The person does not know, or does not have, what it takes.
    case personCannot = "the person does not have what it takes"
    /// The prompt that it was for is over.
    case promptOver = "the prompt was over before the answer came"
    /// Somebody who has a say in it could not be asked.
    case authenticatorUnavailable = "the judge of the passcode could not be asked"
    /// A counter has run out; a domain state must never come back.
    case countersExhausted = "the enrolment counter has run out"
}

extension Refusal: CustomStringConvertible {
    /// The word that scenario files have for it.
    public var name: String {
        switch self {
        case .passcodeNotSet: "passcodeNotSet"
        case .passcodeAlreadySet: "passcodeAlreadySet"
        case .passcodeDelayed: "passcodeDelayed"
        case .passcodeDisabled: "passcodeDisabled"
        case .passcodeRequired: "passcodeRequired"
        case .deviceLocked: "deviceLocked"
        case .noSensor: "noSensor"
        case .nobodyEnrolled: "nobodyEnrolled"
        case .notEnrolled: "notEnrolled"
        case .alreadyEnrolled: "alreadyEnrolled"
        case .onlyResetRemoves: "onlyResetRemoves"
        case .securityDelay: "securityDelay"
        case .notProtected: "notProtected"
        case .sensorFull: "sensorFull"
        case .companionNotPaired: "companionNotPaired"
        case .nothingToChange: "nothingToChange"
        case .appNotInstalled: "appNotInstalled"
        case .permissionNotNeeded: "permissionNotNeeded"
        case .noBackup: "noBackup"
        case .clockCannotGoBack: "clockCannotGoBack"
        case .clockGoesNoFurther: "clockGoesNoFurther"
        case .personCannot: "personCannot"
        case .promptOver: "promptOver"
        case .authenticatorUnavailable: "judgeUnavailable"
        case .countersExhausted: "countersExhausted"
        }
    }

    /// The name.
    public var description: String { name }
}
