internal import AccessPolicy
package import AgentProtocol
internal import Latchkey
internal import SecretVault
package import SodiumKit

extension AddCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let policy = policy ?? visit.service.settings.policy
        if fields.isEmpty {
            try addValue(secret.take(), policy, visit, asked)
        } else {
            try addParts(secret.take(), policy, visit, asked)
        }
        return CallResult(Reply(policy, isReused: policy.isReused && visit.service.settings.reuse > 0))
    }

    private func addValue(
        _ secret: consuming SecureBytes?, _ policy: ItemPolicy, _ visit: Visit, _ asked: AskedRequest
    ) throws(AgentError) {
        let new = try visit.item(name, policy, comment)
        let secret = try Visit.orEmpty(secret)
        let (context, interaction) = try visit.context(asked)
        do throws(KeychainError) {
            try visit.service.keychain.add(
                new, secret: secret, by: visit.requester, in: context, interaction: interaction)
        } catch {
            guard replaces, error.rule == .itemDuplicate else { throw AgentError(error) }
            let changes = try replacement(policy)
            try visit.change(
                name, changes, .edit(.value(secret, keeping: visit.service.settings.historyLimit)), asked)
        }
    }

    /// Stores a secret with a value and fields. Replaces a value, and adds fields to those that are there, if it may.
    private func addParts(
        _ secret: consuming SecureBytes?, _ policy: ItemPolicy, _ visit: Visit, _ asked: AskedRequest
    ) throws(AgentError) {
        for field in fields { try Visit.require(field: field) }
        let new = try visit.item(name, policy, comment)
        guard let parts = SecretParts(try Visit.orEmpty(secret), fields: fields) else {
            throw AgentError(
                .request,
                "the secret part is no value with \(fields.count) fields, at most \(SecretFields.limit) of different names "
                    + "(docs/agent.md)")
        }
        let (context, interaction) = try visit.context(asked)
        do throws(KeychainError) {
            try visit.service.keychain.add(
                new, parts: parts, by: visit.requester, in: context, interaction: interaction)
        } catch {
            guard replaces, error.rule == .itemDuplicate else { throw AgentError(error) }
            let changes = try replacement(policy)
            try visit.change(
                name, changes, .edit(.parts(parts, keeping: visit.service.settings.historyLimit)), asked)
        }
    }

    /// Returns the changes that a secret gets together with another value.
    private func replacement(_ policy: ItemPolicy) throws(AgentError) -> ItemChanges {
        var changes = ItemChanges(control: try policy.control())
        changes.allowsReuse = policy.allowsReuse
        if let comment { changes.merging[.comment] = .string(comment) }
        return changes
    }
}
