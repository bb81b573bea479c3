internal import AccessPolicy
internal import AgentProtocol
internal import DeviceModel
internal import Latchkey
internal import SecretVault

// Using authentications beyond the connection that brought them.

extension Visit {
    /// Performs one action on an item in a context: a kept one if it satisfies the item's policy as it is, or else the
    /// visit's own, in which the user may be prompted.
    func perform<Value: ~Copyable>(
        _ action: Action, on item: ItemReference, _ asked: AskedRequest,
        _ body: (ItemReference, Requester, KeychainContext, Interaction) throws(KeychainError) -> Value
    ) throws(AgentError) -> Value {
        if let (held, stored, scope) = kept(for: action, on: item) {
            // Not by its name: another item may have that by now. If the kept context no longer serves, the user is
            // prompted.
            if let value = try? body(.id(stored), reusing, held.context, .fail) {
                agent.kept.use(held, in: scope)
                return value
            }
        }
        let (context, interaction) = try context(asked)
        do throws(KeychainError) { return try body(item, requester, context, interaction) } catch {
            throw AgentError(error)
        }
    }

    /// Returns what an action on an item would decide now. It shows no prompt and changes nothing.
    func outlook(_ action: Action, on item: ItemReference) throws(AgentError) -> Outlook {
        if kept(for: action, on: item) != nil { return .granted }
        let decision = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.decision(action, item, by: requester)
        }
        return Outlook(decision)
    }

    /// The client as it makes requests with a kept authentication. The audit log tells these from others.
    private var reusing: Requester {
        var requester = requester
        requester.name += Peer.reuseMark
        requester.program += Peer.reuseMark
        requester.isReusing = true
        return requester
    }

    /// Returns the newest kept context that satisfies an item's policy; nil if none does.
    private func kept(
        for action: Action, on item: ItemReference
    ) -> (HeldContext, ItemIdentifier, KeptScope)? {
        guard agent.kept.hasHolders, let holder,
            let stored = try? agent.keychain.lookUp(item, by: requester), stored.description.allowsReuse,
            let scope = KeptScope(holder, stored.id)
        else { return nil }
        let reusing = reusing
        for held in agent.kept.contexts(in: scope) {
            let decision = try? agent.keychain.decision(action, .id(stored.id), by: reusing, in: held.context)
            if case .granted = decision { return (held, stored.id, scope) }
        }
        return nil
    }

    /// Keeps what the user has just proved, if a request succeeded and there was a prompt for it, unless there was a lock since
    /// `locks` was read.
    func keepAuthentication(for call: any AgentCall, since locks: Int) throws(AgentError) {
        // This request may have shown what the owner chose, and the thread that follows the settings may come later.
        agent.kept.reuse = agent.settings.reuseLimit
        guard agent.kept.reuse.sinceUse > .zero, let holder else { return }
        let held = try heldContext()
        // This password is for one item. The person did not prove anything else with it.
        guard (try? held.context.dropApplicationPassword()) != nil, let evidence else { return }
        let given = Factor.allCases.compactMap { evidence[$0] }
        // A factor that the user gave for an earlier request has had its time. It does not begin again.
        guard !given.isEmpty, given.allSatisfy(isNew) else { return }
        if let scope = KeptScope(holder, item(of: call)) { agent.kept.keep(held, in: scope, since: locks) }
    }

    /// Returns the item that a request is about, if it allows reuse.
    func item(of call: any AgentCall) -> ItemIdentifier? {
        guard let reference = reference(of: call), let stored = try? agent.keychain.lookUp(reference, by: requester),
            stored.description.allowsReuse
        else { return nil }
        return stored.id
    }

    /// Returns the item that a request is about; nil if it is about none.
    func reference(of call: any AgentCall) -> ItemReference? {
        switch call.subject {
        case .secret(let name): item(name)
        case .key(let name): (try? privateKey(name)).map { .id($0.id) }
        case nil: nil
        }
    }
}
