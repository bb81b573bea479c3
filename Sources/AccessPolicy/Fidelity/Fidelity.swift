/// How the points are settled on which Apple's sources disagree or say nothing (semantics 10).
///
/// The defaults are the best-evidenced choices. Everything that depends on such a point reads it from here. A vault keeps the
/// numbers of the choices that it was made with: a number never changes, and no default of today counts for a vault.
public struct Fidelity: Hashable, Sendable {
    /// The status of adding a *when passcode set* item while no passcode is set.
    public enum AddWithoutPasscode: UInt8, CaseIterable, Sendable {
        /// -25291, which Apple's own test expects.
        case notAvailable = 0
        /// -25293, seen since iOS 9.2.
        case authFailed = 1
        /// -26275, seen on iOS 8.
        case decode = 2
    }

    /// The answer to a read of an item whose enrollment set has changed. The item is invalidated whatever this says.
    public enum ChangedSet: UInt8, CaseIterable, Sendable {
        /// Not found while biometry exists to tell; while it does not, the obstacle that biometry has.
        case notFoundWhileBiometryExists = 0
        /// Always not found.
        case notFound = 1
        /// Always a failed authentication.
        case authFailed = 2
    }

    /// Whether adding over a protected item opens that item first to see whether it is alive.
    public enum Duplicate: UInt8, CaseIterable, Sendable {
        /// It authenticates, then says duplicate.
        case authenticates = 0
        /// It says duplicate at once.
        case answersAtOnce = 1
    }

    /// Whether attributes and references of a protected item need the authentication that its data needs.
    public enum Attributes: UInt8, CaseIterable, Sendable {
        /// They do.
        case authenticated = 0
        /// They do not, as some libraries assume.
        case open = 1
    }

    /// How long an authenticated context stays so.
    public enum ContextLifetime: UInt8, CaseIterable, Sendable {
        /// Until it is invalidated, as the header says.
        case untilInvalidated = 0
        /// Ten minutes, as seen in the field.
        case tenMinutes = 1
    }

    /// What an evaluation ends with when it hits the limit of failed matches.
    public enum LockoutHit: UInt8, CaseIterable, Sendable {
        /// As a failed authentication (-1).
        case authenticationFailed = 0
        /// As a lockout (-8).
        case biometryLockout = 1
    }

    /// What a full reset of the sensor does to items bound to any biometry.
    public enum SensorReset: UInt8, CaseIterable, Sendable {
        /// It becomes another sensor and they are lost, as one thread reports. Every real vault is made so.
        case replacesSensor = 0
        /// It stays the sensor it was.
        case keepsSensor = 1
    }

    /// Which factors show that someone is present.
    public enum Presence: UInt8, CaseIterable, Sendable {
        /// Biometry or passcode: iPhone and iPad.
        case biometryOrPasscode = 0
        /// Biometry, companion or passcode: a Mac.
        case biometryCompanionOrPasscode = 1
    }

    /// Whether a biometry constraint can be stored during a lockout.
    public enum AddDuringLockout: UInt8, CaseIterable, Sendable {
        /// It can: storing asks for no match.
        case allowed = 0
        /// It cannot.
        case refused = 1
    }

    /// How long the passcode may go unused before biometry stops doing.
    public enum PasscodeTimeout: UInt8, CaseIterable, Sendable {
        /// 6.5 days, and 4 hours without biometry: the current guide.
        case current = 0
        /// 6 days, and 8 hours without biometry: the older guide.
        case older = 1
    }

    /// The delays after wrong passcodes.
    public enum PasscodeDelays: UInt8, CaseIterable, Sendable {
        /// The older guide: the one table that could be sourced.
        case older = 0
        /// Measured by a user in 2010.
        case measured = 1
        /// The newer guide, from memory.
        case newer = 2
        /// None: for a device that leaves this to its authenticator.
        case none = 3
    }

    /// Whether an item of this device only may ask to travel through iCloud Keychain, which it never does.
    public enum BoundSynchronizable: UInt8, CaseIterable, Sendable {
        /// It may, and stays here: no check was found in the source.
        case accepted = 0
        /// It may not, as the header says.
        case refused = 1
    }

    /// Whether the data of several passwords is given at once.
    public enum DataOfSeveral: UInt8, CaseIterable, Sendable {
        /// It is, as a list: Apple's own test of the data-protection keychain.
        case given = 0
        /// It is not, as on the macOS file keychain.
        case refused = 1
    }

    /// Whether an update may ask for something back.
    public enum ResultOfUpdate: UInt8, CaseIterable, Sendable {
        /// It may not: iOS.
        case refused = 0
        /// It may, and gets nothing: macOS.
        case ignored = 1
    }

    /// Whether an update can change what an item demands.
    public enum DemandByUpdate: UInt8, CaseIterable, Sendable {
        /// It can: the source, and most of the field.
        case changed = 0
        /// It cannot, as two threads say.
        case refused = 1
    }

    /// Whether a removal takes a limit.
    public enum LimitOfDelete: UInt8, CaseIterable, Sendable {
        /// It does not: the data-protection keychain.
        case refused = 0
        /// It removes so many, as code that is written for Macs expects of their file keychain.
        case honored = 1
    }

    /// What becomes of an add that has a match key, such as a limit.
    public enum MatchOnAdd: UInt8, CaseIterable, Sendable {
        /// It says yes and stores nothing: the source.
        case storesNothing = 0
        /// It is refused, which nobody has seen and everybody would expect.
        case refused = 1
    }

    /// The answer to storing an item with an empty text as its port.
    public enum EmptyPort: UInt8, CaseIterable, Sendable {
        /// It is stored: Apple's own test on iOS.
        case accepted = 0
        /// It is refused: the same test on macOS.
        case refused = 1
    }

    /// The text of status 0.
    public enum SuccessText: UInt8, CaseIterable, Sendable {
        /// "No error.", as in the header.
        case noError = 0
        /// "OSStatus 0", as some builds of the tables would give.
        case number = 1
    }

    /// See ``AddWithoutPasscode``.
    public var addWithoutPasscode = AddWithoutPasscode.notAvailable
    /// See ``ChangedSet``.
    public var changedSet = ChangedSet.notFoundWhileBiometryExists
    /// See ``Duplicate``.
    public var duplicate = Duplicate.authenticates
    /// See ``Attributes``.
    public var attributes = Attributes.authenticated
    /// See ``ContextLifetime``.
    public var contextLifetime = ContextLifetime.untilInvalidated
    /// See ``LockoutHit``.
    public var lockoutHit = LockoutHit.authenticationFailed
    /// See ``SensorReset``.
    public var sensorReset = SensorReset.keepsSensor
    /// See ``Presence``.
    public var presence = Presence.biometryOrPasscode
    /// See ``AddDuringLockout``.
    public var addDuringLockout = AddDuringLockout.allowed
    /// See ``PasscodeTimeout``.
    public var passcodeTimeout = PasscodeTimeout.current
    /// See ``PasscodeDelays``.
    public var passcodeDelays = PasscodeDelays.older
    /// See ``BoundSynchronizable``.
    public var boundSynchronizable = BoundSynchronizable.accepted
    /// See ``DataOfSeveral``.
    public var dataOfSeveral = DataOfSeveral.given
    /// See ``ResultOfUpdate``.
    public var resultOfUpdate = ResultOfUpdate.refused
    /// See ``DemandByUpdate``.
    public var demandByUpdate = DemandByUpdate.changed
    /// See ``LimitOfDelete``.
    public var limitOfDelete = LimitOfDelete.refused
    /// See ``MatchOnAdd``.
    public var matchOnAdd = MatchOnAdd.storesNothing
    /// See ``EmptyPort``.
    public var emptyPort = EmptyPort.accepted
    /// See ``SuccessText``.
    public var successText = SuccessText.noError

    /// The best-evidenced choice everywhere.
    public init() {}
}
