/// What deciding needs to know of the device, of the caller's standing on it, and of the hour.
///
/// Plain facts: whoever fills them in (a simulated device, a real vault) has applied no rule of its own.
public struct Conditions: Hashable, Sendable {
    /// The class keys that are open now.
    public var openClasses: KeyClasses
    /// The *when passcode set* class key that exists; zero when there is none.
    public var passcodeClassKey: UInt32
    /// True if the screen is locked. No prompt can be shown then.
    public var isLocked: Bool
    /// True if the device has been unlocked since it started.
    public var hasFirstUnlock: Bool
    /// Whether a passcode can be typed now.
    public var passcode: PasscodeState
    /// When a delayed passcode may be typed again.
    public var passcodeDelayedUntil: Instant
    /// True if the device insists on the passcode before it accepts biometry again (semantics 7.1).
    public var isPasscodeRequired: Bool
    /// What the sensor is good for, for this caller.
    public var biometry: BiometryState
    /// The enrollment set.
    public var domainState: DomainState
    /// When the device was last unlocked by biometry in this session, and under which enrollment set.
    public var biometricUnlock: BiometricUnlock?
    /// Where the companion is.
    public var companion: CompanionState
    /// The access groups of the caller.
    public var groups: AccessGroups
    /// Counts locks and restarts; evidence from another session is void.
    public var session: UInt64
    /// The hour.
    public var now: Instant
    /// How the points are settled on which Apple's sources leave a choice.
    public var fidelity: Fidelity

    /// An unlocked device with a passcode, ready for biometry, asked by a caller of the first group.
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

    /// Returns true if the user has to permit the sensor to this app before it is asked for what `ways` begin with.
    public func needsPermission(for ways: Ways) -> Bool {
        biometry == .notYetPermitted && ways.first?.contains(.biometry) == true
    }

    /// What an item stored now is tied to.
    public var binding: Binding { Binding(domainState: domainState, passcodeClassKey: passcodeClassKey) }
}

/// Whether the device passcode can be typed.
public enum PasscodeState: UInt8, CaseIterable, Sendable {
    /// There is one, and it may be typed.
    case ready
    /// There is none.
    case notSet
    /// Too many wrong ones: the device waits.
    case delayed
    /// Too many wrong ones: the device takes no more.
    case disabled
}

/// What the sensor is good for. The order is that in which obstacles are named when several apply.
public enum BiometryState: UInt8, CaseIterable, Sendable {
    /// There is no sensor.
    case noHardware
    /// The app declared no text for the permission that this sensor needs.
    case noUsageText
    /// The user refused this app the sensor.
    case notPermitted
    /// No finger or face is enrolled.
    case notEnrolled
    /// Too many failed matches.
    case lockedOut
    /// It can be used once the user has permitted it to this app, which has not asked yet.
    case notYetPermitted
    /// It can be used.
    case ready
}

/// Where the companion is.
public enum CompanionState: UInt8, CaseIterable, Sendable {
    /// There is none.
    case notPaired
    /// Out of reach.
    case away
    /// Nearby, but locked.
    case locked
    /// Nearby and unlocked.
    case ready
}

/// An unlock of the device by biometry.
public struct BiometricUnlock: Hashable, Sendable {
    /// When.
    public var at: Instant
    /// Against which enrollment set.
    public var domainState: DomainState

    /// An unlock at this moment against this set.
    public init(at: Instant, domainState: DomainState) {
        self.at = at
        self.domainState = domainState
    }
}

extension CompanionState: NamedChoice, CustomStringConvertible {
    /// The word that scenario files have for it.
    public var name: String {
        switch self {
        case .notPaired: "notPaired"
        case .away: "away"
        case .locked: "locked"
        case .ready: "ready"
        }
    }

    /// The name.
    public var description: String { name }
}
