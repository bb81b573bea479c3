public import AccessPolicy
public import DeviceModel

/// The program that makes a request, and how the vault may answer it.
public struct Caller: Sendable {
    /// The largest number of groups that a caller can have. The vault ignores any groups after these.
    package static let groupCapacity = 30

    /// The caller's name in the audit log.
    public var name: String
    /// The program that the caller is. The audit log counts what one program repeats in one record. This is the name
    /// unless you set it; set it if the name says more than the program, such as its process.
    public var program: String
    /// The access groups, the default one first. Only the first thirty count.
    public var groups: [String]
    /// True if the caller named the item's group. The caller then learns if that group is not its own.
    public var namesGroup: Bool
    /// The app that the caller is on the device, which determines its permissions.
    public var app: AppID
    /// The prompts that are allowed. The vault itself never prompts: it returns a challenge that names the missing
    /// factors.
    public var interaction: Interaction
    /// The state of the sensor, as far as the caller knows it.
    package var sensor = SensorWord.believed
    /// True if the caller lists items. A listing leaves one audit record instead of one for each item.
    package var isListing = false
    /// The negotiation that this call begins or continues.
    package var turn = NegotiationTurn.begins()
    /// True if the context was kept from an earlier call for others. It then counts only for items that allow reuse.
    package var isReusing = false
    /// The time for the dates of items, in seconds since the beginning of 2001. If it is nil, the vault uses the wall
    /// clock, or the clock of a simulated device.
    public var date: Double?

    /// This caller, with a preflight changed to a request that forbids prompts. A preflight gets decisions and nothing
    /// else.
    var released: Caller {
        guard interaction == .preflight else { return self }
        var caller = self
        caller.interaction = .fail
        return caller
    }

    /// Creates a caller with these access groups.
    public init(
        _ name: String, groups: [String], namesGroup: Bool = false, app: AppID = .first,
        interaction: Interaction = .allowed, date: Double? = nil
    ) {
        self.name = name
        program = name
        self.groups = groups
        self.namesGroup = namesGroup
        self.app = app
        self.interaction = interaction
        self.date = date
    }

    /// Creates a caller with everything that a keychain knows of it.
    package init(
        _ name: String, program: String, groups: [String], namesGroup: Bool, app: AppID, interaction: Interaction,
        sensor: SensorWord, isListing: Bool, turn: NegotiationTurn
    ) {
        self.name = name
        self.program = program
        self.groups = groups
        self.namesGroup = namesGroup
        self.app = app
        self.interaction = interaction
        self.sensor = sensor
        self.isListing = isListing
        self.turn = turn
    }
}

/// The part of a negotiation that a call brings along. Most calls end before they need a negotiation, so one that begins is small.
package enum NegotiationTurn: Sendable {
    /// It begins, with these ways out of its prompts.
    case begins(hidesFallback: Bool = false, isFallbackImmediate: Bool = false)
    /// It continues after prompts.
    indirect case continues(Negotiation)

    func negotiation(on sensor: SensorKind) -> Negotiation {
        switch self {
        case .begins(let hidesFallback, let isFallbackImmediate):
            Negotiation(sensor: sensor, hidesFallback: hidesFallback, isFallbackImmediate: isFallbackImmediate)
        case .continues(let negotiation): negotiation
        }
    }
}

/// The state of the sensor, as the keychain has found it.
package enum SensorWord: Sendable {
    /// The vault's own record of the enrolled set is right.
    case believed
    /// The sensor has not been asked yet. It has to be, before anything is decided that depends on it.
    case unasked
    /// The sensor did not answer, or it is another sensor. Biometry is unavailable for now.
    case away
}

/// Reports that the sensor has to be asked before this request can be decided.
package struct SensorUnaskedError: NothingToCommitError {}

/// The group of the items on security tokens. Any program can read it by name, and none can write to it.
let tokenGroup = "com.apple.token"
