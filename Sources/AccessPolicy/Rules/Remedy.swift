/// The step that would turn a denial.
public enum Remedy: String, CaseIterable, Sendable {
    /// Prove one of the ways that the denial lists.
    case authenticate = "prove what is asked for"
    /// Wait until the moment that the denial names.
    case wait = "wait until the delay is over"
    /// Unlock the device.
    case unlock = "unlock the device"
    /// Enter the device passcode.
    case enterPasscode = "enter the device passcode"
    /// Set a device passcode.
    case setPasscode = "set a device passcode"
    /// Enroll a finger or a face.
    case enroll = "enrol a finger or a face"
    /// Permit the app to use biometry.
    case permitBiometry = "permit the app to use biometry"
    /// Declare the usage text in the app.
    case declareUsageText = "declare NSFaceIDUsageDescription in the app"
    /// Pair a companion.
    case pairCompanion = "pair a companion"
    /// Bring the companion near, unlocked.
    case bringCompanion = "bring the unlocked companion near"
    /// Use a new context.
    case newContext = "use a new context"
    /// Allow interaction.
    case allowInteraction = "allow interaction"
    /// Give the app the access group.
    case entitle = "give the app the access group"
    /// Store the item, or store it anew.
    case store = "store the item, or store it again"
    /// Delete the item, which is still there, and store it anew.
    case replace = "delete the item and store it again"
    /// Delete the item that is in the way, or update it.
    case clearTheWay = "update or delete the item that is there"
    /// Demand something else of the item.
    case changePolicy = "change what the item demands"
    /// Use a device with a sensor.
    case otherDevice = "use a device with a sensor"
    /// Erase the device.
    case erase = "erase the device"
    /// Mend the authenticator of the answer, so that it can be asked.
    case repairAuthenticator = "mend what keeps the judge from answering"
    /// Nothing helps.
    case nothing = "nothing"
}

extension Remedy: CustomStringConvertible {
    /// The word that scenario files have for it.
    public var name: String {
        switch self {
        case .authenticate: "prove"
        case .wait: "wait"
        case .unlock: "unlock"
        case .enterPasscode: "enterPasscode"
        case .setPasscode: "setPasscode"
        case .enroll: "enrol"
        case .permitBiometry: "permitBiometry"
        case .declareUsageText: "declareUsageText"
        case .pairCompanion: "pairCompanion"
        case .bringCompanion: "bringCompanion"
        case .newContext: "newContext"
        case .allowInteraction: "allowInteraction"
        case .entitle: "entitle"
        case .store: "store"
        case .replace: "replace"
        case .clearTheWay: "clearTheWay"
        case .changePolicy: "changeDemand"
        case .otherDevice: "otherDevice"
        case .erase: "erase"
        case .repairAuthenticator: "mendJudge"
        case .nothing: "nothing"
        }
    }

    /// The name.
    public var description: String { name }
}
