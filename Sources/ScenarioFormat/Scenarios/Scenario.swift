package import AccessPolicy
package import DeviceModel
package import SecretVault
package import UserPresence

/// One device, what is stored on it, and what happens: the unit test of a policy.
package struct Scenario: Sendable {
    /// The sentence that it proves, with the row of the table that it is.
    package var name: String
    /// More words, for whoever reads it.
    package var about: String?
    /// Where it begins.
    package var position: Position
    /// The device.
    package var device: DeviceSetup
    /// The apps; the first is meant where none is named.
    package var apps: [AppSetup]
    /// Who may hold the device, besides those whom every scenario knows.
    package var people: [String: Visitor]
    /// Demands by name.
    package var policies: [(name: String, control: AccessControl)]
    /// What is stored.
    package var items: [ItemSetup]
    /// How often people may be asked in all.
    package var promptBudget: Int?
    /// What happens.
    package var steps: [Step]
    /// What is claimed of the items, before any step.
    package var claims: [ClaimSetup] = []

    /// The people that every scenario knows.
    package static let everybody = ["owner", "stranger", "absent"]
}

/// How a device is when a scenario begins.
package struct DeviceSetup: Hashable, Sendable {
    package var settings: DeviceSettings
    package var passcode: String?
    package var enrolled: [String]
    package var companion: CompanionState

    package init(
        settings: DeviceSettings, passcode: String?, enrolled: [String], companion: CompanionState = .notPaired
    ) {
        self.settings = settings
        self.passcode = passcode
        self.enrolled = enrolled
        self.companion = companion
    }
}

/// An app.
package struct AppSetup: Hashable, Sendable {
    package var name: String
    package var groups: [String]
    package var permission: App.Permission = .given
    package var declaresUsage = true

    package init(name: String, groups: [String]) {
        self.name = name
        self.groups = groups
    }
}

/// Somebody who may hold the device.
package struct Visitor: Hashable, Sendable {
    package var person: SimulatedPerson
    package var knowsBackupPassword: Bool
    /// The passcodes that they know.
    package var passcodes: [String]
    /// True if they answer with what is not right, where they have nothing better.
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

/// Something that is stored, or may be.
package struct ItemSetup: Sendable {
    package var name: String
    package var position: Position
    package var itemClass: ItemClass
    package var attributes: Attributes
    /// What it demands.
    package var control: AccessControl
    package var app: Int
    package var group: String?
    package var isSynchronizable: Bool
    package var secret: String?
    package var applicationPassword: String?
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

/// How an item stands.
package enum ItemState: String, CaseIterable, Sendable {
    /// It is there, and somebody could open it.
    case present
    /// It is there, and nothing opens or uses it any more.
    case lost
    /// It is not there.
    case absent
    /// It is lost or absent.
    case gone
}

/// What the domain state is, compared with the last time that somebody looked.
package enum DomainStateChange: String, CaseIterable, Sendable {
    /// The same.
    case same
    /// Another.
    case changed
    /// There is none: nobody is enrolled.
    case none
}

extension ItemClass {
    /// Returns true if an item of this class that is stored under `control` is a private key, used and never read.
    package func isEnclaveKey(under control: AccessControl) -> Bool { self == .key && control.guardsKeyUse }
}
