// The account of several devices in the live protocol.

/// The account that several devices share.
package struct LiveAccount: LiveObject {
    package let hasCircle: Bool
    let hasRecoveryKey: Bool
    let itemCount: Int
    package let members: [LiveMember]

    package static let name = "account"
    package static let fields: [LiveField<Self>] = [
        .init("circle", "whether the account has a circle of devices that trust each other") { $0.hasCircle },
        .init("recoveryKey", "whether a recovery key is set") { $0.hasRecoveryKey },
        .init("items", "the number of items that the account keeps") { $0.itemCount },
        .init("members", "the devices, in the order of the file") { $0.members },
    ]
}

/// A device, as its account knows it.
package struct LiveMember: LiveObject {
    package let title: String
    let trust: LiveTrust
    let isSignedIn: Bool
    let isOnList: Bool
    package let isOffline: Bool
    let syncsPasswords: Bool
    let hasWaitingItems: Bool
    let escrowTries: Int?

    package static let name = "member"
    package static let fields: [LiveField<Self>] = [
        .init("name", "the name of the device") { $0.title },
        .init("trust", "inCircle, notInCircle, noCircle (the account has none) or noAccount (it is signed out)") {
            $0.trust
        },
        .init("signedIn", "whether the device is signed in to the account") { $0.isSignedIn },
        .init("listed", "whether the account's list of devices has it") { $0.isOnList },
        .init("offline", "whether the device has no network") { $0.isOffline },
        .init("syncsPasswords", "whether the syncing of passwords is switched on") { $0.syncsPasswords },
        .init("waits", "whether items have arrived that wait for an unlock") { $0.hasWaitingItems },
        .init("escrowTries", "the tries left for the record that opens with its passcode; null if there is none") {
            $0.escrowTries
        },
    ]
}

/// A movement of an item between the devices of an account, or the reason why it stayed.
package struct LiveMovement: LiveObject {
    package let device: String
    package let item: String?
    package let moved: Bool
    package let rule: LiveRule
    package let remedy: String?

    package static let name = "movement"
    package static let fields: [LiveField<Self>] = [
        .init("device", "the device that sent, received or dropped the item") { $0.device },
        .init("item", "the names of the item; null if its class key is unavailable, or if the rule is about the device")
        {
            $0.item
        },
        .init("moved", "whether the item moved") { $0.moved },
        .init("rule", "the rule by which it moved or stayed") { $0.rule },
        .init("remedy", "what would let it move; null if nothing would, or if it moved") { $0.remedy },
    ]
}
