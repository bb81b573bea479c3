internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// The only way for a gate to leave the keybag: against an authenticator's result, and only the gates that the result
/// opens. The passcode gate takes another way, because it opens with the root that the passcode opens.
enum GateKeeper {
    /// The result against which gates are released.
    enum Warrant {
        /// The device's effects of a sensor's result.
        case match(Effects)
        /// The confirmation by a companion that is near and unlocked.
        case companion
        /// A grant that counts the match that unlocked the device.
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
