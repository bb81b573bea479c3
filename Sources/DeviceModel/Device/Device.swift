public import AccessPolicy

/// How a device is made: what does not change while it is used.
public struct DeviceSettings: Hashable, Sendable {
    /// Its sensor.
    public var sensor: SensorKind
    /// How long the *when unlocked* classes stay open after a lock: ten seconds on a simulated device, none on a vault.
    public var lockGrace: TimeSpan
    /// What follows wrong passcodes in the end.
    public var attemptEnd: AttemptEnd
    /// How the disputed points are settled.
    public var fidelity: Fidelity
    /// True if Stolen Device Protection is on, and the device is away from familiar places or protected everywhere.
    public var stolenDeviceProtection: Bool

    /// A device with Touch ID that behaves as Apple's do by default.
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

/// A device, as a value: everything that what happens to it can change.
///
/// Flat, without strings, arrays or references, so that a search over millions of them copies and compares bytes.
public struct Device: Hashable, Sendable {
    /// Why the passcode is required before biometry does again (semantics 7.1). Lockout is counted apart.
    public enum PasscodeReason: UInt8, CaseIterable, Sendable {
        /// The device was started.
        case restarted
        /// It has not been unlocked for 48 hours.
        case notUnlocked
        /// The passcode was not used for days, and biometry not for hours.
        case passcodeUnused
        /// It was locked from afar.
        case remoteLock
        /// The buttons for power-off or an emergency call were held.
        case emergency
        /// Too many wrong passcodes were typed: nothing opens the device any more.
        case disabled
        /// The passcode was replaced by the recovery key, and the new one has not been typed yet.
        case recovered
        /// Nothing was kept that a match could open the class keys with: biometry was not usable at the lock, or stopped
        /// being so since (semantics 7.4).
        case noUnlockKey
    }

    /// How it is made.
    public private(set) var settings: DeviceSettings
    /// Its clock.
    public package(set) var now = Instant.start
    /// Counts locks and restarts: what was proved in one session is void in the next.
    public package(set) var session: UInt64 = 1

    /// True if the screen is locked.
    public package(set) var isLocked = false
    /// True if it has been unlocked since it started.
    public package(set) var hasFirstUnlock = true
    /// True if the *when unlocked* class keys are open; they outlive the lock by its grace.
    public package(set) var isOpen = true
    /// When it was last seen unlocked: while it is locked, the moment of the lock.
    public package(set) var lastUnlocked = Instant.start

    /// The passcode.
    public package(set) var passcode: Passcode?
    /// Which *when passcode set* class key exists, or existed last.
    public package(set) var passcodeClassKey: UInt32 = 0
    /// The wrong passcodes typed since the last right one; the same one again does not count.
    public package(set) var wrongPasscodes: Passcodes = []
    /// Until when no passcode is taken.
    public package(set) var delayedUntil = Instant.start
    /// When the right passcode was last typed.
    public package(set) var lastPasscode = Instant.start

    /// The enrollment set, of which sensor.
    public package(set) var domainState = DomainState(sensor: 1, epoch: 1)
    /// Who is enrolled.
    public package(set) var enrolled: Fingers = []
    /// Failed matches in a row.
    public package(set) var failedMatches: UInt8 = 0
    /// The last unlock by biometry in this session.
    public package(set) var biometricUnlock: BiometricUnlock?
    /// When biometry last unlocked the device, in whatever session.
    public package(set) var lastBiometricUnlock = Instant.start
    /// Why the passcode is required.
    public package(set) var passcodeReasons: BitSet<PasscodeReason, UInt8> = []

    /// When the hour of Stolen Device Protection is over; nil where none was begun.
    public package(set) var securityDelayEnds: Instant?

    /// Where the companion is.
    public package(set) var companion = Companion()

    package var apps = Apps()

    /// A companion, paired or not.
    public struct Companion: Hashable, Sendable {
        /// True if there is one.
        public package(set) var isPaired = false
        /// True if it is near.
        public package(set) var isNear = false
        /// True if it is unlocked.
        public package(set) var isUnlocked = false

        /// What it is good for.
        public var state: CompanionState {
            if !isPaired { return .notPaired }
            if !isNear { return .away }
            return isUnlocked ? .ready : .locked
        }
    }

    /// A device fresh from the box: no passcode, nobody enrolled, and one app.
    public init(_ settings: DeviceSettings = DeviceSettings(), app: App = App()) {
        self.settings = settings
        apps[.first] = app
    }

    /// A device in use: booted, unlocked, with a passcode and these enrolled.
    public init(_ settings: DeviceSettings = DeviceSettings(), passcode: Passcode, enrolled: Fingers, app: App = App())
    {
        self.init(settings, app: app)
        _ = apply(.passcodeSet(passcode))
        for finger in enrolled { _ = apply(.enrolled(finger)) }
    }

    /// Returns the device with Stolen Device Protection on.
    package var underTheftProtection: Device {
        var device = self
        device.settings.stolenDeviceProtection = true
        return device
    }

    /// The app in this place.
    public func app(_ id: AppID) -> App? { apps[id] }

    /// True if biometry waits for the passcode because of failed matches.
    public var isLockedOut: Bool { failedMatches >= SensorKind.lockoutLimit }

    /// As far as the clock goes; every age and every delay has room beyond it.
    static let endOfTime = Instant(milliseconds: .max / 2)

    /// True if it takes no more passcodes.
    public var isDisabled: Bool {
        settings.attemptEnd != .keepsDelaying && wrongPasscodes.count >= settings.fidelity.passcodeDelays.limit
    }
}
