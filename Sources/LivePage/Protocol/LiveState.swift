// The state of a device in the live protocol.

/// A device with everything on it, at one moment.
package struct LiveState: LiveObject {
    package let device: LiveDevice
    /// The person who holds it.
    package let holder: String?
    /// Everyone who may hold it.
    package let people: [String]
    package let items: [LiveItem]
    package let files: [LiveFile]
    /// The end of the audit log.
    package let log: [LiveRecord]
    /// The name of the device in its account; nil if it is the only one.
    package var title: String?
    /// The other devices of the account, in the order of the file.
    package var others: [LiveState] = []
    package var account: LiveAccount?

    package init(
        _ device: LiveDevice, holder: String?, people: [String], items: [LiveItem], files: [LiveFile],
        log: [LiveRecord]
    ) {
        self.device = device
        self.holder = holder
        self.people = people
        self.items = items
        self.files = files
        self.log = log
    }

    package static let name = "state"
    package static let fields: [LiveField<Self>] = [
        .init("device", "the device") { $0.device },
        .init("holder", "the person who holds the device; null if the test says who answers prompts") { $0.holder },
        .init("people", "everyone who may hold the device") { $0.people },
        .init("items", "the items, with those that are declared and not stored") { $0.items },
        .init("files", "the files, with those that are declared and do not exist") { $0.files },
        .init("log", "the latest records of the audit log of the vault, the oldest first") { $0.log },
        .init("name", "the name of the device in its account; null if there is one device") { $0.title },
        .init("others", "the other devices of the account; each has a name, no others and no account") { $0.others },
        .init("account", "the account of the devices; null if there is one device") { $0.account },
    ]
}

/// The state of a device.
package struct LiveDevice: LiveObject {
    let sensor: String
    let sensorWords: String
    let isLocked: Bool
    let hasFirstUnlock: Bool
    let hasPasscode: Bool
    let isPasscodeRequired: Bool
    let isLockedOut: Bool
    let isDisabled: Bool
    let enrolled: [String]
    let companion: String
    let companionWords: String
    let time: Int64
    let clock: String
    let openClasses: [String]
    let classKeys: [String]
    let gates: [String]

    package static let name = "device"
    package static let fields: [LiveField<Self>] = [
        .init("sensor", "the biometric sensor") { $0.sensor },
        .init("locked", "whether the screen is locked") { $0.isLocked },
        .init("firstUnlock", "whether the device was unlocked since it started") { $0.hasFirstUnlock },
        .init("passcodeSet", "whether a passcode is set") { $0.hasPasscode },
        .init("passcodeRequired", "whether the device requires the passcode before biometry") { $0.isPasscodeRequired },
        .init("lockedOut", "whether biometry is locked out until the passcode is entered") { $0.isLockedOut },
        .init("disabled", "whether the device accepts no more passcodes") { $0.isDisabled },
        .init("enrolled", "the enrolled fingers or faces") { $0.enrolled },
        .init("companion", "the state of the companion") { $0.companion },
        .init("milliseconds", "the time on the device's clock, from 0") { $0.time },
        .init("clock", "the time on the device's clock, in words") { $0.clock },
        .init("openClasses", "the classes whose keys are available now") { $0.openClasses },
        .init("classKeys", "the class keys that the keybag holds, each with its number") { $0.classKeys },
        .init("gates", "the keys that the keybag releases only after an authentication") { $0.gates },
        .init("sensorWords", "the biometric sensor as Apple names it, such as Touch ID") { $0.sensorWords },
        .init("companionWords", "the state of the companion, such as: no watch paired") { $0.companionWords },
    ]
}

package struct LiveItem: LiveObject {
    package enum State: String, CaseIterable, LiveValue {
        /// The item is stored.
        case present = "present"
        /// The item is stored, and nothing can ever open it again.
        case lost = "lost"
        /// The item is not stored.
        case absent = "absent"

        package static var shape: LiveShape { .word(allCases.map { $0.rawValue }) }
        package var json: String { rawValue.json }
    }

    let title: String
    let app: String?
    let itemClass: String
    let policy: String
    let state: State
    let wraps: [LiveWrap]

    package static let name = "item"
    package static let fields: [LiveField<Self>] = [
        .init("name", "the name of the item") { $0.title },
        .init("app", "the app that stores it; null if that is not known") { $0.app },
        .init("class", "the class of the item, as in kSecClass") { $0.itemClass },
        .init("policy", "the access policy") { $0.policy },
        .init("state", "present, lost (invalidated: nothing opens it ever again) or absent") { $0.state },
        .init("wraps", "the ways that decrypt it, each with the keys that it needs") { $0.wraps },
    ]
}

/// A way to decrypt an item.
package struct LiveWrap: LiveObject {
    let way: String
    let classKey: String
    let gates: [String]

    package static let name = "wrap"
    package static let fields: [LiveField<Self>] = [
        .init("way", "the factors that this way takes") { $0.way },
        .init("classKey", "the class key that it needs, with its number") { $0.classKey },
        .init("gates", "the gates that it needs as well; the item is bound to what they name") { $0.gates },
    ]
}

package struct LiveFile: LiveObject {
    let title: String
    let protection: String
    let isStored: Bool
    let isOpen: Bool

    package init(name: String, protection: String, isStored: Bool, isOpen: Bool) {
        title = name
        self.protection = protection
        self.isStored = isStored
        self.isOpen = isOpen
    }

    package static let name = "file"
    package static let fields: [LiveField<Self>] = [
        .init("name", "the name of the file") { $0.title },
        .init("protection", "the protection class, whose key wraps that of the file") { $0.protection },
        .init("stored", "whether the file exists") { $0.isStored },
        .init("open", "whether the app holds it open") { $0.isOpen },
    ]
}

/// A record of the audit log.
package struct LiveRecord: LiveObject {
    let place: Int64
    let time: Int64
    let kind: String
    let action: String
    let caller: String
    let item: String?
    let rules: [String]
    let count: Int

    package static let name = "record"
    package static let fields: [LiveField<Self>] = [
        .init("place", "the place in the log") { $0.place },
        .init("milliseconds", "the time on the device's clock") { $0.time },
        .init("kind", "granted, challenged, denied, event, opened, closed or dropped") { $0.kind },
        .init("action", "the request or the event") { $0.action },
        .init("caller", "the app that asked") { $0.caller },
        .init("item", "the name of the item; null if the record is about none that is known") { $0.item },
        .init("rules", "the identifiers of the rules that fired") { $0.rules },
        .init("count", "how often it happened") { $0.count },
    ]
}
