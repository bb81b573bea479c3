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
        if let (id, scope) = reusable(item), let value = useKept(action, id, in: scope, body) { return value }
        let (context, interaction) = try context(asked)
        do throws(KeychainError) { return try body(item, requester, context, interaction) } catch {
            throw AgentError(error)
        }
    }

    /// Returns what an action on an item would decide now. It shows no prompt and changes nothing.
    func outlook(_ action: Action, on item: ItemReference) throws(AgentError) -> Outlook {
        if let (id, scope) = reusable(item), kept(for: action, id, in: scope) != nil { return .granted }
        let decision = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.decision(action, item, by: requester)
        }
        return Outlook(decision)
    }

    /// Performs one action on an item in the newest kept context of a scope, if that satisfies the item's policy as it is. It shows no
    /// prompt. Returns nil if there is no such context.
    func useKept<Value: ~Copyable>(
        _ action: Action, _ item: ItemIdentifier, in scope: KeptScope,
        _ body: (ItemReference, Requester, KeychainContext, Interaction) throws(KeychainError) -> Value
    ) -> Value? {
        // Not by its name: another item may have that by now. If the kept context no longer serves, the user is prompted.
        let found = scope.isReuse ? kept(for: action, item, in: scope) : service.kept.contexts(in: scope).first
        guard let held = found,
            let value = try? body(.id(item), requester(in: scope), held.context, .fail)
        else { return nil }
        service.kept.use(held, in: scope)
        return value
    }

    /// Returns the newest kept context of a scope that satisfies an item's policy; nil if none does.
    private func kept(for action: Action, _ item: ItemIdentifier, in scope: KeptScope) -> HeldContext? {
        service.kept.contexts(in: scope).first { held in
            let decision = try? service.keychain.decision(
                action, .id(item), by: requester(in: scope), in: held.context)
            return if case .granted = decision { true } else { false }
        }
    }

    /// The client as it makes requests in a kept context. The audit log tells those with a kept authentication from others.
    private func requester(in scope: KeptScope) -> Requester {
        guard scope.isReuse else { return requester }
        var requester = requester
        requester.name += Peer.reuseMark
        requester.program += Peer.reuseMark
        requester.isReusing = true
        return requester
    }

    /// Returns an item that allows reuse, with the scope in which its caller may have an authentication for it; nil if there is no
    /// such item, or if nothing is kept for the caller.
    private func reusable(_ item: ItemReference) -> (ItemIdentifier, KeptScope)? {
        guard service.kept.hasHolders, let holder,
            let stored = try? service.keychain.lookUp(item, by: requester), stored.description.allowsReuse,
            let scope = KeptScope(holder, stored.id)
        else { return nil }
        return (stored.id, scope)
    }

    /// Keeps what the user has just proved, if a request succeeded and there was a prompt for it, unless there was a lock since
    /// `locks` was read.
    func keepAuthentication(for call: any AgentCall, since locks: Int) throws(AgentError) {
        // This request may have shown what the owner chose, and the thread that follows the settings may come later.
        service.kept.reuse = service.settings.reuseLimit
        guard service.kept.reuse.sinceUse > .zero, let holder else { return }
        let held = try heldContext()
        // This password is for one item. The person did not prove anything else with it.
        guard (try? held.context.dropApplicationPassword()) != nil, let evidence else { return }
        let given = Factor.allCases.compactMap { evidence[$0] }
        // A factor that the user gave for an earlier request has had its time. It does not begin again.
        guard !given.isEmpty, given.allSatisfy(isNew) else { return }
        if let scope = KeptScope(holder, item(of: call)) { service.kept.keep(held, in: scope, since: locks) }
    }

    /// Returns the item that a request is about, if it allows reuse.
    func item(of call: any AgentCall) -> ItemIdentifier? {
        guard let reference = reference(of: call), let stored = try? service.keychain.lookUp(reference, by: requester),
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
