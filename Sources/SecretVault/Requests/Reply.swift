public import AccessPolicy
package import DeviceModel
package import SodiumKit

/// The answer to a request.
public enum Reply<Value: ~Copyable & Sendable>: ~Copyable, Sendable {
    /// It was granted, and this is what was asked for.
    case granted(Value)
    /// It would be, once something has been proved.
    case challenge(Challenge)
    /// It was denied.
    case denied(Denial)
}

extension Reply where Value: ~Copyable {
    /// Returns the value if the request was granted.
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

    /// Creates the answer to an authorization that grants nothing; nil if it grants. `item` is the stored item that it is about.
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
    /// Creates the answer to an authorization that is about no item.
    init(_ authorization: Authorization) { self = Self(refusing: authorization, nil) ?? .granted(()) }
}

/// The authentication that is needed before a request is granted.
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

/// A secret that came out, with what its item is known by; nothing for an item that has none.
package struct ReleasedSecret: ~Copyable, Sendable {
    package let id: ItemIdentifier
    package var bytes: SecureBytes?
}
