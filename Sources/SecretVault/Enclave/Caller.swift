public import AccessPolicy
public import DeviceModel
internal import SodiumKit

/// Who asks, and how they may be answered.
public struct Caller: Sendable {
    /// More groups than this a caller cannot have; those that follow are as if they were not theirs.
    package static let groupCapacity = 30

    /// The name in the audit log.
    public var name: String
    /// Which program they are: what one repeats again and again is counted in one record. The name, unless that says more
    /// than the program, such as its process.
    public var program: String
    /// Their access groups, the default one in front; the first thirty count.
    public var groups: [String]
    /// True if they named the item's group, so that they learn when it is not theirs.
    public var namesGroup: Bool
    /// Which app of the device they are; it matters for permissions.
    public var app: AppID
    /// Whether the holder may be asked. The vault asks nobody: it says what would have to be proved.
    public var interaction: Interaction
    /// What is known of the sensor at the moment.
    package var sensor = SensorWord.believed
    /// True if they look through what there is: who sees that an item is there leaves no record of their own for each, of which
    /// whoever reads the trail would make more by reading it.
    package var isListing = false
    /// The negotiation that this call goes on with; nil if it begins one.
    package var negotiation: Negotiation?
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
}

/// What whoever joins a sensor to a vault knows of it at the moment.
package enum SensorWord: Sendable {
    /// The vault's own record of who is enrolled is the truth.
    case believed
    /// It has not been asked yet, and has to be before anything is decided that depends on it.
    case unasked
    /// It did not answer, or not as the sensor that it was: there is no biometry for the time being.
    case away
}

/// The sensor has to be asked before this can be decided.
package struct SensorUnasked: NothingToCommit {}

/// The name of the group of tokens, which everybody may read by name and nobody may write to.
let tokenGroup = "com.apple.token"

/// What a request came to.
public enum Reply<Value: ~Copyable & Sendable>: ~Copyable, Sendable {
    /// It was granted, and this is what was asked for.
    case granted(Value)
    /// It would be, once something has been proved.
    case challenge(Challenge)
    /// It was denied.
    case denied(Denial)
}

extension Reply where Value: ~Copyable {
    /// What was asked for, if it was granted.
    public consuming func value() -> Value? {
        switch consume self {
        case .granted(let value): value
        default: nil
        }
    }

    /// True if it was granted.
    public var isGranted: Bool {
        switch self {
        case .granted: true
        default: false
        }
    }

    /// Why it was denied, if it was.
    public var denial: Denial? {
        switch self {
        case .denied(let denial): denial
        default: nil
        }
    }

    /// What an authorization comes to that grants nothing; `item` is the one that was decided about, where it is stored.
    init?(refusing authorization: Authorization, _ item: ItemIdentifier?) {
        switch authorization {
        case .granted: return nil
        case .challenge(let ways, let negotiation):
            self = .challenge(Challenge(ways: ways, item: item, negotiation: negotiation))
        case .denied(let denial): self = .denied(denial)
        }
    }
}

extension Reply<Void> {
    /// What an authorization comes to that is about no item.
    init(_ authorization: Authorization) { self = Self(refusing: authorization, nil) ?? .granted(()) }
}

/// What has to be proved before something is granted.
public struct Challenge: Hashable, Sendable {
    /// The sets of factors of which one has to be proved, the one to ask for in front.
    public let ways: Ways
    /// The item that it is about. An application password has to open it; where nothing is stored yet, one is chosen.
    public let item: ItemIdentifier?
    /// The negotiation, which goes on outside the vault: it has to ask for a factor or for permission.
    package var negotiation: Negotiation {
        switch kept {
        case .apart(let negotiation): negotiation
        }
    }

    private let kept: Kept

    /// Keeps it apart, so that every reply stays small: most are no challenge.
    private indirect enum Kept: Hashable {
        case apart(Negotiation)
    }

    init(ways: Ways, item: ItemIdentifier?, negotiation: Negotiation) {
        self.ways = ways
        self.item = item
        kept = .apart(negotiation)
    }
}

/// How far a negotiation gets in the vault.
enum Authorization {
    /// It ends with a grant.
    case granted(Grant)
    /// It has to ask for one of these ways, which the vault leaves to its caller.
    indirect case challenge(Ways, Negotiation)
    /// It ends with a denial.
    case denied(Denial)

    /// The decision that it came to.
    var decision: Decision {
        switch self {
        case .granted(let grant): .granted(grant)
        case .challenge(let ways, _): .challenge(ways)
        case .denied(let denial): .denied(denial)
        }
    }
}

/// Which item is meant.
public enum ItemReference: Hashable, Sendable {
    /// The one with these unique attributes.
    case key(PrimaryKey)
    /// The one with this identifier, which it keeps for life.
    case id(ItemIdentifier)
}

/// What an item is known by for its life, whatever becomes of its attributes.
public struct ItemIdentifier: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// The sixteen bytes of it.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.write(high)
        bytes.write(low)
        return bytes
    }

    /// The identifier with these sixteen bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let halves = bytes.withUnsafeBytes {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(littleEndian: halves.0), low: UInt64(littleEndian: halves.1))
    }

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    static func random() -> ItemIdentifier {
        Sodium.randomBytes(16).withUnsafeBytes {
            ItemIdentifier(
                high: $0.loadUnaligned(as: UInt64.self), low: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// What evidence calls the item.
    var evidenceID: ItemID { ItemID(rawValue: high) }
}

/// What is known of a stored item while its class is open, without its secret.
public struct StoredItem: Hashable, Sendable {
    /// What it is known by for life.
    public let id: ItemIdentifier
    /// The item.
    public let description: ItemDescription
    /// When it was stored, in seconds since the first day of 2001.
    public let created: Double
    /// When it was last changed.
    public let modified: Double
}
