package import AccessPolicy
package import SecretVault

// Calls for the owner's own commands, on many items at a time.

extension Keychain {
    /// Passes the name and policy of each item that matches a query to `body`, for the owner's own list, and returns how
    /// many are locked and how many damaged. It never prompts. The audit log has one record for the whole list.
    ///
    /// This reads every row once, and is much faster than ``inventory(of:by:)``. The query may name nothing but
    /// attributes by which the vault finds items. `body` must not use the keychain. If the keychain is locked meanwhile,
    /// the list begins again; `begin` is called first each time. Pass false for `isRecorded` only for a list that no client
    /// gets.
    package func list(
        _ query: ItemQuery, _ parts: ListedParts, by requester: Requester? = nil, isRecorded: Bool = true,
        begin: () -> Void,
        _ body: (ListedItem) -> Void
    ) throws(KeychainError) -> ListCount {
        try listing(query, by: requester, isRecorded: isRecorded) { (search, caller) throws(VaultError) in
            try vault.list(search, parts, for: caller, begin: begin, body)
        }
    }

    /// Passes each deleted item that matches a query and can still be brought back to `body`, as
    /// ``list(_:_:by:isRecorded:begin:_:)`` does with the others. Pass false for `isRecorded` only if a client gets no list.
    package func listDeleted(
        _ query: ItemQuery, _ parts: ListedParts, within limit: HistoryLimit, by requester: Requester? = nil,
        isRecorded: Bool = true, begin: () -> Void, _ body: (ListedItem) -> Void
    ) throws(KeychainError) -> ListCount {
        try listing(query, by: requester, isRecorded: isRecorded) { (search, caller) throws(VaultError) in
            try vault.listDeleted(search, parts, within: limit, for: caller, begin: begin, body)
        }
    }

    private func listing(
        _ query: ItemQuery, by requester: Requester?, isRecorded: Bool,
        _ list: (ItemSearch, Caller) throws(VaultError) -> ListCount
    ) throws(KeychainError) -> ListCount {
        var call = KeychainCall(self, by: requester, in: nil)
        call.isListing = true
        let caller = call.caller(.believed)
        let search: ItemSearch?
        do { search = try query.search(for: call.requester) } catch { throw .request(error) }
        guard let search, search.others.isEmpty else { throw .request(.noClass) }
        if isRecorded { try onVault(vault.recordList(for: caller)) }
        return try onVault(list(search, caller))
    }

    /// Deletes these items, all or none, and returns their number. Deleting never prompts. Items that do not exist for
    /// the caller are skipped.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if none of them exists.
    package func deleteAll(
        _ items: [ItemIdentifier], keeping limit: HistoryLimit = .none, by requester: Requester? = nil,
        in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) -> Int {
        let call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        return try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.deleteAll(items, keeping: limit, for: caller, in: vaultContext)
        }.count
    }

    /// Renames or copies these items, all or none, in their order, and prompts for the factors that this takes: those of
    /// an update for a rename, and those of reading for a copy. One prompt serves all items that it satisfies.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if an item does not exist, a name is taken, or the policy of an item is not
    ///   satisfied.
    package func relocateAll(
        _ relocations: [Relocation], by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) {
        let call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        _ = try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.relocateAll(relocations, for: caller, in: vaultContext)
        }
    }
}
