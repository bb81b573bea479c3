public import AccessPolicy
internal import DeviceModel
public import SecretVault
public import SodiumKit

// The calls that take a query (semantics 3.6 to 3.9). One locked item fails the whole call. Factors for several items
// are authenticated in one context. Items that are invalidated or belong to another group are skipped.

/// An item that a query found, with the parts that it asked for.
public struct FoundEntry: Sendable {
    /// The persistent reference.
    public let id: ItemIdentifier
    /// The item class.
    public let itemClass: ItemClass
    /// The attributes, if the query asked for them.
    public let stored: StoredItem?
    /// The secret, if the query asked for it and the item has one.
    public let secret: Secret?

    package init(id: ItemIdentifier, itemClass: ItemClass, stored: StoredItem?, secret: Secret?) {
        self.id = id
        self.itemClass = itemClass
        self.stored = stored
        self.secret = secret
    }
}

/// A secret that several owners can share. It is wiped when the last one releases it.
public final class Secret: Sendable {
    /// The bytes of the secret.
    public let bytes: SecureBytes

    /// Takes ownership of `bytes`.
    package init(_ bytes: consuming SecureBytes) { self.bytes = bytes }
}

extension Keychain {
    /// Returns the items that match a query, with the parts that it asks for. Without a limit it returns one.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if no item matches, or the access policy of one is not satisfied;
    ///   ``KeychainError/request(_:)`` if the query makes no sense.
    public func find(
        _ query: ItemQuery, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) -> [FoundEntry] {
        try find(query, by: requester, in: context, interaction: interaction, where: nil)
    }

    /// Returns those matching items for which `isWanted` returns true. It sees what an item's accessibility class
    /// opens.
    package func find(
        _ query: ItemQuery, by requester: Requester? = nil, in context: KeychainContext?,
        interaction: Interaction, where isWanted: ((StoredItem) -> Bool)?
    ) throws(KeychainError) -> [FoundEntry] {
        var call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        call.namesGroup = query.group != nil
        let isPassword = query.itemClass == .genericPassword || query.itemClass == .internetPassword
        if query.count > 1, query.wanted.contains(.data), isPassword, fidelity.dataOfSeveral == .refused {
            throw .request(.dataOfSeveral)
        }
        // Authentication for several parts of an item, or for several items, goes into one context, so that the user is
        // asked once.
        if context == nil && query.wanted.isSuperset(of: [.data, .attributes]) { call.context = try makeContext() }
        if isWanted == nil, query.count == 1, let (reference, itemClass) = query.named(for: call.requester) {
            do {
                return [try entry(reference, itemClass, query.wanted, call)]
            } catch {
                // An item with a view hint or a token has another key in the vault, and the query matches it as well.
                guard error.rule == .itemNotFound, try !candidates(for: query, call).isEmpty else { throw error }
            }
        }
        let candidates = try candidates(for: query, call)
        if candidates.count > 1 && query.count > 1 {
            try requireUnlocked(candidates, upTo: query.count, query, call)
        }
        if context == nil && candidates.count > 1 {
            call.keepsPassword = true
            if call.context == nil { call.context = try makeContext() }
        }
        var found: [FoundEntry] = []
        var last: KeychainError?
        for candidate in candidates {
            if found.count == query.count { break }
            if try wanted(certain([candidate], query, call), isWanted, call).isEmpty { continue }
            do {
                found.append(try entry(.id(candidate.id), candidate.itemClass, query.wanted, call))
            } catch {
                guard let rule = error.rule, isAbsence(rule, fidelity) else { throw error }
                last = error
            }
        }
        if !found.isEmpty { return found }
        if let last { throw last }
        throw try absence(query.wanted.action, query, call)
    }

    /// Updates every item that matches a query, either all of them or none.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if no item matches, or the access policy of one is not satisfied;
    ///   ``KeychainError/request(_:)`` if the query or the changes make no sense.
    @discardableResult
    public func update(
        _ query: ItemQuery, _ changes: ItemChanges = ItemChanges(), secret: borrowing SecretChange = .keep,
        by requester: Requester? = nil, in context: KeychainContext? = nil, interaction: Interaction = .allowed
    ) throws(KeychainError) -> [ItemIdentifier] {
        try update(query, changes, secret: secret, by: requester, in: context, interaction: interaction, where: nil)
    }

    /// Updates only the matching items for which `isWanted` returns true.
    @discardableResult
    package func update(
        _ query: ItemQuery, _ changes: ItemChanges, secret: borrowing SecretChange, by requester: Requester? = nil,
        in context: KeychainContext?, interaction: Interaction, where isWanted: ((StoredItem) -> Bool)?
    ) throws(KeychainError) -> [ItemIdentifier] {
        var call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        call.namesGroup = query.group != nil
        // As in Apple's keychain, the group of the query is checked before the query is read, and the group of the
        // changes before the changes are.
        try requireGroup(query.group, for: .update, by: requester, interaction: interaction)
        do { try query.requireMeaning() } catch { throw .request(error) }
        if !query.wanted.isEmpty && fidelity.resultOfUpdate == .refused { throw .request(.resultOfChange) }
        try requireGroup(changes.group, for: .update, by: requester, interaction: interaction)
        if query.limit != nil { throw .request(.limitInChange) }
        let early = try prepared(changes, for: query.itemClass)
        let items = try wanted(certain(candidates(for: query, call), query, call), isWanted, call)
        guard let itemClass = items.first?.itemClass else { throw try absence(.update, query, call) }
        let changes = query.itemClass == nil ? try prepared(changes, for: itemClass) : early
        // The caller's own context must hold nothing that the caller has not put there.
        call.keepsPassword = call.context == nil && items.count(where: \.control.needsApplicationPassword) > 1
        return try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.updateAll(items.map(\.id), changes, secret: secret, for: caller, in: vaultContext)
        }
    }

    /// Deletes every item that matches a query. Deleting never prompts.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if no item matches; ``KeychainError/request(_:)`` if the query makes no
    ///   sense.
    @discardableResult
    public func delete(
        _ query: ItemQuery, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) -> [ItemIdentifier] {
        try delete(query, by: requester, in: context, interaction: interaction, where: nil)
    }

    /// Deletes only the matching items for which `isWanted` returns true.
    @discardableResult
    package func delete(
        _ query: ItemQuery, by requester: Requester? = nil, in context: KeychainContext?, interaction: Interaction,
        where isWanted: ((StoredItem) -> Bool)?
    ) throws(KeychainError) -> [ItemIdentifier] {
        var call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        call.namesGroup = query.group != nil
        try requireGroup(query.group, for: .delete, by: requester, interaction: interaction)
        if query.limit != nil && fidelity.limitOfDelete == .refused { throw .request(.limitInChange) }
        var items = try wanted(certain(candidates(for: query, call), query, call), isWanted, call)
        if query.limit != nil { items = Array(items.prefix(query.count)) }
        if items.isEmpty { throw try absence(.delete, query, call) }
        return try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.deleteAll(items.map(\.id), for: caller, in: vaultContext)
        }
    }

    /// Returns the name and policy of every item that matches a query, for the owner's own list. It never prompts.
    ///
    /// Locked and damaged items are counted and left out. Items that do not exist for the caller are skipped. The audit
    /// log has one record for the whole list.
    public func inventory(
        of query: ItemQuery, by requester: Requester? = nil
    ) throws(KeychainError) -> (items: [StoredItem], locked: Int, damaged: Int) {
        var items: [StoredItem] = []
        let (locked, damaged) = try inventory(of: query, by: requester) { items.append($0) }
        return (items, locked, damaged)
    }

    /// The result of listing one item.
    public enum Listed: Sendable {
        /// The item's name and policy.
        case item(StoredItem)
        /// The item's accessibility class is locked.
        case locked
        /// The item is damaged.
        case damaged
        /// The item does not exist for the caller.
        case absent
    }

    /// Lists one item of an earlier list again. It adds no record to the audit log.
    public func listed(_ id: ItemIdentifier, by requester: Requester? = nil) throws(KeychainError) -> Listed {
        var call = KeychainCall(self, by: requester, in: nil)
        call.isListing = true
        return try listed(id, call)
    }

    private func listed(_ id: ItemIdentifier, _ call: KeychainCall) throws(KeychainError) -> Listed {
        do {
            return .item(try inventory(.id(id), call))
        } catch {
            if case .vault(.damaged(.item)) = error { return .damaged }
            switch error.rule {
            case .classLocked, .classBeforeFirstUnlock: return .locked
            case .some(let rule) where isAbsence(rule, fidelity): return .absent
            default: throw error
            }
        }
    }

    /// Passes the name and policy of each item that matches a query to `body`, and returns how many are locked and how
    /// many damaged.
    public func inventory(
        of query: ItemQuery, by requester: Requester? = nil, _ body: (StoredItem) -> Void
    ) throws(KeychainError) -> (locked: Int, damaged: Int) {
        var call = KeychainCall(self, by: requester, in: nil)
        call.isListing = true
        let caller = call.caller(.believed)
        try onVault(vault.recordList(for: caller))
        var (locked, damaged) = (0, 0)
        for candidate in try candidates(for: query, call) where candidate.isCertain {
            switch try listed(candidate.id, call) {
            case .item(let item): body(item)
            case .locked: locked += 1
            case .damaged: damaged += 1
            case .absent: continue
            }
        }
        return (locked, damaged)
    }

    /// Returns the items that match a query, without their secrets. It never prompts, and adds no record to the audit log,
    /// so use it only to find the item of a call that follows. Items that do not exist for the caller are skipped.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if the class of one is locked.
    package func lookUp(_ query: ItemQuery, by requester: Requester? = nil) throws(KeychainError) -> [StoredItem] {
        var call = KeychainCall(self, by: requester, in: nil)
        call.isListing = true
        var items: [StoredItem] = []
        for candidate in try candidates(for: query, call) {
            do {
                items.append(try inventory(.id(candidate.id), call))
            } catch {
                guard let rule = error.rule, isAbsence(rule, fidelity) else { throw error }
            }
        }
        return items
    }

    /// Returns an item without its secret. It never prompts, and adds no record to the audit log, so use it only to find
    /// the item of a call that follows.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if the item does not exist or its class is locked.
    package func lookUp(_ item: ItemReference, by requester: Requester? = nil) throws(KeychainError) -> StoredItem {
        var call = KeychainCall(self, by: requester, in: nil)
        call.isListing = true
        return try inventory(item, call)
    }

    // MARK: -

    /// Returns the items that match, including ones that the caller cannot have.
    private func candidates(for query: ItemQuery, _ call: KeychainCall) throws(KeychainError) -> [FoundItem] {
        let search: ItemSearch?
        do { search = try query.search(for: call.requester) } catch { throw .request(error) }
        if let search { return try onVault(vault.find(search)) }
        guard let reference = query.reference else { throw .request(.noClass) }
        let found = try onVault(vault.find(reference))
        if let found, let itemClass = query.itemClass, found.itemClass != itemClass { throw .request(.otherClass) }
        return found.map { [$0] } ?? []
    }

    /// Returns the error for a query that found nothing.
    private func absence(_ action: Action, _ query: ItemQuery, _ call: KeychainCall) throws(KeychainError)
        -> KeychainError
    {
        let caller = call.caller(.believed)
        let group = query.group ?? call.requester.usualGroup
        let decision = try onVault(
            vault.decision(action, missingFrom: group, for: caller, in: call.context?.vaultContext))
        return denied(decision.denial ?? Denial(.itemNotFound))
    }

    /// Returns the items for which `isWanted` returns true. Items that do not exist for the caller are skipped.
    private func wanted(
        _ items: [FoundItem], _ isWanted: ((StoredItem) -> Bool)?, _ call: KeychainCall
    ) throws(KeychainError) -> [FoundItem] {
        guard let isWanted else { return items }
        var wanted: [FoundItem] = []
        for item in items {
            do {
                if isWanted(try inventory(.id(item.id), by: call.requester)) { wanted.append(item) }
            } catch {
                guard let rule = error.rule, isAbsence(rule, fidelity) else { throw error }
            }
        }
        return wanted
    }

    /// Returns the items that certainly match. Throws if a locked item could match, because a call must not return,
    /// change or delete another item than the caller meant.
    private func certain(
        _ candidates: [FoundItem], _ query: ItemQuery, _ call: KeychainCall
    ) throws(KeychainError) -> [FoundItem] {
        if candidates.allSatisfy(\.isCertain) { return candidates }
        try requireUnlocked(candidates.filter { !$0.isCertain }, query, call)
        return candidates.filter(\.isCertain)
    }

    /// Throws if one of the first `count` items that exist for the caller is locked, before the user is asked for
    /// factors of the others.
    private func requireUnlocked(
        _ candidates: [FoundItem], upTo count: Int = .max, _ query: ItemQuery, _ call: KeychainCall
    ) throws(KeychainError) {
        var present = 0
        for candidate in candidates where present < count {
            let decision = try ask(call) { (caller, vaultContext) throws(VaultError) in
                try vault.decision(query.wanted.action, .id(candidate.id), for: caller, in: vaultContext)
            }
            switch decision.denial?.rule {
            case .classLocked, .classBeforeFirstUnlock: throw denied(decision.denial ?? Denial(.classLocked))
            case .some(let rule) where isAbsence(rule, fidelity): continue
            default: present += 1
            }
        }
    }

    /// Returns one item with the wanted parts.
    private func entry(
        _ item: ItemReference, _ itemClass: ItemClass, _ wanted: ItemQuery.Parts, _ call: KeychainCall
    ) throws(KeychainError) -> FoundEntry {
        var item = item
        var secret: Secret?
        // A key in the enclave has no data to return, and its attributes are under no policy.
        if itemClass == .key && wanted.isSuperset(of: [.data, .attributes]) {
            let stored = try inventory(item, call)
            if EnclaveKey(stored) != nil {
                return FoundEntry(id: stored.id, itemClass: itemClass, stored: stored, secret: nil)
            }
        }
        if wanted.contains(.data) {
            var released = try authorize(call) { (caller, vaultContext) throws(VaultError) in
                try vault.readKnown(item, for: caller, in: vaultContext)
            }
            let id = released.id
            switch released.bytes.take() {
            case .some(let bytes): secret = Secret(bytes)
            case .none: break
            }
            if !wanted.contains(.attributes) {
                return FoundEntry(id: id, itemClass: itemClass, stored: nil, secret: secret)
            }
            item = .id(id)
        }
        let stored = try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.describe(wanted.subtracting(.data).action, item, for: caller, in: vaultContext)
        }
        return FoundEntry(
            id: stored.id, itemClass: itemClass, stored: wanted.contains(.attributes) ? stored : nil, secret: secret)
    }
}

extension ItemQuery.Parts {
    /// The action that returns these parts; for several, the one with the strictest policy.
    var action: Action {
        if contains(.data) { return .readData }
        if contains(.attributes) { return .readAttributes }
        return contains(.reference) ? .readReference : .probe
    }
}
