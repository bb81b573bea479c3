public import AccessPolicy

/// An event that happens to a device.
///
/// Every event can be applied in every state. If it cannot happen, it is refused and changes nothing.
public enum Event: Hashable, Sendable {
    /// The device restarts.
    case reboot
    /// The device locks.
    case lock
    /// A person enters a passcode, on the lock screen or at a prompt.
    case passcodeEntered(Passcode)
    /// A person shows a finger or a face to the sensor, on the lock screen or at a prompt.
    case presented(Finger)
    /// Time passes.
    case timePassed(TimeSpan)

    /// A first passcode is set.
    case passcodeSet(Passcode)
    /// The passcode is changed.
    case passcodeChanged(Passcode)
    /// The passcode is removed.
    case passcodeRemoved
    /// The recovery key replaces the passcode. The event authenticates no factor and opens nothing.
    case passcodeRecovered(Passcode)

    /// A finger or a face is enrolled.
    case enrolled(Finger)
    /// A finger is removed in the settings. For faces or eyes, the settings offer only ``biometryReset``.
    case removed(Finger)
    /// All enrollments are removed.
    case biometryReset
    /// The sensor reports that it no longer knows this finger or face. Sensors of other makers can forget one at any
    /// time.
    case sensorForgot(Finger)

    /// The first biometric authentication of Stolen Device Protection succeeded, and the security delay starts.
    case securityDelayStarted

    /// A companion is paired. It is away and locked until other events change that.
    case companionPaired
    /// The companion is unpaired.
    case companionUnpaired
    /// The companion comes near.
    case companionNear
    /// The companion goes away.
    case companionAway
    /// The companion is unlocked.
    case companionUnlocked
    /// The companion is locked.
    case companionLocked

    /// An app is installed. Items that it stored before still exist.
    case appInstalled(AppID, App)
    /// An app is removed. Its items remain.
    case appRemoved(AppID)
    /// The user allows an app to use biometry.
    case biometryPermitted(AppID)
    /// The user denies an app the use of biometry.
    case biometryDenied(AppID)

    /// A backup of the device is made.
    case backupTaken(encrypted: Bool)
    /// The backup is restored onto this device, which is erased first.
    case restoredOntoThisDevice
    /// The backup is restored onto another device, which takes the place of this one in the model.
    case restoredOntoAnotherDevice

    /// The device is locked remotely.
    case remoteLock
    /// A person holds the buttons for power-off or an emergency call.
    case emergency
    /// The device is erased.
    case erase
}

/// A reason why an event could not happen.
///
/// ``name`` is the word in scenario files, and ``text`` is for people. Programs can depend on the raw value, which never
/// changes.
public enum Refusal: String, CaseIterable, Sendable {
    /// No passcode is set.
    case passcodeNotSet = "no passcode is set"
    /// A passcode is already set.
    case passcodeAlreadySet = "a passcode is set already"
    /// After wrong passcodes, the device accepts none until a delay ends.
    case passcodeDelayed = "the device waits after wrong passcodes"
    /// The device accepts no more passcodes.
    case passcodeDisabled = "the device takes no more passcodes"
    /// The device requires the passcode before biometry.
    case passcodeRequired = "the device insists on the passcode"
    /// The device is locked.
    case deviceLocked = "the device is locked"
    /// The device has no biometric sensor.
    case noSensor = "there is no sensor"
    /// No finger or face is enrolled.
    case nobodyEnrolled = "nobody is enrolled"
    /// This finger or face is not enrolled.
    case notEnrolled = "this one is not enrolled"
    /// This finger or face is already enrolled.
    case alreadyEnrolled = "this one is enrolled already"
    /// The settings remove all enrollments of a sensor for faces or eyes at once.
    case onlyResetRemoves = "this sensor forgets everyone at once, and not one by one"
    /// Stolen Device Protection requires its security delay first.
    case securityDelay = "Stolen Device Protection asks for a security delay first"
    /// Stolen Device Protection is not in effect.
    case notProtected = "Stolen Device Protection is off, or has no passcode or no biometry to work with"
    /// The sensor has no room for another enrollment.
    case sensorFull = "the sensor has room for no more"
    /// No companion is paired.
    case companionNotPaired = "no companion is paired"
    /// The event would change nothing.
    case nothingToChange = "there is nothing to change"
    /// The app is not installed.
    case appNotInstalled = "the app is not installed"
    /// The sensor needs no permission.
    case permissionNotNeeded = "the sensor needs no permission"
    /// No backup exists.
    case noBackup = "there is no backup"
    /// Time cannot run backwards.
    case clockCannotGoBack = "time does not run backwards"
    /// The clock has reached its end.
    case clockGoesNoFurther = "the clock goes no further"
    /// The person lacks a factor or another means that the event needs.
    case personCannot = "the person does not have what it takes"
    /// The prompt ended before the answer came.
    case promptOver = "the prompt was over before the answer came"
    /// The authenticator of the passcode could not be reached.
    case authenticatorUnavailable = "the judge of the passcode could not be asked"
    /// A counter has run out, and a number must never be used twice.
    case countersExhausted = "the enrolment counter has run out"
}

extension Refusal {
    /// The reason as a clause, such as `the device is locked`.
    public var text: String {
        switch self {
        case .passcodeNotSet: "no passcode is set"
        case .passcodeAlreadySet: "a passcode is already set"
        case .passcodeDelayed: "after wrong passcodes, the device accepts none until a delay ends"
        case .passcodeDisabled: "the device accepts no more passcodes"
        case .passcodeRequired: "the device requires the passcode"
        case .deviceLocked: "the device is locked"
        case .noSensor: "the device has no biometric sensor"
        case .nobodyEnrolled: "no finger or face is enrolled"
        case .notEnrolled: "this finger or face is not enrolled"
        case .alreadyEnrolled: "this finger or face is already enrolled"
        case .onlyResetRemoves: "this sensor removes all enrollments at once, and no single one"
        case .securityDelay: "Stolen Device Protection requires its security delay first"
        case .notProtected: "Stolen Device Protection is off, or the device has no passcode or no enrollment"
        case .sensorFull: "the sensor has no room for another enrollment"
        case .companionNotPaired: "no companion is paired"
        case .nothingToChange: "this would change nothing"
        case .appNotInstalled: "the app is not installed"
        case .permissionNotNeeded: "the sensor needs no permission"
        case .noBackup: "there is no backup"
        case .clockCannotGoBack: "time cannot run backwards"
        case .clockGoesNoFurther: "the clock has reached its end"
        case .personCannot: "the person lacks what this takes"
        case .promptOver: "the prompt ended before the answer came"
        case .authenticatorUnavailable: "the authenticator of the passcode could not be reached"
        case .countersExhausted: "the enrollment counter has run out"
        }
    }
}

extension Refusal: CustomStringConvertible {
    /// The word for the reason in scenario files.
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

    /// The word for the reason in scenario files.
    public var description: String { name }
}
