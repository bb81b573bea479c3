/// A rule by which an item of an account moves between its devices, or stays where it is.
///
/// Each movement and each drop of an item is recorded with its rule.
public enum SyncRule: UInt8, CaseIterable, Sendable {
    // MARK: Movements

    /// The device sent an item, or a change of one.
    case sent
    /// The device sent the deletion of an item.
    case sentDeletion
    /// An item, or a change of one, arrived.
    case arrived
    /// The deletion of an item arrived.
    case arrivedDeletion

    // MARK: Devices that take no part

    /// The device is signed in to no account.
    case noAccount
    /// The device is not in the circle of its account.
    case notInCircle
    /// The device was removed from the account's list of devices.
    case removedFromAccount
    /// The device has no network.
    case offline

    // MARK: Items that stay

    /// The person has switched off the syncing of passwords on this device.
    case switchedOff
    /// Items of this view never sync.
    case viewNeverSyncs
    /// Items of this view do not sync with devices of this kind.
    case viewOfOtherDevices
    /// The item has a ThisDeviceOnly class.
    case thisDeviceOnly
    /// The item is a key that never leaves its enclave.
    case keyOfEnclave
    /// The item has access-control flags.
    case protected
    /// The item is larger than a record may be.
    case tooLarge

    // MARK: Items that wait

    /// The class key of the item is unavailable, so that it cannot be sent yet.
    case waitsToBeSent
    /// The class key of the item is unavailable, so that it cannot be stored yet.
    case waitsForUnlock

    // MARK: Conflicts

    /// Another device sent its change first, and that one replaces the change of this device.
    case cloudWins
    /// Two records have one primary key. The one whose identifier sorts lower stays.
    case lowerRecordWins
    /// Two records have one primary key. The one whose identifier sorts higher is deleted.
    case higherRecordDropped
    /// The device changed the item while a copy waited for the unlock, which drops the copy.
    case waitingDropped

    /// The facts about this rule: its effect, its text, its evidence and its remedy.
    public var facts: RuleFacts {
        switch self {
        case .sent:
            .init("sync.sent", .allows, .test, "13.2", .nothing, "the item was sent to the account")
        case .sentDeletion:
            .init("sync.sent-deletion", .allows, .test, "13.3", .nothing, "the deletion was sent to the account")
        case .arrived:
            .init("sync.arrived", .allows, .test, "13.2", .nothing, "the item arrived from another device")
        case .arrivedDeletion:
            .init(
                "sync.arrived-deletion", .allows, .test, "13.3", .nothing,
                "another device deleted the item")
        case .noAccount:
            .init(
                "sync.no-account", .denies, .test, "13.2", .signIn,
                "the device is signed in to no account")
        case .notInCircle:
            .init(
                "sync.not-in-circle", .denies, .test, "13.4", .joinCircle,
                "the device is not in the circle of its account")
        case .removedFromAccount:
            .init(
                "sync.removed-from-account", .denies, .test, "13.4", .signIn,
                "the device was removed from the account")
        case .offline:
            .init(
                "sync.offline", .denies, .test, "13.2", .connect,
                "the device has no network")
        case .switchedOff:
            .init(
                "sync.switched-off", .denies, .code, "13.2", .switchOnSync,
                "syncing of passwords is switched off on the device")
        case .viewNeverSyncs:
            .init(
                "sync.view-never-syncs", .denies, .code, "13.2", .changePolicy,
                "items of this kind never sync")
        case .viewOfOtherDevices:
            .init(
                "sync.view-of-other-devices", .denies, .code, "13.2", .changePolicy,
                "a device of this kind gets no items of this kind")
        case .thisDeviceOnly:
            .init(
                "sync.this-device-only", .denies, .code, "13.1", .changePolicy,
                "an item with a ThisDeviceOnly class never leaves its device")
        case .keyOfEnclave:
            .init(
                "sync.key-of-enclave", .denies, .inference, "13.1", .changePolicy,
                "a key of the enclave never leaves it")
        case .protected:
            .init(
                "sync.protected", .denies, .inference, "13.1", .changePolicy,
                "an item with access-control flags cannot be opened for sending")
        case .tooLarge:
            .init(
                "sync.too-large", .denies, .test, "13.2", .changePolicy,
                "the item is larger than a record of the account may be")
        case .waitsToBeSent:
            .init(
                "sync.waits-to-be-sent", .denies, .test, "13.2", .unlock,
                "the class key of the item is unavailable, so it is sent after an unlock")
        case .waitsForUnlock:
            .init(
                "sync.waits-for-unlock", .denies, .test, "13.2", .unlock,
                "the class key of the item is unavailable, so it is stored after an unlock")
        case .cloudWins:
            .init(
                "sync.cloud-wins", .discounts, .code, "13.3", .nothing,
                "another device sent its change first, and that one replaces the change of this device")
        case .lowerRecordWins:
            .init(
                "sync.lower-record-wins", .discounts, .code, "13.3", .nothing,
                "two devices stored the item, and the record whose identifier sorts lower stays")
        case .higherRecordDropped:
            .init(
                "sync.higher-record-dropped", .discounts, .code, "13.3", .nothing,
                "two devices stored the item, and the record whose identifier sorts higher is deleted")
        case .waitingDropped:
            .init(
                "sync.waiting-dropped", .discounts, .code, "13.3", .nothing,
                "the device changed the item while a copy waited for the unlock, which drops the copy")
        }
    }
}

extension SyncRule: CatalogRule {}
