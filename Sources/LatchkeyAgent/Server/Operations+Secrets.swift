internal import AccessPolicy
internal import AgentProtocol
internal import Latchkey
internal import PlainText
internal import SecretTools
internal import SecretVault
internal import SodiumKit

// Storing, reading, listing, changing and deleting secrets. A secret is stored as a generic password of the service
// "latchkey", with its name as the account.

extension Visit {
    static let service = "latchkey"

    func item(_ name: String) -> ItemReference {
        agent.keychain.password(account: name, service: Self.service, by: requester)
    }

    /// The primary key of the secret with this name, which need not exist.
    func primaryKey(_ name: String) -> PrimaryKey {
        agent.keychain.primaryKey(account: name, service: Self.service, by: requester)
    }

    func context(_ asked: AskedRequest) throws(AgentError) -> (KeychainContext, Interaction) {
        let context = try authenticationContext()
        var words = context.words
        if words.reason != asked.reason ?? "" {
            words.reason = asked.reason ?? ""
            context.words = words
        }
        return (context, asked.mayAsk ? .allowed : .fail)
    }

    func read(_ name: String, _ asked: AskedRequest) throws(AgentError) -> Answer<NoReply> {
        let item = item(name)
        let keychain = agent.keychain
        let secret = try perform(.readData, on: item, asked) {
            (item, requester, context, interaction) throws(KeychainError) in
            try keychain.read(item, by: requester, in: context, interaction: interaction)
        }
        guard let secret else { return Answer() }
        return try released(secret)
    }

    /// Returns the answer with a secret that was read. Throws if it is longer than a secret part may be.
    func released(_ secret: consuming SecureBytes) throws(AgentError) -> Answer<NoReply> {
        guard secret.count <= WireLimits.secret else {
            throw AgentError(
                .request,
                "the secret has \(secret.count) bytes, and the command handles at most \(WireLimits.secret): read it "
                    + "through the keychain")
        }
        return try answer(secret)
    }

    /// Returns the answer with this secret. Throws if the agent has no room for it.
    func answer(_ secret: consuming SecureBytes) throws(AgentError) -> Answer<NoReply> {
        let share: SecretBudget.Share?
        do throws(WireError) { share = try agent.budget.share(of: secret.count) } catch { throw AgentError(error) }
        return Answer(secret: secret, share: share)
    }

    func add(
        _ name: String, _ policy: ItemPolicy, _ comment: String?, replaces: Bool, _ secret: consuming SecureBytes?,
        _ asked: AskedRequest
    ) throws(AgentError) {
        let new = try item(name, policy, comment)
        let secret = try Self.orEmpty(secret)
        let (context, interaction) = try context(asked)
        do throws(KeychainError) {
            try agent.keychain.add(new, secret: secret, by: requester, in: context, interaction: interaction)
        } catch {
            guard replaces, error.rule == .itemDuplicate else { throw AgentError(error) }
            let changes = try replacement(policy, comment)
            try change(name, changes, .edit(.value(secret, keeping: agent.settings.historyLimit)), asked)
        }
    }

    /// Returns the changes that a secret gets together with another value.
    func replacement(_ policy: ItemPolicy, _ comment: String?) throws(AgentError) -> ItemChanges {
        var changes = ItemChanges(control: try policy.control())
        changes.allowsReuse = policy.allowsReuse
        if let comment { changes.merging[.comment] = .string(comment) }
        return changes
    }

    func exchange(
        _ former: [String], for name: String, _ policy: ItemPolicy, _ comment: String?,
        _ secret: consuming SecureBytes?,
        _ asked: AskedRequest
    ) throws(AgentError) {
        let new = try item(name, policy, comment)
        let secret = try Self.orEmpty(secret)
        let (context, interaction) = try context(asked)
        _ = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.exchange(
                former.map { item($0) }, for: new, secret: secret, by: requester, in: context,
                interaction: interaction)
        }
    }

    func item(_ name: String, _ policy: ItemPolicy, _ comment: String?) throws(AgentError) -> NewItem {
        try Self.require(name)
        var new = NewItem.password(account: name, service: Self.service, try policy.control())
        new.allowsReuse = policy.allowsReuse
        if let comment { new.attributes[.comment] = .string(comment) }
        return new
    }

    /// Returns the secret, or an empty one: a frame without a secret part stands for an empty secret.
    static func orEmpty(_ secret: consuming SecureBytes?) throws(AgentError) -> SecureBytes {
        if let secret { return secret }
        do { return try SecureBytes(count: 0) } catch { throw AgentError(.vault, "\(error)") }
    }

    func change(
        _ name: String, _ changes: ChangeCall.Changes, _ secret: consuming SecureBytes?, _ asked: AskedRequest
    ) throws(AgentError) {
        var itemChanges = ItemChanges(control: try changes.policy?.control())
        itemChanges.allowsReuse = changes.policy?.allowsReuse
        if let name = changes.name {
            try Self.require(name)
            itemChanges.merging[.account] = .string(name)
        }
        if let comment = changes.comment { itemChanges.merging[.comment] = .string(comment) }
        let limit = changes.forgets ? HistoryLimit.none : agent.settings.historyLimit
        var given = consume secret
        switch given.take() {
        case .some(let secret): try change(name, itemChanges, .edit(.value(secret, keeping: limit)), asked)
        case .none: try change(name, itemChanges, changes.forgets ? .edit(.forgetting()) : .keep, asked)
        }
    }

    func change(
        _ name: String, _ changes: ItemChanges, _ secret: borrowing SecretChange, _ asked: AskedRequest
    ) throws(AgentError) {
        let (context, interaction) = try context(asked)
        do throws(KeychainError) {
            try agent.keychain.update(
                item(name), changes, secret: secret, by: requester, in: context, interaction: interaction)
        } catch { throw AgentError(error) }
    }

    func remove(_ name: String, isFinal: Bool, _ asked: AskedRequest) throws(AgentError) -> Answer<RawReply> {
        let (context, interaction) = try context(asked)
        let limit = isFinal ? .none : agent.settings.historyLimit
        try onKeychain { (keychain) throws(KeychainError) in
            do throws(KeychainError) {
                try keychain.delete(
                    item(name), keeping: limit, by: requester, in: context, interaction: interaction)
            } catch {
                // It may have been deleted before, and wait to be brought back.
                guard isFinal, AgentError(error).kind == .notFound else { throw error }
                try keychain.forgetRemoved(primaryKey(name), by: requester)
            }
        }
        return Answer(kept(by: limit))
    }

    /// Returns true if there is no secret of this name, and one that was deleted can be brought back.
    func wasDeleted(_ name: String) -> Bool {
        let limit = agent.settings.historyLimit
        guard limit.age > 0, (try? agent.keychain.inventory(item(name), by: requester)) == nil else { return false }
        return (try? agent.keychain.wasDeleted(primaryKey(name), within: limit, by: requester)) ?? false
    }

    /// Brings back a secret that was deleted.
    func putBack(_ name: String) throws(AgentError) {
        let limit = agent.settings.historyLimit
        try onKeychain { (keychain) throws(KeychainError) in
            try keychain.putBack(primaryKey(name), keeping: limit, by: requester)
        }
    }

    /// Returns the head of the answer to a deletion: how long it can be undone, in seconds.
    func kept(by limit: HistoryLimit) -> Head {
        limit.age > 0 ? Head(["kept-for": .number("\(limit.age / 1000)")]) : Head()
    }

    func show(_ name: String) throws(AgentError) -> Answer<RawReply> {
        let stored = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.inventory(item(name), by: requester)
        }
        let outlook = try outlook(.readData, on: item(name))
        return Answer(
            Head([
                "item": .object(Entry(stored).head.fields), "outlook": .object(outlook.head.fields),
            ]))
    }

    /// Throws if a new secret cannot have this name. Names that are already stored are not checked.
    static func require(_ name: String) throws(AgentError) {
        do { _ = try SecretName(name) } catch { throw AgentError(.request, "\(error)") }
    }
}

extension Entry {
    init(_ listed: ListedItem) {
        self.init(
            name: listed.name,
            policy: ItemPolicy(
                listed.control.protection, listed.control.flags, allowsReuse: listed.allowsReuse),
            comment: listed.comment, created: listed.created.sinceUnixEpoch, modified: listed.modified.sinceUnixEpoch)
    }

    init(_ stored: StoredItem) {
        let attributes = stored.description.attributes
        func text(_ name: AttributeName) -> String {
            if case .string(let text) = attributes[name] { text } else { "" }
        }
        self.init(
            name: stored.description.name, policy: ItemPolicy(stored.description), comment: text(.comment),
            created: stored.created.sinceUnixEpoch, modified: stored.modified.sinceUnixEpoch)
    }
}
