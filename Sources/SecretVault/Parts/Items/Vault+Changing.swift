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

extension Vault {
    /// Changes an item.
    public func update(
        _ item: ItemReference, _ changes: ItemChanges = ItemChanges(), secret: borrowing SecretChange,
        for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<ItemIdentifier> {
        try run(in: context) { vault, state in
            try vault.decidingAgain { vault in
                try vault.requireSize(ofSecret: secret.count)
                return try vault.changing { vault in
                    let id = try vault.withRecord(item) { vault, record in
                        let grant: Grant
                        do {
                            grant = try vault.authorizeUpdate(record, changes, for: caller, in: state)
                        } catch let refused as NotGrantedError {
                            // The header shows without a prompt that the secret has no former version.
                            if refused.authorization.wouldPrompt, secret.restoresVersion, !record.header.sealsBody {
                                throw VaultError.noFormerVersion
                            }
                            throw refused
                        }
                        return try vault.rewrite(record, changes, secret, by: grant, for: caller, in: state)
                    }
                    return try id ?? vault.missing(.update, item, for: caller, in: state)
                }
            }
        }
    }

    /// Changes several items in one transaction: all of them, or none. Items that do not exist for the caller, because
    /// they are invalidated or belong to another group, are skipped. If that is true of all, the reply says so.
    public func updateAll(
        _ items: [ItemIdentifier], _ changes: ItemChanges = ItemChanges(), secret: borrowing SecretChange,
        for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<[ItemIdentifier]> {
        try run(in: context) { vault, state in
            try vault.decidingAgain { vault in
                try vault.requireSize(ofSecret: secret.count)
                return try vault.changing { vault in
                    try vault.each(items) { vault, record in
                        let grant = try vault.authorizeUpdate(record, changes, for: caller, in: state)
                        _ = try vault.rewrite(record, changes, secret, by: grant, for: caller, in: state)
                    }
                }
            }
        }
    }

    /// Renames items, or stores copies of them under other names, in one transaction: all of them, or none. Each step is
    /// decided as if it were a request of its own: a rename as an update, and a copy as reading the item and adding
    /// another. If one is not granted, its reply is the reply for all.
    package func relocateAll(
        _ relocations: [Relocation], for caller: Caller, in context: VaultContext? = nil
    ) throws(VaultError) -> Reply<Int> {
        try run(in: context) { vault, state in
            try vault.decidingAgain { vault in
                // Records of earlier requests are written first, so that they stay even if this transaction is rolled back.
                if !vault.audit.isEmpty { try vault.transaction { _ in } }
                return try vault.changing(isLarge: true) { vault in
                    for one in relocations {
                        var changes = ItemChanges()
                        changes.merging = one.name
                        try vault.makeRoomWithinTransaction()
                        let id = try vault.withRecord(.id(one.id)) { vault, record in
                            if one.isCopy { return try vault.copy(record, changes, for: caller, in: state) }
                            let grant = try vault.authorizeUpdate(record, changes, for: caller, in: state)
                            return try vault.rewrite(record, changes, .keep, by: grant, for: caller, in: state)
                        }
                        _ = try id ?? vault.missing(.update, .id(one.id), for: caller, in: state)
                    }
                    return relocations.count
                }
            }
        }
    }
}

extension VaultState {
    /// Stores a copy of an item with these changes. A transaction is open.
    fileprivate mutating func copy(
        _ record: RecordView, _ changes: ItemChanges, for caller: Caller, in state: ContextState
    ) throws -> ItemIdentifier {
        let header = record.header
        let grant = try authorize(.readData, record, for: caller.released, in: state).grant(header.id)
        let new = try seals.stored(record).description.with(changes)
        // This password opens the original alone. A copy would need to be given one.
        if new.control.needsApplicationPassword { throw NotGrantedError(.passwordMissing, header.id) }
        let plaintext = try seals.plaintext(of: record, by: grant, in: state, bag)
        try authorizeStoring(new, for: caller, in: state)
        try clearTheWay(for: new.primaryKey, for: caller, in: state)
        let now = hour(for: caller)
        let id = ItemIdentifier.random()
        try lending(plaintext.bytes) { secret in
            // The copy has the policy and the binding of the original: what an enrollment change has closed stays closed,
            // and the former versions open no more easily.
            try put(
                new, id, binding: header.binding, created: now, modified: now, secret: secret,
                isBody: plaintext.isBody, in: state)
        }
        return id
    }
}
