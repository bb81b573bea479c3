internal import AccessPolicy
internal import AgentProtocol
internal import Latchkey
internal import SecretTools
internal import SecretVault
internal import SodiumKit

// Steps that the deeds of secrets share. A secret is stored as a generic password of the service "latchkey", with its name as the
// account. Its fields and former versions are sealed together with its value, so reading one takes what reading the secret takes,
// and changing one what changing the secret takes.

extension Visit {
    func item(_ name: String) -> ItemReference {
        service.keychain.password(account: name, service: VaultService.serviceOfSecrets, by: requester)
    }

    /// The primary key of the secret with this name, which need not exist.
    func primaryKey(_ name: String) -> PrimaryKey {
        service.keychain.primaryKey(account: name, service: VaultService.serviceOfSecrets, by: requester)
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

    // MARK: - Giving out

    /// Returns the answer with a secret that was read. Throws if it is longer than a secret part may be.
    func released(_ secret: consuming SecureBytes) throws(AgentError) -> CallResult<NoReply> {
        guard secret.count <= WireLimits.secret else {
            throw AgentError(
                .request,
                "the secret has \(secret.count) bytes, and the command handles at most \(WireLimits.secret): read it "
                    + "through the keychain")
        }
        return try answer(secret)
    }

    /// Returns the answer with this secret. Throws if the agent has no room for it.
    func answer(_ secret: consuming SecureBytes) throws(AgentError) -> CallResult<NoReply> {
        let share: SecretBudget.Share?
        do throws(WireError) { share = try service.budget.share(of: secret.count) } catch { throw AgentError(error) }
        return CallResult(secret: secret, share: share)
    }

    /// Returns true if there is no secret of this name, and one that was deleted can be brought back.
    func wasDeleted(_ name: String) -> Bool {
        let limit = service.settings.historyLimit
        guard limit.age > 0 else { return false }
        do throws(KeychainError) {
            _ = try service.keychain.inventory(item(name), by: requester)
            return false
        } catch {
            // A secret that cannot be looked at now may be there.
            guard error.rule == .itemNotFound else { return false }
        }
        return (try? service.keychain.wasDeleted(primaryKey(name), within: limit, by: requester)) ?? false
    }

    // MARK: - Taking in

    func item(_ name: String, _ policy: ItemPolicy, _ comment: String?) throws(AgentError) -> NewItem {
        try Self.require(name)
        var new = NewItem.password(account: name, service: VaultService.serviceOfSecrets, try policy.control())
        new.allowsReuse = policy.allowsReuse
        if let comment { new.attributes[.comment] = .string(comment) }
        return new
    }

    func change(
        _ name: String, _ changes: ItemChanges, _ secret: borrowing SecretChange, _ asked: AskedRequest
    ) throws(AgentError) {
        let (context, interaction) = try context(asked)
        do throws(KeychainError) {
            try service.keychain.update(
                item(name), changes, secret: secret, by: requester, in: context, interaction: interaction)
        } catch { throw AgentError(error) }
    }

    /// Returns the secret, or an empty one: a frame without a secret part stands for an empty secret.
    static func orEmpty(_ secret: consuming SecureBytes?) throws(AgentError) -> SecureBytes {
        if let secret { return secret }
        do { return try SecureBytes(count: 0) } catch { throw AgentError(.vault, "\(error)") }
    }

    /// Throws if a new secret cannot have this name. Names that are already stored are not checked.
    static func require(_ name: String) throws(AgentError) {
        do { _ = try SecretName(name) } catch { throw AgentError(.request, "\(error)") }
    }

    /// Throws if a field cannot have this name.
    static func require(field: String) throws(AgentError) {
        let isPlain = field.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace && $0.properties.generalCategory != .control
        }
        guard !field.isEmpty, isPlain, field.utf8.count <= SecretFields.longestName else {
            throw AgentError(
                .request,
                "the name of a field has 1 to \(SecretFields.longestName) bytes without blanks: choose another one")
        }
    }
}
