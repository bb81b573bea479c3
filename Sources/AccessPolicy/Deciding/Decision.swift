/// The answer to a request.
public enum Decision: Hashable, Sendable {
    /// It may go ahead.
    case granted(Grant)
    /// It may go ahead once one of these sets of factors has been proved on top of what is held. The first is the one to
    /// ask for; the rest are what the holder may fall back on.
    case challenge(Ways)
    /// It may not.
    case denied(Denial)

    /// True if it may go ahead.
    public var isGranted: Bool { if case .granted = self { true } else { false } }
    /// The reason, when it may not.
    public var denial: Denial? { if case .denied(let denial) = self { denial } else { nil } }
}

/// Why a request may go ahead.
public struct Grant: Hashable, Sendable {
    /// The way that the evidence satisfies; the same set of gates opens the item. Empty when nothing was demanded.
    public let way: FactorSet
    /// True if the biometry in it is that of the device's last unlock.
    public let reusesUnlock: Bool
}

/// Why a request may not go ahead, and what would change that.
public struct Denial: Hashable, Sendable {
    /// The one reason.
    public let rule: Rule
    /// What could be proved if somebody were asked; empty where nobody would be, or proving does not help.
    ///
    /// An application password that the caller has at hand can be tried without asking anybody.
    public let ways: Ways
    /// Until when to wait, where ``Rule/remedy`` says that waiting helps.
    public let until: Instant?

    /// A denial by `rule`.
    public init(_ rule: Rule, ways: Ways = Ways()) {
        self.rule = rule
        self.ways = ways
        until = nil
    }

    /// A denial by `rule` under conditions that say until when to wait, where waiting helps.
    public init(_ rule: Rule, under conditions: Conditions) {
        self.rule = rule
        ways = Ways()
        until = rule == .passcodeDelayed ? conditions.passcodeDelayedUntil : nil
    }
}

/// What would turn a denial.
public enum Remedy: String, CaseIterable, Sendable {
    /// Prove one of the ways that the denial lists.
    case prove = "prove what is asked for"
    /// Wait until the moment that the denial names.
    case wait = "wait until the delay is over"
    /// Unlock the device.
    case unlock = "unlock the device"
    /// Enter the device passcode.
    case enterPasscode = "enter the device passcode"
    /// Set a device passcode.
    case setPasscode = "set a device passcode"
    /// Enrol a finger or a face.
    case enrol = "enrol a finger or a face"
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
    case changeDemand = "change what the item demands"
    /// Use a device with a sensor.
    case otherDevice = "use a device with a sensor"
    /// Erase the device.
    case erase = "erase the device"
    /// See that whoever judges the answer can be asked.
    case mendJudge = "mend what keeps the judge from answering"
    /// Nothing helps.
    case nothing = "nothing"
}

extension Remedy: CustomStringConvertible {
    /// The word that scenario files have for it.
    public var name: String {
        switch self {
        case .prove: "prove"
        case .wait: "wait"
        case .unlock: "unlock"
        case .enterPasscode: "enterPasscode"
        case .setPasscode: "setPasscode"
        case .enrol: "enrol"
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
        case .changeDemand: "changeDemand"
        case .otherDevice: "otherDevice"
        case .erase: "erase"
        case .mendJudge: "mendJudge"
        case .nothing: "nothing"
        }
    }

    /// The name.
    public var description: String { name }
}
