/// A limit on the addresses that the name of a host may stand for.
package enum AddressLimit: Hashable, Sendable {
    /// Only addresses of the public internet. The name of a host may otherwise lead to this machine or its network.
    case publicOnly
    /// Every address.
    case any

    /// Returns true if a connection to the address is permitted.
    package func permits(_ address: NetworkAddress) -> Bool {
        switch self {
        case .publicOnly: address.isPublic
        case .any: true
        }
    }
}
