internal import AccessPolicy
internal import Latchkey
internal import SecretVault

// Using authentications beyond the connection that brought them.

extension Session {
    /// Returns the context for one action on an item: a kept one if it satisfies the item's policy as it is, or else the
    /// connection's own, in which the user may be prompted.
    func context(
        _ asked: AskedRequest, for action: Action, on item: ItemReference
    ) throws(AgentError) -> (KeychainContext, Interaction) {
        if let held = try kept(for: action, on: item) { return (held.context, .fail) }
        return try context(asked)
    }

    /// Returns what an action on an item would decide now. It shows no prompt and changes nothing.
    func outlook(_ action: Action, on item: ItemReference) throws(AgentError) -> Outlook {
        if try kept(for: action, on: item) != nil { return .granted }
        let decision = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.decision(action, item, by: requester)
        }
        return Outlook(decision)
    }

    /// Returns the newest kept context that satisfies an item's policy; nil if none does.
    private func kept(for action: Action, on item: ItemReference) throws(AgentError) -> HeldContext? {
        let all = agent.keptAuthentications
        guard let holder, !all.isEmpty, let stored = try? agent.keychain.lookUp(item, by: requester),
            stored.description.allowsReuse, stored.description.control.canReuse
        else { return nil }
        for held in all.contexts(for: holder, item: stored.id) {
            let decision = try? agent.keychain.decision(action, .id(stored.id), by: requester, in: held.context)
            if case .granted = decision {
                all.use(held, for: holder, item: stored.id)
                return held
            }
        }
        return nil
    }

    /// Keeps what the user has just proved, if a request succeeded for which there was a prompt.
    func keepAuthentication(for request: Request) throws(AgentError) {
        guard let holder, agent.keptAuthentications.reuse.sinceUse > .zero else { return }
        let held = try heldContext()
        // This password is for one item. The person did not prove anything else with it.
        guard (try? held.context.dropApplicationPassword()) != nil, let evidence = try? held.context.evidence,
            Factor.allCases.contains(where: { evidence[$0] != nil })
        else { return }
        agent.keep(held, for: holder, item: item(of: request))
    }

    /// Returns the item that a request is about, if it allows reuse.
    private func item(of request: Request) -> ItemIdentifier? {
        let reference: ItemReference?
        if let name = request.secretName {
            reference = item(name)
        } else if let name = request.keyName, let key = try? privateKey(name) {
            reference = .id(key.id)
        } else {
            reference = nil
        }
        guard let reference, let stored = try? agent.keychain.lookUp(reference, by: requester),
            stored.description.allowsReuse
        else { return nil }
        return stored.id
    }
}
