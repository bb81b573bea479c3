internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// One item that gets another name, or a copy under another name.
package struct Relocation: Sendable {
    package let id: ItemIdentifier
    /// The attributes that the new name consists of.
    package let name: Attributes
    /// True if the item stays and a copy gets the new name.
    package let isCopy: Bool

    package init(_ id: ItemIdentifier, to name: Attributes, isCopy: Bool) {
        self.id = id
        self.name = name
        self.isCopy = isCopy
    }
}

extension VaultState {
    /// Renames or copies several items, all or none, in their order. Returns their number.
    mutating func relocateAll(
        _ relocations: [Relocation], for caller: Caller, in state: ContextState
    ) throws -> Reply<Int> {
        // Records of earlier requests are written first, so that they stay even if this transaction is rolled back.
        if !audit.isEmpty { try transaction { _ in } }
        return try answering { enclave in
            try enclave.transaction(isLarge: true) { enclave in
                for one in relocations {
                    try enclave.makeRoomWithinTransaction()
                    let done: Void? = try enclave.withRecord(.id(one.id)) { enclave, record in
                        try enclave.relocate(one, record, for: caller, in: state)
                    }
                    if done == nil {
                        throw NotGrantedError(
                            authorization: try enclave.authorizeMissing(
                                .update, .id(one.id), for: caller, in: state))
                    }
                }
                return relocations.count
            }
        }
    }

    private mutating func relocate(
        _ one: Relocation, _ record: RecordView, for caller: Caller, in state: ContextState
    ) throws {
        var changes = ItemChanges()
        changes.merging = one.name
        if !one.isCopy {
            let grant = try authorizeUpdate(record, changes, for: caller, in: state)
            _ = try rewrite(record, changes, .keep, by: grant, for: caller, in: state)
            return
        }
        let header = record.header
        let grant = try authorize(.readData, record, for: caller.released, in: state).grant(header.id)
        let new = try seals.stored(record).description.with(changes)
        // This password opens the original alone. A copy would need to be given one.
        if new.control.needsApplicationPassword {
            throw NotGrantedError(authorization: .denied(Denial(.passwordMissing)), item: header.id)
        }
        let plaintext = try seals.plaintext(of: record, by: grant, in: state, bag)
        try authorizeStoring(new, for: caller, in: state)
        try clearTheWay(for: new.primaryKey, for: caller, in: state)
        let now = hour(for: caller)
        try lending(plaintext.bytes) { secret in
            // The copy has the policy and the binding of the original: what an enrollment change has closed stays closed,
            // and the former versions open no more easily.
            try put(
                new, .random(), binding: header.binding, created: now, modified: now, secret: secret,
                isBody: plaintext.isBody, in: state)
        }
    }
}
