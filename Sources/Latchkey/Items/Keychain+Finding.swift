public import AccessPolicy
internal import DeviceModel
public import SecretVault
public import SodiumKit

// What a query comes upon, and what becomes of it (semantics 3.6 to 3.9). A locked item fails the whole call; what several
// items ask for is proved in one context; items that are lost, or another group's, are passed over.

/// An item that a query has come upon, with what was wanted of it.
public struct FoundEntry: Sendable {
    /// What it is known by for life.
    public let id: ItemIdentifier
    /// Its class.
    public let itemClass: ItemClass
    /// What is known of it, where that was wanted.
    public let stored: StoredItem?
    /// Its secret, where that was wanted and it has one.
    public let secret: Secret?

    package init(id: ItemIdentifier, itemClass: ItemClass, stored: StoredItem?, secret: Secret?) {
        self.id = id
        self.itemClass = itemClass
        self.stored = stored
        self.secret = secret
    }
}

/// A secret that may have several owners. It is wiped when the last lets go of it.
public final class Secret: Sendable {
    /// Its bytes.
    public let bytes: SecureBytes

    package init(_ bytes: consuming SecureBytes) { self.bytes = bytes }
}

extension Keychain {
    /// The items that a query means, with what is wanted of each; one where the query sets no limit. Throws where there is none.
    public func find(
        _ query: ItemQuery, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) -> [FoundEntry] {
        try find(query, by: requester, in: context, interaction: interaction, where: nil)
    }

    /// The same, of those items alone of which `isWanted` says so, going by what their class opens.
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
        // What several parts of an item, or several items, ask for is proved in one context.
        if context == nil && query.wanted.isSuperset(of: [.data, .attributes]) { call.context = try makeContext() }
        if isWanted == nil, query.count == 1, let (reference, itemClass) = query.named(for: call.requester) {
            do throws(KeychainError) {
                return [try entry(reference, itemClass, query.wanted, call)]
            } catch {
                // One that also has a view hint or a token is another item to the vault, and the query means it all the same.
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
            do throws(KeychainError) {
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

    /// Changes every item that a query means, all of them or none.
    @discardableResult
    public func update(
        _ query: ItemQuery, _ changes: ItemChanges = ItemChanges(), secret: borrowing SecretChange = .keep,
        by requester: Requester? = nil, in context: KeychainContext? = nil, interaction: Interaction = .allowed
    ) throws(KeychainError) -> [ItemIdentifier] {
        try update(query, changes, secret: secret, by: requester, in: context, interaction: interaction, where: nil)
    }

    /// The same of those of which what is known is wanted.
    @discardableResult
    package func update(
        _ query: ItemQuery, _ changes: ItemChanges, secret: borrowing SecretChange, by requester: Requester? = nil,
        in context: KeychainContext?, interaction: Interaction, where isWanted: ((StoredItem) -> Bool)?
    ) throws(KeychainError) -> [ItemIdentifier] {
        var call = KeychainCall(self, by: requester, in: context, interaction: interaction)
        call.namesGroup = query.group != nil
        // The groups of the items that the caller may change are known before the query is read; those that they may go to, before
        // the changes are.
        try requireGroup(query.group, for: .update, by: requester, interaction: interaction)
        do throws(RequestError) { try query.requireMeaning() } catch { throw .request(error) }
        if !query.wanted.isEmpty && fidelity.resultOfUpdate == .refused { throw .request(.resultOfChange) }
        try requireGroup(changes.group, for: .update, by: requester, interaction: interaction)
        if query.limit != nil { throw .request(.limitInChange) }
        let early = try prepared(changes, for: query.itemClass)
        let items = try wanted(certain(candidates(for: query, call), query, call), isWanted, call)
        guard let itemClass = items.first?.itemClass else { throw try absence(.update, query, call) }
        let changes = query.itemClass == nil ? try prepared(changes, for: itemClass) : early
        // In the caller's own context nothing stays that the caller has not set.
        call.keepsPassword = call.context == nil && items.count(where: \.control.needsApplicationPassword) > 1
        return try authorize(call) { (caller, vaultContext) throws(VaultError) in
            try vault.updateAll(items.map(\.id), changes, secret: secret, for: caller, in: vaultContext)
        }
    }

    /// Takes every item out that a query means, which asks nobody.
    @discardableResult
    public func delete(
        _ query: ItemQuery, by requester: Requester? = nil, in context: KeychainContext? = nil,
        interaction: Interaction = .allowed
    ) throws(KeychainError) -> [ItemIdentifier] {
        try delete(query, by: requester, in: context, interaction: interaction, where: nil)
    }

    /// The same of those of which what is known is wanted.
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

    /// Brings out name and demand of every item that a query means, for the owner's own list; nobody is asked. What is not there
    /// for the caller is passed over, and so is what is locked or damaged, which is counted. The trail has one record of it.
    public func inventory(
        of query: ItemQuery, by requester: Requester? = nil
    ) throws(KeychainError) -> (items: [StoredItem], locked: Int, damaged: Int) {
        var items: [StoredItem] = []
        let (locked, damaged) = try inventory(of: query, by: requester) { items.append($0) }
        return (items, locked, damaged)
    }

    /// One item of a list, or why the list does not have it.
    public enum Listed: Sendable {
        /// Its name and policy.
        case item(StoredItem)
        /// Its class is closed.
        case locked
        /// It fails its check.
        case damaged
        /// It is not there for the caller.
        case absent
    }

    /// Brings out an item of a list once more. The record of the list stands for it.
    public func listed(_ id: ItemIdentifier, by requester: Requester? = nil) throws(KeychainError) -> Listed {
        var call = KeychainCall(self, by: requester, in: nil)
        call.isListing = true
        return try listed(id, call)
    }

    private func listed(_ id: ItemIdentifier, _ call: KeychainCall) throws(KeychainError) -> Listed {
        do throws(KeychainError) {
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

    /// Hands out one after another of these items; how many are locked, and how many damaged.
    public func inventory(
        of query: ItemQuery, by requester: Requester? = nil, _ body: (StoredItem) -> Void
    ) throws(KeychainError) -> (locked: Int, damaged: Int) {
        var call = KeychainCall(self, by: requester, in: nil)
        call.isListing = true
        let caller = call.caller(.believed)
        try onVault { (vault) throws(VaultError) in try vault.recordList(for: caller) }
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

    // MARK: -

    /// The items that fit, whether or not the caller may have them.
    private func candidates(for query: ItemQuery, _ call: KeychainCall) throws(KeychainError) -> [FoundItem] {
        let search: ItemSearch?
        do throws(RequestError) { search = try query.search(for: call.requester) } catch { throw .request(error) }
        if let search { return try onVault { (vault) throws(VaultError) in try vault.find(search) } }
        guard let reference = query.reference else { throw .request(.noClass) }
        let found = try onVault { (vault) throws(VaultError) in try vault.find(reference) }
        if let found, let itemClass = query.itemClass, found.itemClass != itemClass { throw .request(.otherClass) }
        return found.map { [$0] } ?? []
    }

    /// Why nothing was found.
    private func absence(_ action: Action, _ query: ItemQuery, _ call: KeychainCall) throws(KeychainError)
        -> KeychainError
    {
        let caller = call.caller(.believed)
        let group = query.group ?? call.requester.usualGroup
        let decision = try onVault { (vault) throws(VaultError) in
            try vault.decision(action, missingFrom: group, for: caller, in: call.context?.vaultContext)
        }
        return denied(decision.denial ?? Denial(.itemNotFound))
    }

    /// Those of which what is known is wanted. What is not there for the caller is passed over later.
    private func wanted(
        _ items: [FoundItem], _ isWanted: ((StoredItem) -> Bool)?, _ call: KeychainCall
    ) throws(KeychainError) -> [FoundItem] {
        guard let isWanted else { return items }
        var wanted: [FoundItem] = []
        for item in items {
            do throws(KeychainError) {
                if isWanted(try inventory(.id(item.id), by: call.requester)) { wanted.append(item) }
            } catch {
                guard let rule = error.rule, isAbsence(rule, fidelity) else { throw error }
            }
        }
        return wanted
    }

    /// Those that are known to be what is meant. Throws where nobody can tell of one, since it is locked: no item is given,
    /// changed or taken out that may be another than was meant.
    private func certain(
        _ candidates: [FoundItem], _ query: ItemQuery, _ call: KeychainCall
    ) throws(KeychainError) -> [FoundItem] {
        if candidates.allSatisfy(\.isCertain) { return candidates }
        try requireUnlocked(candidates.filter { !$0.isCertain }, query, call)
        return candidates.filter(\.isCertain)
    }

    /// Throws where one of the items is locked, before anybody is asked for what the others need; of the first so many that
    /// are there for the caller.
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

    /// What is wanted of one item.
    private func entry(
        _ item: ItemReference, _ itemClass: ItemClass, _ wanted: ItemQuery.Parts, _ call: KeychainCall
    ) throws(KeychainError) -> FoundEntry {
        var item = item
        var secret: Secret?
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
    /// What wanting this asks to do with an item; of several the one that asks for most.
    var action: Action {
        if contains(.data) { return .readData }
        if contains(.attributes) { return .readAttributes }
        return contains(.reference) ? .readReference : .probe
    }
}
