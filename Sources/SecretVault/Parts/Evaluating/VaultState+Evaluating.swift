internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension VaultState {
    /// Accepts the application's own password, or the one that the user typed, without a check: there is no item to
    /// check it against. It therefore counts for no item. Returns false if there is no password.
    func acceptUnchecked(_ typed: borrowing Key?, in state: ContextState) throws -> Bool {
        let evidence = Evidence(.applicationPassword, under: device.conditions())
        switch typed {
        case .some(let typed):
            try state.record(typed, evidence)
            return true
        case .none:
            let own = try state.copyPassword()
            return try Gates.lend(own) {
                try state.record($0, evidence)
                return true
            } ?? false
        }
    }

    /// Checks the application's own password, or the one that the user typed, by opening an item with it. Returns nil
    /// if there is no password or no such item, or if the device was locked meanwhile.
    mutating func check(
        password typed: borrowing Key?, on item: ItemReference, keepingWrong: Bool = false, for caller: Caller,
        in state: ContextState
    ) throws -> Bool? {
        let found: Bool?? = try withRecord(item) { vault, record in
            let conditions = vault.conditions(for: caller)
            switch typed {
            case .none:
                defer { state.context.passwordRefusedBy = nil }  // a wrong password may be right in the next call
                return try vault.tryOwnPassword(
                    on: record, keepingWrong: keepingWrong, in: state, under: conditions)
            case .some(let typed):
                guard try vault.opens(record, by: typed, in: state, under: conditions) else {
                    return vault.ring.hasLocked ? nil : false
                }
                try state.record(
                    typed, Evidence(.applicationPassword, under: conditions, item: record.header.id.evidenceID))
                return true
            }
        }
        return found ?? nil
    }
}
