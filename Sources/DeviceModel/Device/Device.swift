public import AccessPolicy

/// The settings of a device. While it is used, they change in one way: a real device can get a sensor.
public struct DeviceSettings: Hashable, Sendable {
    /// The biometric sensor.
    public var sensor: SensorKind
    /// The time for which the *when unlocked* class keys stay available after a lock: ten seconds by default, none on a
    /// vault.
    public var lockGrace: TimeSpan
    /// The consequence of the last wrong passcode that the device accepts.
    public var attemptEnd: AttemptEnd
    /// The choices on points that Apple's sources leave open.
    public var fidelity: Fidelity
    /// True if Stolen Device Protection is on and the device is away from familiar places, or the protection is set to
    /// always.
    public var stolenDeviceProtection: Bool

    /// Creates the settings of a device. The defaults are those of an Apple device with Touch ID.
    public init(
        sensor: SensorKind = .touchID, lockGrace: TimeSpan = .seconds(10), attemptEnd: AttemptEnd = .disables,
        fidelity: Fidelity = Fidelity(), stolenDeviceProtection: Bool = false
    ) {
        self.sensor = sensor
        self.lockGrace = lockGrace
        self.attemptEnd = attemptEnd
        self.fidelity = fidelity
        self.stolenDeviceProtection = stolenDeviceProtection
    }
}

/// The state of a device, as a value.
///
/// ``apply(_:)`` changes it by an event. ``conditions(for:)`` returns the facts that a decision depends on.
///
/// The value is flat, without strings, arrays or references, so that a search over millions of devices copies and
/// compares plain memory.
public struct Device: Hashable, Sendable {
    /// A reason why the device requires the passcode before biometry (semantics 7.1). The lockout is separate.
    public enum PasscodeReason: UInt8, CaseIterable, Sendable {
        /// The device restarted.
        case restarted
        /// The device has not been unlocked for 48 hours.
        case notUnlocked
        /// The passcode was not used for days, and biometry not for hours; see `Fidelity.PasscodeTimeout`.
        case passcodeUnused
        /// The device was locked remotely.
        case remoteLock
        /// The user held the buttons for power-off or an emergency call.
        case emergency
        /// Too many wrong passcodes were entered, and the device accepts no more.
        case disabled
        /// The recovery key replaced the passcode, and the new one has not been entered yet.
        case recovered
        /// The key that lets a match open the class keys is gone: biometry was unusable at the lock, or became so since
        /// (semantics 7.4).
        case noUnlockKey
    }

    /// The settings.
    public package(set) var settings: DeviceSettings
    /// The time on the device's clock.
    public package(set) var now = Instant.start
    /// The number of the session. An authentication counts only in its own session, and a lock or restart begins a new
    /// one.
    public package(set) var session: UInt64 = 1

    /// True if the screen is locked.
    public package(set) var isLocked = false
    /// True if the device has been unlocked since it started.
    public package(set) var hasFirstUnlock = true
    /// True if the *when unlocked* class keys are available. After a lock they stay available for the grace period.
    public package(set) var isOpen = true
    /// The moment when the device was last known to be unlocked; for a locked device, the moment of the lock.
    public package(set) var lastUnlocked = Instant.start

    /// The passcode; nil if none is set.
    public package(set) var passcode: Passcode?
    /// The number of the present or last *when passcode set* class key.
    public package(set) var passcodeClassKey: UInt32 = 0
    /// The wrong passcodes since the last right one. The same wrong passcode counts once.
    public package(set) var wrongPasscodes: Passcodes = []
    /// The moment until which the device accepts no passcode.
    public package(set) var delayedUntil = Instant.start
    /// The moment when the right passcode was last entered.
    public package(set) var lastPasscode = Instant.start

    /// The identity of the enrolled set and its sensor.
    public package(set) var domainState = DomainState(sensor: 1, epoch: 1)
    /// The enrolled fingers or faces.
    public package(set) var enrolled: Fingers = []
    /// The number of failed matches in a row.
    public package(set) var failedMatches: UInt8 = 0
    /// The last unlock by biometry in this session.
    public package(set) var biometricUnlock: BiometricUnlock?
    /// The moment when biometry last unlocked the device, in any session.
    public package(set) var lastBiometricUnlock = Instant.start
    /// The reasons why the device requires the passcode before biometry.
    public package(set) var passcodeReasons: BitSet<PasscodeReason, UInt8> = []

    /// The end of the security delay of Stolen Device Protection; nil if none was started.
    public package(set) var securityDelayEnds: Instant?

    /// The companion.
    public package(set) var companion = Companion()

    /// The installed apps.
    package var apps = Apps()

    /// A companion, such as a watch. An unpaired one stands for no companion.
    public struct Companion: Hashable, Sendable {
        /// True if the companion is paired.
        public package(set) var isPaired = false
        /// True if the companion is nearby.
        public package(set) var isNear = false
        /// True if the companion is unlocked.
        public package(set) var isUnlocked = false

        /// The state of the companion, as a decision sees it.
        public var state: CompanionState {
            if !isPaired { return .notPaired }
            if !isNear { return .away }
            return isUnlocked ? .ready : .locked
        }
    }

    /// Creates a new device with one app, without a passcode and without enrollments.
    public init(_ settings: DeviceSettings = DeviceSettings(), app: App = App()) {
        self.settings = settings
        apps[.first] = app
    }

    /// Creates a device in use: unlocked, with a passcode, enrolled fingers or faces, and one app.
    public init(_ settings: DeviceSettings = DeviceSettings(), passcode: Passcode, enrolled: Fingers, app: App = App())
    {
        self.init(settings, app: app)
        _ = apply(.passcodeSet(passcode))
        for finger in enrolled { _ = apply(.enrolled(finger)) }
    }

    /// The device with Stolen Device Protection on.
    package var underTheftProtection: Device {
        var device = self
        device.settings.stolenDeviceProtection = true
        return device
    }

    /// Returns the app with this number; nil if it is not installed.
    public func app(_ id: AppID) -> App? { apps[id] }

    /// True if biometry is locked out after failed matches, until the passcode is entered.
    public var isLockedOut: Bool { failedMatches >= SensorKind.lockoutLimit }

    /// The last moment of the clock. Ages and delays beyond it do not overflow.
    static let endOfTime = Instant(milliseconds: .max / 2)

    /// True if the device accepts no more passcodes.
    public var isDisabled: Bool {
        settings.attemptEnd != .keepsDelaying && wrongPasscodes.count >= settings.fidelity.passcodeDelays.limit
    }
}
