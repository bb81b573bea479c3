internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// The one way by which gates leave the keybag: against a result, and only those that it opens. (The passcode's gate is no
/// such key: the root that the passcode opens is what opens it.)
enum GateKeeper {
    /// What gates are released against.
    enum Warrant {
        /// What the device made of a sensor's result.
        case match(Effects)
        /// The confirmation by a companion that is near and unlocked.
        case companion
        /// A grant that counts the match by which the device was unlocked.
        case unlock(Grant)

        fileprivate func gates(under state: DomainState) -> [GateName] {
            switch self {
            case .match(let effects): effects.authenticated(.biometry) ? GateName.matched(under: state) : []
            case .companion: [.companion]
            case .unlock(let grant): grant.reusesUnlock ? GateName.matched(under: state) : []
            }
        }
    }

    static func release(
        against warrant: Warrant, of bag: Keybag, in ring: KeyRing, to context: ContextState
    ) throws {
        try ring.change { contents in
            for name in warrant.gates(under: contents.device.domainState) {
                let gate: Key?? = try Gates.lend(contents.keys.gate) { try bag.gate(name, under: $0) }
                guard case .some(.some(let found)) = consume gate else { continue }
                context.held(in: contents).gates.add(name, found)
            }
        }
    }
}
