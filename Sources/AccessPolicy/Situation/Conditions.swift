/// The facts about the device, the calling app and the time that a decision depends on.
///
/// A simulated device or a real vault fills them in without applying any rule. All rules are in ``decide(_:under:)->Decision``.
public struct Conditions: Hashable, Sendable {
    /// The class keys that are available now.
    public var openClasses: KeyClasses
    /// The number of the *when passcode set* class key; zero if there is none.
    public var passcodeClassKey: UInt32
    /// True if the screen is locked. A locked device shows no prompt.
    public var isLocked: Bool
    /// True if the device has been unlocked since it started.
    public var hasFirstUnlock: Bool
    /// The state of the device passcode.
    public var passcode: PasscodeState
    /// The moment at which the device accepts a passcode again, if it is delayed.
    public var passcodeDelayedUntil: Instant
    /// True if the device requires the passcode before it accepts biometry again (semantics 7.1).
    public var isPasscodeRequired: Bool
    /// The state of biometry for this app.
    public var biometry: BiometryState
    /// The present enrolled set.
    public var domainState: DomainState
    /// The last unlock by biometry in this session; nil if there was none.
    public var biometricUnlock: BiometricUnlock?
    /// The state of the companion.
    public var companion: CompanionState
    /// The access groups of the app.
    public var groups: AccessGroups
    /// The number of the session. Locks and restarts begin a new one, and evidence from an earlier session no longer
    /// counts.
    public var session: UInt64
    /// The current time.
    public var now: Instant
    /// The choices on points that Apple's sources leave open.
    public var fidelity: Fidelity

    /// Creates the conditions of a device.
    ///
    /// By default the device is unlocked, has a passcode and enrolled biometry and no companion, and the app belongs to
    /// the first access group.
    public init(
        openClasses: KeyClasses = [.always, .afterFirstUnlock, .whenUnlocked, .whenPasscodeSet],
        passcodeClassKey: UInt32 = 1, isLocked: Bool = false, hasFirstUnlock: Bool = true,
        passcode: PasscodeState = .ready, passcodeDelayedUntil: Instant = .start, isPasscodeRequired: Bool = false,
        biometry: BiometryState = .ready, domainState: DomainState = DomainState(sensor: 1, epoch: 1),
        biometricUnlock: BiometricUnlock? = nil, companion: CompanionState = .notPaired,
        groups: AccessGroups = [.first], session: UInt64 = 1, now: Instant = .start, fidelity: Fidelity = Fidelity()
    ) {
        self.openClasses = openClasses
        self.passcodeClassKey = passcodeClassKey
        self.isLocked = isLocked
        self.hasFirstUnlock = hasFirstUnlock
        self.passcode = passcode
        self.passcodeDelayedUntil = passcodeDelayedUntil
        self.isPasscodeRequired = isPasscodeRequired
        self.biometry = biometry
        self.domainState = domainState
        self.biometricUnlock = biometricUnlock
        self.companion = companion
        self.groups = groups
        self.session = session
        self.now = now
        self.fidelity = fidelity
    }

    /// Returns true if the user must allow the app to use biometry before the first of `ways` can be prompted for.
    public func needsPermission(for ways: Ways) -> Bool {
        biometry == .notYetPermitted && ways.first?.contains(.biometry) == true
    }

    /// The binding of an item that is stored now.
    public var binding: Binding { Binding(domainState: domainState, passcodeClassKey: passcodeClassKey) }
}

/// The state of the device passcode.
public enum PasscodeState: UInt8, CaseIterable, Sendable {
    /// A passcode is set, and the device accepts it.
    case ready
    /// No passcode is set.
    case notSet
    /// After wrong passcodes, the device accepts none until a delay ends.
    case delayed
    /// After too many wrong passcodes, the device accepts no more.
    case disabled
}

/// The state of biometry for an app. If several apply, the first one here is reported.
public enum BiometryState: UInt8, CaseIterable, Sendable {
    /// The device has no sensor.
    case noHardware
    /// The app does not declare the usage text that this sensor needs, `NSFaceIDUsageDescription`.
    case noUsageText
    /// The user denied the app permission to use biometry.
    case notPermitted
    /// No finger or face is enrolled.
    case notEnrolled
    /// Biometry is locked out after too many failed matches.
    case lockedOut
    /// Biometry is ready, but the app has not yet asked the user for permission.
    case notYetPermitted
    /// Biometry is ready.
    case ready
}

/// The state of a companion, such as a watch.
public enum CompanionState: UInt8, CaseIterable, Sendable {
    /// No companion is paired.
    case notPaired
    /// The companion is not nearby.
    case away
    /// The companion is nearby but locked.
    case locked
    /// The companion is nearby and unlocked.
    case ready
}

/// An unlock of the device by biometry.
public struct BiometricUnlock: Hashable, Sendable {
    /// The moment of the unlock.
    public var at: Instant
    /// The enrolled set that the match was made against.
    public var domainState: DomainState

    /// Creates an unlock at a moment, against an enrolled set.
    public init(at: Instant, domainState: DomainState) {
        self.at = at
        self.domainState = domainState
    }
}

extension CompanionState: NamedChoice, CustomStringConvertible {
    /// The name of the state in scenario files.
    public var name: String {
        switch self {
        case .notPaired: "notPaired"
        case .away: "away"
        case .locked: "locked"
        case .ready: "ready"
        }
    }

    /// The name of the state.
    public var description: String { name }
}
