public import AccessPolicy

/// An event of an account.
public enum AccountEvent: Hashable, Sendable {
    /// A device that has no number yet signed in.
    case signedIn(AccountDeviceKind)
    /// A device signed in again.
    case signedInAgain(AccountDeviceID)
    /// A device signed out.
    case signedOut(AccountDeviceID)
    /// A device was erased, which ends its sign-in and its identity. The account still lists it.
    case erased(AccountDeviceID)
    /// A device was removed from the account's list of devices.
    case removedFromList(AccountDeviceID)
    /// The account's password was changed on a device.
    case passwordChanged(AccountDeviceID)
    /// A device established a circle of its own, as the account had none.
    case circleEstablished(AccountDeviceID)
    /// A device established a new circle in place of the present one.
    case circleReset(AccountDeviceID)
    /// A member brought a device in. Both screens showed a code.
    case joinedBySponsor(AccountDeviceID, AccountDeviceID, isSponsorUnlocked: Bool)
    /// A device opened the record that another one left in the escrow, with this passcode.
    case joinedByPasscode(AccountDeviceID, AccountDeviceID, UInt32)
    /// A device joined with this recovery key.
    case joinedByRecoveryKey(AccountDeviceID, UInt32)
    /// A member set a recovery key.
    case recoveryKeySet(AccountDeviceID, UInt32)
    /// A member left the circle.
    case leftCircle(AccountDeviceID)
    /// A device lost its network, or has it again.
    case networkChanged(AccountDeviceID, isOffline: Bool)
    /// The person switched the syncing of passwords on or off.
    case syncSwitched(AccountDeviceID, Bool)
    /// A device fetched what the others have published, and renewed its record in the escrow. It has this passcode, or none.
    case checked(AccountDeviceID, passcode: UInt32?)
}

/// The reason why an event of an account did not happen.
public enum AccountRefusal: UInt8, CaseIterable, Error, Sendable {
    /// The account has no room for more devices.
    case tooManyDevices = 0
    /// The account has no room for more identities.
    case tooManyIdentities = 1
    /// The device is signed in to no account.
    case notSignedIn = 2
    /// The device is signed in already.
    case alreadySignedIn = 3
    /// The device is not on the account's list.
    case notOnList = 4
    /// The device, or the member that brings it in, has no network.
    case offline = 5
    /// The device is in the circle already.
    case alreadyInCircle = 6
    /// The device, or the member that brings it in, is not in the circle.
    case notInCircle = 7
    /// The account has a circle already.
    case circleExists = 8
    /// A member of this kind may not bring in a device of that kind.
    case mayNotIntroduce = 9
    /// The member that brings the device in is locked.
    case sponsorLocked = 10
    /// The escrow has no record of the device, or has destroyed it.
    case noRecord = 11
    /// The passcode is wrong.
    case wrongPasscode = 12
    /// The circle does not know the identity that left the record.
    case identityUnknown = 13
    /// There is no recovery key.
    case noRecoveryKey = 14
    /// The recovery key is wrong.
    case wrongRecoveryKey = 15
    /// The only member of a circle cannot leave it.
    case onlyMember = 16
    /// Nothing would change.
    case nothingToChange = 17

    /// The reason in words, as a clause.
    public var text: String {
        switch self {
        case .tooManyDevices: "the account has no room for more devices"
        case .tooManyIdentities: "the account has no room for more identities"
        case .notSignedIn: "the device is signed in to no account"
        case .alreadySignedIn: "the device is signed in already"
        case .notOnList: "the device was removed from the account"
        case .offline: "a device has no network"
        case .alreadyInCircle: "the device is in the circle already"
        case .notInCircle: "the device is not in the circle"
        case .circleExists: "the account has a circle already"
        case .mayNotIntroduce: "a device of this kind may not bring in a device of that kind"
        case .sponsorLocked: "the device that brings it in is locked"
        case .noRecord: "the account keeps no record under the passcode of that device"
        case .wrongPasscode: "the passcode is wrong"
        case .identityUnknown: "the circle does not know the device that left the record"
        case .noRecoveryKey: "there is no recovery key"
        case .wrongRecoveryKey: "the recovery key is wrong"
        case .onlyMember: "the only member cannot leave the circle"
        case .nothingToChange: "nothing would change"
        }
    }
}

extension AccountRefusal: NamedChoice, CustomStringConvertible {
    /// The word for the reason in scenario files.
    public var name: String {
        switch self {
        case .tooManyDevices: "tooManyDevices"
        case .tooManyIdentities: "tooManyIdentities"
        case .notSignedIn: "notSignedIn"
        case .alreadySignedIn: "alreadySignedIn"
        case .notOnList: "notOnList"
        case .offline: "offline"
        case .alreadyInCircle: "alreadyInCircle"
        case .notInCircle: "notInCircle"
        case .circleExists: "circleExists"
        case .mayNotIntroduce: "mayNotIntroduce"
        case .sponsorLocked: "sponsorLocked"
        case .noRecord: "noRecord"
        case .wrongPasscode: "wrongPasscode"
        case .identityUnknown: "identityUnknown"
        case .noRecoveryKey: "noRecoveryKey"
        case .wrongRecoveryKey: "wrongRecoveryKey"
        case .onlyMember: "onlyMember"
        case .nothingToChange: "nothingToChange"
        }
    }

    /// The word for the reason in scenario files.
    public var description: String { name }
}
