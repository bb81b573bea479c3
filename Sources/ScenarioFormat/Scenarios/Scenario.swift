package import AccessPolicy
package import DeviceModel
package import SecretVault
package import UserPresence

/// A unit test of an access policy: a device, the items on it, and the steps to play.
package struct Scenario: Sendable {
    /// The sentence that the scenario tests, followed by its row if it has a table.
    package var name: String
    /// A longer description for readers.
    package var about: String?
    /// The place at which the scenario begins.
    package var position: Position
    /// The device at the beginning.
    package var device: DeviceSetup
    /// The devices of one account, of which ``device`` is the first; none in a scenario with one device.
    package var devices: [(name: String, setup: DeviceSetup)] = []
    /// The apps. A step that names none uses the first.
    package var apps: [AppSetup]
    /// The people who may hold the device, besides the built-in ones.
    package var people: [String: ShapeVisitor]
    /// The access policies that the file declares by name.
    package var policies: [(name: String, control: AccessControl)]
    package var items: [ItemSetup]
    package var files: [FileSetup] = []
    /// The most prompts that all steps together may show.
    package var promptBudget: Int?
    /// The steps, in order.
    package var steps: [Step]
    /// The claims about the items, from the state before any step.
    package var claims: [ClaimSetup] = []

    /// The names of the built-in people.
    package static let everybody = ["owner", "stranger", "absent"]
}

/// The device at the beginning of a scenario.
package struct DeviceSetup: Hashable, Sendable {
    /// The sensor, the settings and the disputed points.
    package var settings: DeviceSettings
    /// The passcode; nil if none is set.
    package var passcode: String?
    /// The enrolled fingers or faces, by name.
    package var enrolled: [String]
    package var companion: CompanionState
    package var kind: DeviceKind

    package init(
        settings: DeviceSettings, passcode: String?, enrolled: [String], companion: CompanionState = .notPaired,
        kind: DeviceKind = .iPhone
    ) {
        self.kind = kind
        self.settings = settings
        self.passcode = passcode
        self.enrolled = enrolled
        self.companion = companion
    }
}

/// An app of a scenario.
package struct AppSetup: Hashable, Sendable {
    package var name: String
    /// Its access groups, with the one for new items first.
    package var groups: [String]
    /// The user's answer to whether the app may use Face ID.
    package var permission: App.Permission = .given
    /// True if the app has NSFaceIDUsageDescription.
    package var declaresUsage = true

    /// Creates an app that may use Face ID.
    package init(name: String, groups: [String]) {
        self.name = name
        self.groups = groups
    }
}

/// A person who may hold the device.
package struct ShapeVisitor: Hashable, Sendable {
    /// The factors that they have, and how they answer prompts.
    package var person: SimulatedPerson
    /// True if they can open an encrypted backup.
    package var knowsBackupPassword: Bool
    /// The passcodes that they know.
    package var passcodes: [String]
    /// True if they answer prompts with a wrong factor when they have no right one.
    package var guesses: Bool
    /// True if they wear the companion once they have paired it.
    package var hasOwnCompanion: Bool

    package init(
        person: SimulatedPerson, knowsBackupPassword: Bool = false, passcodes: [String] = [], guesses: Bool = true,
        hasOwnCompanion: Bool = false
    ) {
        self.person = person
        self.knowsBackupPassword = knowsBackupPassword
        self.passcodes = passcodes
        self.guesses = guesses
        self.hasOwnCompanion = hasOwnCompanion
    }
}

/// An item that exists at the beginning of a scenario, or that a step may add.
package struct ItemSetup: Sendable {
    /// The name by which steps refer to the item.
    package var name: String
    /// The place of the name in the file.
    package var position: Position
    package var itemClass: ItemClass
    package var attributes: Attributes
    package var control: AccessControl
    /// The index of the app that stores the item.
    package var app: Int
    /// The access group; nil for the first group of the app.
    package var group: String?
    /// True if the item asks to sync through iCloud Keychain.
    package var isSynchronizable: Bool
    /// The secret; nil for none.
    package var secret: String?
    /// The application password that the item is stored under.
    package var applicationPassword: String?
    /// True if the item exists at the beginning.
    package var isStored: Bool

    package init(
        name: String, position: Position, itemClass: ItemClass, attributes: Attributes = Attributes(),
        control: AccessControl, app: Int, group: String? = nil, isSynchronizable: Bool, secret: String? = nil,
        applicationPassword: String?, isStored: Bool = true
    ) {
        self.name = name
        self.position = position
        self.itemClass = itemClass
        self.attributes = attributes
        self.control = control
        self.app = app
        self.group = group
        self.isSynchronizable = isSynchronizable
        self.secret = secret
        self.applicationPassword = applicationPassword
        self.isStored = isStored
    }
}

/// The state of an item.
package enum ItemState: String, CaseIterable, Sendable {
    /// The item exists and is not invalidated.
    case present
    /// The item exists but is invalidated: nothing can ever open or use it again.
    case lost
    /// The item does not exist.
    case absent
    /// The item is lost or absent.
    case gone
}

/// The domain state, compared with the last time that a step read it.
package enum DomainStateChange: String, CaseIterable, Sendable {
    case same
    case changed
    /// There is no domain state, because no finger or face is enrolled.
    case none
}

extension ItemClass {
    /// Returns true if an item of this class under `control` is a private key in the Secure Enclave, which can be used but not read.
    package func isEnclaveKey(under control: AccessControl) -> Bool { self == .key && control.guardsKeyUse }
}
