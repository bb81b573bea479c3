public import AccessPolicy
package import DeviceModel
package import SodiumKit

/// The answer to a request.
public enum Reply<Value: ~Copyable & Sendable>: ~Copyable, Sendable {
    /// The vault granted the request; this is what the caller asked for.
    case granted(Value)
    /// The vault will grant the request after one more authentication.
    case challenge(Challenge)
    /// The vault denied the request.
    case denied(Denial)
}

extension Reply where Value: ~Copyable {
    /// Returns the value if the request was granted; nil otherwise.
    public consuming func value() -> Value? {
        switch consume self {
        case .granted(let value): value
        default: nil
        }
    }

    /// True if the request was granted.
    public var isGranted: Bool {
        switch self {
        case .granted: true
        default: false
        }
    }

    /// The reason for a denial; nil if the request was not denied.
    public var denial: Denial? {
        switch self {
        case .denied(let denial): denial
        default: nil
        }
    }

    /// Creates the answer to an authorization that grants nothing; nil if it grants. `item` is the stored item of the
    /// request.
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
    /// Creates the answer to an authorization that involves no item.
    init(_ authorization: Authorization) { self = Self(refusing: authorization, nil) ?? .granted(()) }
}

/// The authentication that is needed before a request is granted.
public struct Challenge: Hashable, Sendable {
    /// The sets of factors that would satisfy the access policy, the one to ask for first in front.
    public let ways: Ways
    /// The item of the request. An application password has to open it. If it is nil, nothing is stored yet, and the
    /// user chooses a new password.
    public let item: ItemIdentifier?
    /// The negotiation, which continues outside the vault because it needs a factor or a permission.
    package var negotiation: Negotiation {
        switch kept {
        case .apart(let negotiation): negotiation
        }
    }

    private let kept: Kept

    /// A box that keeps every reply small, because most replies are no challenge.
    private indirect enum Kept: Hashable {
        case apart(Negotiation)
    }

    init(ways: Ways, item: ItemIdentifier?, negotiation: Negotiation) {
        self.ways = ways
        self.item = item
        kept = .apart(negotiation)
    }
}

/// How far a negotiation gets inside the vault.
enum Authorization {
    case granted(Grant)
    /// The negotiation needs one of these ways, and the caller of the vault has to prompt for it.
    indirect case challenge(Ways, Negotiation)
    case denied(Denial)

    /// True if only the factors of a prompt are missing, also where there may be none.
    var wouldPrompt: Bool {
        switch self {
        case .granted: false
        case .challenge: true
        case .denied(let denial): !denial.ways.isEmpty
        }
    }

    var decision: Decision {
        switch self {
        case .granted(let grant): .granted(grant)
        case .challenge(let ways, _): .challenge(ways)
        case .denied(let denial): .denied(denial)
        }
    }
}

/// A released secret, with the identifier of its item.
package struct ReleasedSecret: ~Copyable, Sendable {
    package let id: ItemIdentifier
    /// The secret; nil for an item that has none.
    package var bytes: SecureBytes?
}
