internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension Keybag {
    /// Applies one effect of an event to the sealed keys. `next` is the device after the event.
    mutating func follow(
        _ effect: Effect, _ next: Device, _ secrets: borrowing EventKeys, _ gateKey: borrowing Key?,
        _ fixed: borrowing FixedKeys
    ) throws {
        switch effect {
        case .rewrapRoot:
            var bag = self
            try secrets.withRoot { root in
                if next.passcode == nil { return bag.wrapWithoutPasscode(root, fixed) }
                try secrets.withStretch { try bag.wrap(root, stretch: $0, fixed) }
            }
            self = bag
        case .createPasscodeClass(let id):
            var bag = self
            try secrets.withRoot { try bag.addClassKey(.whenPasscodeSet, id: id, under: $0) }
            self = bag
        case .destroyPasscodeClass(let id):
            classKeys.removeAll { $0.keyClass == .whenPasscodeSet && $0.id == id }
        case .destroyDomainState(let state): destroyGate(.domainState(state))
        case .destroySensor(let sensor): destroyGate(.sensor(sensor))
        case .beginDomainState(let state):
            // Without the gate key the new gates cannot be made yet. Until they are, no item can be bound to the new
            // set.
            var bag = self
            try Gates.lend(gateKey) { try bag.addGates(under: $0, for: state) }
            self = bag
        case .eraseAll: try beginAnew(next.lasting, fixed)
        case .refused, .authenticated, .rejected, .endSheets, .wipeContexts, .close, .open, .forgetUnlockKey,
            .exportBackup,
            .importBackup:
            break
        }
    }
}
