/// A step that would overcome a denial.
///
/// Three forms of it exist: ``name`` is the word in scenario files, the raw value is the value in JSON, and ``text`` is
/// for people. Files and programs depend on the first two, which never change.
public enum Remedy: String, CaseIterable, Sendable {
    /// Authenticate by one of the ways that the denial lists.
    case authenticate = "prove what is asked for"
    /// Wait until the end of the delay, ``Denial/until``.
    case wait = "wait until the delay is over"
    /// Unlock the device.
    case unlock = "unlock the device"
    /// Enter the device passcode.
    case enterPasscode = "enter the device passcode"
    /// Set a device passcode.
    case setPasscode = "set a device passcode"
    /// Enroll a finger or a face.
    case enroll = "enrol a finger or a face"
    /// Allow the app to use biometry.
    case permitBiometry = "permit the app to use biometry"
    /// Declare `NSFaceIDUsageDescription` in the app.
    case declareUsageText = "declare NSFaceIDUsageDescription in the app"
    /// Pair a companion.
    case pairCompanion = "pair a companion"
    /// Bring the companion near and unlock it.
    case bringCompanion = "bring the unlocked companion near"
    /// Create a new context.
    case newContext = "use a new context"
    /// Allow prompts.
    case allowInteraction = "allow interaction"
    /// Add the access group to the app.
    case entitle = "give the app the access group"
    /// Store the item, or store it again.
    case store = "store the item, or store it again"
    /// Delete the item, which still exists, and store it again.
    case replace = "delete the item and store it again"
    /// Update or delete the existing item.
    case clearTheWay = "update or delete the item that is there"
    /// Change the item or its access policy.
    case changePolicy = "change what the item demands"
    /// Use a device with a biometric sensor.
    case otherDevice = "use a device with a sensor"
    /// Erase the device.
    case erase = "erase the device"
    /// Fix the authenticator that could not check the answer.
    case repairAuthenticator = "mend what keeps the judge from answering"
    /// Sign in to the account on the device.
    case signIn = "sign in to the account"
    /// Bring the device into the circle of its account.
    case joinCircle = "join the circle of the account"
    /// Connect the device to a network.
    case connect = "connect the device to a network"
    /// Let passwords sync on the device.
    case switchOnSync = "switch on the syncing of passwords"
    /// Nothing needs to be done. Only rules that deny nothing have it.
    case nothing = "nothing"
}

extension Remedy {
    /// The step as an imperative clause, such as `enroll a finger or a face`.
    public var text: String {
        switch self {
        case .authenticate: "authenticate"
        case .wait: "wait until the delay ends"
        case .unlock: "unlock the device"
        case .enterPasscode: "enter the device passcode"
        case .setPasscode: "set a device passcode"
        case .enroll: "enroll a finger or a face"
        case .permitBiometry: "allow the app to use biometry"
        case .declareUsageText: "declare NSFaceIDUsageDescription in the app"
        case .pairCompanion: "pair a companion"
        case .bringCompanion: "bring the companion near and unlock it"
        case .newContext: "create a new context"
        case .allowInteraction: "allow prompts"
        case .entitle: "add the access group to the app"
        case .store: "store the item, or store it again"
        case .replace: "delete the item and store it again"
        case .clearTheWay: "update or delete the existing item"
        case .changePolicy: "change the item or its access policy"
        case .otherDevice: "use a device with a biometric sensor"
        case .erase: "erase the device"
        case .repairAuthenticator: "fix what keeps the authenticator from answering"
        case .signIn: "sign in to the account"
        case .joinCircle: "join the circle of the account"
        case .connect: "connect the device to a network"
        case .switchOnSync: "switch on the syncing of passwords"
        case .nothing: "nothing"
        }
    }
}

extension Remedy: CustomStringConvertible {
    /// The word for the step in scenario files.
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
        case .signIn: "signIn"
        case .joinCircle: "joinCircle"
        case .connect: "connect"
        case .switchOnSync: "switchOnSync"
        case .nothing: "nothing"
        }
    }

    /// The word for the step in scenario files.
    public var description: String { name }
}
