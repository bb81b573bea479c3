/// The choices on points where Apple's sources disagree or say nothing (semantics 10).
///
/// Each default is the choice with the best evidence. A vault stores the choices that it was created with, by number,
/// so the numbers never change and a later default does not affect an existing vault.
public struct Fidelity: Hashable, Sendable {
    /// The status of storing a *when passcode set* item while no passcode is set.
    public enum AddWithoutPasscode: UInt8, CaseIterable, Sendable {
        /// -25291, which Apple's own test expects.
        case notAvailable = 0
        /// -25293, seen since iOS 9.2.
        case authFailed = 1
        /// -26275, seen on iOS 8.
        case decode = 2
    }

    /// The answer to a read of an item whose enrolled set has changed. The item is invalidated in every case.
    public enum ChangedSet: UInt8, CaseIterable, Sendable {
        /// Not found while the device has usable biometry; otherwise the obstacle to biometry.
        case notFoundWhileBiometryExists = 0
        /// Always not found.
        case notFound = 1
        /// Always a failed authentication.
        case authFailed = 2
    }

    /// The answer to an add if a protected item with the same primary key exists.
    public enum Duplicate: UInt8, CaseIterable, Sendable {
        /// The add first authenticates for the existing item, then reports a duplicate.
        case authenticates = 0
        /// The add reports a duplicate at once.
        case answersAtOnce = 1
    }

    /// The authentication that attributes and references of a protected item need.
    public enum Attributes: UInt8, CaseIterable, Sendable {
        /// They need the same authentication as the data.
        case authenticated = 0
        /// They need none, as some libraries assume.
        case open = 1
    }

    /// The time for which an authentication in a context counts.
    public enum ContextLifetime: UInt8, CaseIterable, Sendable {
        /// Until the context is invalidated, as the header says.
        case untilInvalidated = 0
        /// Ten minutes, as developers have observed.
        case tenMinutes = 1
    }

    /// The error of an evaluation that reaches the limit of failed matches.
    public enum LockoutHit: UInt8, CaseIterable, Sendable {
        /// A failed authentication (-1).
        case authenticationFailed = 0
        /// A lockout (-8).
        case biometryLockout = 1
    }

    /// The effect of a full reset of the sensor on items under `biometryAny`.
    public enum SensorReset: UInt8, CaseIterable, Sendable {
        /// The sensor counts as another one, and the items are invalidated, as one thread reports. Every real vault has
        /// this choice.
        case replacesSensor = 0
        /// The sensor stays the same, and the items remain usable.
        case keepsSensor = 1
    }

    /// The factors that satisfy `userPresence`.
    public enum Presence: UInt8, CaseIterable, Sendable {
        /// Biometry or the passcode, as on an iPhone or iPad.
        case biometryOrPasscode = 0
        /// Biometry, a companion or the passcode, as on a Mac.
        case biometryCompanionOrPasscode = 1
    }

    /// The answer to storing an item that needs biometry while biometry is locked out.
    public enum AddDuringLockout: UInt8, CaseIterable, Sendable {
        /// The item is stored, because storing needs no match.
        case allowed = 0
        /// The item is not stored.
        case refused = 1
    }

    /// The time after which an unused passcode is required again before biometry.
    public enum PasscodeTimeout: UInt8, CaseIterable, Sendable {
        /// 6.5 days without the passcode and 4 hours without biometry, by Apple's current guide.
        case current = 0
        /// 6 days without the passcode and 8 hours without biometry, by an older guide.
        case older = 1
    }

    /// The delays after wrong passcodes.
    public enum PasscodeDelays: UInt8, CaseIterable, Sendable {
        /// Apple's older guide, the only table with a source.
        case older = 0
        /// A measurement by a user in 2010.
        case measured = 1
        /// Apple's newer guide, quoted from memory.
        case newer = 2
        /// No delays, for a device that leaves them to its authenticator.
        case none = 3
    }

    /// The answer to storing a synchronizable item with a this-device-only class.
    public enum BoundSynchronizable: UInt8, CaseIterable, Sendable {
        /// The item is stored and never syncs. Apple's source has no check.
        case accepted = 0
        /// The item is not stored, as the header says.
        case refused = 1
    }

    /// The answer to a query for the data of several passwords.
    public enum DataOfSeveral: UInt8, CaseIterable, Sendable {
        /// The query returns a list, as in Apple's own test of the data-protection keychain.
        case given = 0
        /// The query is refused, as on the file keychain of macOS.
        case refused = 1
    }

    /// The answer to an update that asks for a result.
    public enum ResultOfUpdate: UInt8, CaseIterable, Sendable {
        /// The update is refused, as on iOS.
        case refused = 0
        /// The update succeeds and returns nothing, as on macOS.
        case ignored = 1
    }

    /// The answer to an update that changes the access policy of an item.
    public enum DemandByUpdate: UInt8, CaseIterable, Sendable {
        /// The policy changes, by Apple's source and most observations.
        case changed = 0
        /// The update is refused, as two threads report.
        case refused = 1
    }

    /// The answer to a delete with a limit.
    public enum LimitOfDelete: UInt8, CaseIterable, Sendable {
        /// The delete is refused, as by the data-protection keychain.
        case refused = 0
        /// The delete removes at most that many items, as code for the macOS file keychain expects.
        case honored = 1
    }

    /// The answer to an add with a match key, such as a limit.
    public enum MatchOnAdd: UInt8, CaseIterable, Sendable {
        /// The add succeeds and stores nothing, by Apple's source.
        case storesNothing = 0
        /// The add is refused. This is the expected behavior, but no source reports it.
        case refused = 1
    }

    /// The answer to storing an item with an empty text as its port.
    public enum EmptyPort: UInt8, CaseIterable, Sendable {
        /// The item is stored, as in Apple's own test on iOS.
        case accepted = 0
        /// The item is refused, as in the same test on macOS.
        case refused = 1
    }

    /// The text of status 0.
    public enum SuccessText: UInt8, CaseIterable, Sendable {
        /// "No error.", as in the header.
        case noError = 0
        /// "OSStatus 0", as some builds of Apple's tables would give.
        case number = 1
    }

    /// The status of storing a *when passcode set* item while no passcode is set.
    public var addWithoutPasscode = AddWithoutPasscode.notAvailable
    /// The answer to a read of an item whose enrolled set has changed.
    public var changedSet = ChangedSet.notFoundWhileBiometryExists
    /// The answer to an add if a protected item with the same primary key exists.
    public var duplicate = Duplicate.authenticates
    /// The authentication that attributes and references of a protected item need.
    public var attributes = Attributes.authenticated
    /// The time for which an authentication in a context counts.
    public var contextLifetime = ContextLifetime.untilInvalidated
    /// The error of an evaluation that reaches the limit of failed matches.
    public var lockoutHit = LockoutHit.authenticationFailed
    /// The effect of a full reset of the sensor on items under `biometryAny`.
    public var sensorReset = SensorReset.keepsSensor
    /// The factors that satisfy `userPresence`.
    public var presence = Presence.biometryOrPasscode
    /// The answer to storing an item that needs biometry while biometry is locked out.
    public var addDuringLockout = AddDuringLockout.allowed
    /// The time after which an unused passcode is required again before biometry.
    public var passcodeTimeout = PasscodeTimeout.current
    /// The delays after wrong passcodes.
    public var passcodeDelays = PasscodeDelays.older
    /// The answer to storing a synchronizable item with a this-device-only class.
    public var boundSynchronizable = BoundSynchronizable.accepted
    /// The answer to a query for the data of several passwords.
    public var dataOfSeveral = DataOfSeveral.given
    /// The answer to an update that asks for a result.
    public var resultOfUpdate = ResultOfUpdate.refused
    /// The answer to an update that changes the access policy of an item.
    public var demandByUpdate = DemandByUpdate.changed
    /// The answer to a delete with a limit.
    public var limitOfDelete = LimitOfDelete.refused
    /// The answer to an add with a match key.
    public var matchOnAdd = MatchOnAdd.storesNothing
    /// The answer to storing an item with an empty text as its port.
    public var emptyPort = EmptyPort.accepted
    /// The text of status 0.
    public var successText = SuccessText.noError

    /// Creates the choices with the best evidence.
    public init() {}
}
