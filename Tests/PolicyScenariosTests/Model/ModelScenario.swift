import AccessPolicy
import DeviceModel
import Latchkey

/// A scenario before it is written down, with what both a World and a file can express. The names are the file's.
struct ModelScenario: Sendable {
    var device: ModelDevice
    var apps: [ModelApp]
    var people: [ModelPerson]
    var items: [ModelItem]
    var steps: [ModelStep] = []
}

/// A device at the beginning of a scenario.
struct ModelDevice: Sendable {
    var preset = DevicePreset.usual
    var settings = DeviceSettings()
    var passcode: String?
    var enrolled: [String] = []
    var companion = CompanionState.notPaired
}

struct ModelApp: Sendable {
    var name: String
    /// The numbers of its access groups: group 0 is "group 0".
    var groups: [UInt8]
    var permission = App.Permission.given
    var declaresUsage = true
}

/// A person other than the owner, the stranger and the absent user.
struct ModelPerson: Sendable {
    var name: String
    var fingers: [String] = []
    var passcode: String?
    /// The passcodes that they know besides the first.
    var otherPasscodes: [String] = []
    /// The number of the application password that they type, or zero for none.
    var applicationPassword: UInt8 = 0
    var wearsCompanion = false
    var hasOwnCompanion = false
    var knowsBackupPassword = false
    var dismisses = false
    var permitsBiometry = true
    var guesses = true
}

struct ModelItem: Sendable {
    var name: String
    /// The class of the item, or nil for a generic password that the file does not state.
    var itemClass: String?
    var control: AccessControl
    var app = 0
    /// The named access group, or nil if the file names none.
    var group: UInt8?
    var isSynchronizable = false
    var applicationPassword: UInt8 = 0
    var isStored = true

    var isKey: Bool { itemClass == "key" && control.guardsKeyUse }
    var secret: String { "the secret of \(name)" }
}

struct ModelStep: Sendable {
    var deed: ModelDeed
    var asking = ModelAsking()
    var by: String?
}

enum ModelDeed: Sendable {
    case request(Action, item: Int, control: AccessControl?, secret: String?)
    case evaluate(AuthenticationPolicy, onlyAsks: Bool)
    case meet(AccessControl, Operation?, onlyAsks: Bool)
    case invalidate(String)
    case hold(String)
    case happen(ModelEvent)
}

/// The way in which an app makes a request.
struct ModelAsking: Sendable {
    var app: Int?
    var context: String?
    var interaction = Interaction.allowed
    var reuse: TimeSpan?
    /// The number of the application password that the app sets in advance.
    var applicationPassword: UInt8?
    var hidesFallback = false
}

enum ModelEvent: Sendable {
    case lock, reboot, lockRemotely, holdButtons, removePasscode, resetBiometry, startSecurityDelay, erase
    case unlock(String?)
    case touch(String)
    case enroll([String])
    case remove([String])
    case setPasscode(String)
    case companion(CompanionState)
    case wait(TimeSpan)
    case install(Int)
    case uninstall(Int)
    case permitBiometry(Int)
    case denyBiometry(Int)
    case backup(encrypted: Bool)
    case restore(sameDevice: Bool)
}
