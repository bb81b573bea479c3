public import AccessPolicy
public import DeviceModel

/// The program that asks, and how it may be answered.
public struct Caller: Sendable {
    /// More groups than this a caller cannot have; those that follow are as if they were not theirs.
    package static let groupCapacity = 30

    /// The name in the audit log.
    public var name: String
    /// Which program they are: what one repeats again and again is counted in one record. The name, unless that says more
    /// than the program, such as its process.
    public var program: String
    /// The access groups, the default one first. Only the first thirty count.
    public var groups: [String]
    /// True if they named the item's group, so that they learn when it is not theirs.
    public var namesGroup: Bool
    /// Which app of the device they are; it matters for permissions.
    public var app: AppID
    /// The prompts that are allowed. The vault itself never prompts: it returns what is missing as a challenge.
    public var interaction: Interaction
    /// The caller's knowledge of the sensor at the moment.
    package var sensor = SensorWord.believed
    /// True for a listing. It leaves one record, not one for each item.
    package var isListing = false
    /// The negotiation that this call begins or continues.
    package var turn = NegotiationTurn.begins()
    /// The hour for the dates of items, in seconds since the first day of 2001; nil for the clock on the wall, or
    /// that of a simulated device.
    public var date: Double?

    /// A caller of these groups.
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

    /// Returns the negotiation on a device with this kind of sensor.
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
    /// The vault's own record of who is enrolled is the truth.
    case believed
    /// It has not been asked yet, and has to be before anything is decided that depends on it.
    case unasked
    /// It did not answer, or not as the sensor that it was: there is no biometry for the time being.
    case away
}

/// The sensor has to be asked before this can be decided.
package struct SensorUnaskedError: NothingToCommitError {}

/// The name of the group of tokens. Every program may read it by name, and none may write to it.
let tokenGroup = "com.apple.token"
