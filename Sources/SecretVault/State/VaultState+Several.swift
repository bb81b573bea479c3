internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension VaultState {
    /// Changes several items, all or none. Items that are absent for the caller are skipped. If all of them are, the
    /// reply denies the request.
    mutating func updateAll(
        _ items: [ItemIdentifier], _ changes: ItemChanges, secret: borrowing SecretChange, for caller: Caller,
        in state: ContextState
    ) throws -> Reply<[ItemIdentifier]> {
        try requireSize(ofSecret: secret.count)
        return try answering { enclave in
            try enclave.transaction { enclave in
                try enclave.each(items, .update, for: caller, in: state) { enclave, record in
                    let grant = try enclave.authorizeUpdate(record, changes, for: caller, in: state)
                    _ = try enclave.rewrite(record, changes, secret, by: grant, for: caller, in: state)
                }
            }
        }
    }

    /// Deletes several items, all or none, or sets them aside for as long as `limit` allows. Items that are absent for the caller are skipped. If all of them are, the
    /// reply denies the request.
    mutating func deleteAll(
        _ items: [ItemIdentifier], keeping limit: HistoryLimit, for caller: Caller, in state: ContextState
    ) throws -> Reply<[ItemIdentifier]> {
        // Records of earlier requests are written first, so that they stay even if this transaction is rolled back.
        if items.count > 1 && !audit.isEmpty { try transaction { _ in } }
        return try answering { enclave in
            try enclave.transaction { enclave in
                try enclave.each(items, .delete, for: caller, in: state) { enclave, record in
                    try enclave.makeRoomWithinTransaction()
                    _ = try enclave.authorize(.delete, record, for: caller, in: state).grant(record.header.id)
                    try enclave.remove(record, keeping: limit, for: caller)
                }
            }
        }
    }

    private mutating func each(
        _ items: [ItemIdentifier], _ action: Action, for caller: Caller, in state: ContextState,
        _ body: (inout VaultState, RecordView) throws -> Void
    ) throws -> [ItemIdentifier] {
        var done: [ItemIdentifier] = []
        var last: NotGrantedError?
        for id in items {
            do {
                if try withRecord(.id(id), body) != nil { done.append(id) }
            } catch let refused as NotGrantedError where isAbsent(refused.authorization.decision) {
                last = refused
            }
        }
        if !done.isEmpty { return done }
        throw last ?? NotGrantedError(authorization: .denied(Denial(.itemNotFound)))
    }

    /// Returns true if a decision treats the item as absent, because it is invalidated or in another access group.
    func isAbsent(_ decision: Decision) -> Bool {
        guard let denial = decision.denial else { return false }
        return isAbsence(denial.rule, device.settings.fidelity)
    }
}
