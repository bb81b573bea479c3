internal import AccessPolicy
internal import Latchkey
internal import PlainText
internal import SecretTools
internal import SecretVault
internal import SodiumKit

// Storing, reading, listing, changing and deleting secrets. A secret is stored as a generic password of the service
// "latchkey", with its name as the account.

extension Session {
    private static let service = "latchkey"

    func item(_ name: String) -> ItemReference {
        agent.keychain.password(account: name, service: Self.service, by: requester)
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

    func read(_ name: String, _ asked: AskedRequest) throws(AgentError) -> Answer {
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
    func released(_ secret: consuming SecureBytes) throws(AgentError) -> Answer {
        guard secret.count <= WireLimits.secret else {
            throw AgentError(
                .request,
                "the secret has \(secret.count) bytes, and the command handles at most \(WireLimits.secret): read it "
                    + "through the keychain")
        }
        return try answer(secret)
    }

    /// Returns the answer with this secret. Throws if the agent has no room for it.
    func answer(_ secret: consuming SecureBytes) throws(AgentError) -> Answer {
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
            var changes = ItemChanges(control: try policy.control())
            changes.allowsReuse = policy.allowsReuse
            if let comment { changes.merging["icmt"] = .string(comment) }
            try change(name, changes, .edit(.value(secret, keeping: agent.settings.historyLimit)), asked)
        }
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

    private func item(_ name: String, _ policy: ItemPolicy, _ comment: String?) throws(AgentError) -> NewItem {
        try Self.require(name)
        var new = NewItem.password(account: name, service: Self.service, try policy.control())
        new.allowsReuse = policy.allowsReuse
        if let comment { new.attributes["icmt"] = .string(comment) }
        return new
    }

    /// Returns the secret, or an empty one: a frame without a secret part stands for an empty secret.
    static func orEmpty(_ secret: consuming SecureBytes?) throws(AgentError) -> SecureBytes {
        if let secret { return secret }
        do { return try SecureBytes(count: 0) } catch { throw AgentError(.vault, "\(error)") }
    }

    func change(
        _ name: String, _ changes: Request.Changes, _ secret: consuming SecureBytes?, _ asked: AskedRequest
    ) throws(AgentError) {
        var itemChanges = ItemChanges(control: try changes.policy?.control())
        itemChanges.allowsReuse = changes.policy?.allowsReuse
        if let name = changes.name {
            try Self.require(name)
            itemChanges.merging["acct"] = .string(name)
        }
        if let comment = changes.comment { itemChanges.merging["icmt"] = .string(comment) }
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

    func remove(_ name: String, _ asked: AskedRequest) throws(AgentError) {
        let (context, interaction) = try context(asked)
        try onKeychain { (keychain) throws(KeychainError) in
            try keychain.delete(item(name), by: requester, in: context, interaction: interaction)
        }
    }

    /// The number of bytes of a list that are kept while it is sorted. The rest is read again as it is sent.
    private static let keptList = 16 * 1024 * 1024

    /// Lists every secret. Leaves the comments out if `isBrief` is true, because many long ones take time to send.
    func list(isBrief: Bool) throws(AgentError) -> Answer {
        func entry(_ item: StoredItem) -> Entry {
            var entry = Entry(item)
            if isBrief { entry.comment = "" }
            return entry
        }
        let query = ItemQuery(.genericPassword, ["svce": .string(Self.service)])
        var listed: [(name: String, id: ItemIdentifier, text: String?)] = []
        var shares: [SecretBudget.Share] = []
        var (kept, room) = (0, WireLimits.typed)
        var (locked, damaged) = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.inventory(of: query, by: requester) { item in
                let entry = entry(item)
                let text = entry.head.text
                if kept + text.utf8.count > room, room < Self.keptList,
                    let share = try? agent.budget.share(ofList: Self.keptList / 16)
                {
                    shares.append(share)
                    room += Self.keptList / 16
                }
                let isKept = kept + text.utf8.count <= room
                if isKept { kept += text.utf8.count }
                listed.append((entry.name, item.id, isKept ? text : nil))
            }
        }
        defer { withExtendedLifetime(shares) {} }
        listed.sort { $0.name < $1.name }
        var (items, count) = (LongAnswer(self, as: "items"), 0)
        for item in listed {
            var text = item.text
            if text == nil {
                let again = try onKeychain { (keychain) throws(KeychainError) in
                    try keychain.listed(item.id, by: requester)
                }
                switch again {
                case .item(let stored): text = entry(stored).head.text
                case .locked: locked += 1
                case .damaged: damaged += 1
                case .absent: break
                }
            }
            guard let text else { continue }
            try items.add(text)
            count += 1
        }
        try items.send()
        return Answer(
            Head([
                "count": .number("\(count)"), "locked": .number("\(locked)"), "damaged": .number("\(damaged)"),
            ]))
    }

    func show(_ name: String) throws(AgentError) -> Answer {
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
    init(_ stored: StoredItem) {
        let attributes = stored.description.attributes
        func text(_ name: String) -> String {
            if case .string(let text) = attributes[name] { text } else { "" }
        }
        let name =
            switch stored.description.itemClass {
            case .genericPassword, .internetPassword: "acct"
            case .key, .certificate, .identity: "labl"
            }
        self.init(
            name: text(name), policy: ItemPolicy(stored.description), comment: text("icmt"),
            created: stored.created.sinceUnixEpoch, modified: stored.modified.sinceUnixEpoch)
    }
}

extension Double {
    /// The time that is this many seconds after the first day of 2001, from which the vault counts, in seconds since
    /// 1970.
    var sinceUnixEpoch: Int64 { Int64(self + 978_307_200) }
}
