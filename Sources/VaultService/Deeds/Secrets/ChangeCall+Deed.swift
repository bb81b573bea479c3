package import AgentProtocol
internal import SecretVault
package import SodiumKit

extension ChangeCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        var itemChanges = ItemChanges(control: try changes.policy?.control())
        itemChanges.allowsReuse = changes.policy?.allowsReuse
        if let name = changes.name {
            try Visit.require(name)
            itemChanges.merging[.account] = .string(name)
        }
        if let comment = changes.comment { itemChanges.merging[.comment] = .string(comment) }
        let limit = changes.forgets ? HistoryLimit.none : visit.service.settings.historyLimit
        switch secret.take() {
        case .some(let secret): try visit.change(name, itemChanges, .edit(.value(secret, keeping: limit)), asked)
        case .none: try visit.change(name, itemChanges, changes.forgets ? .edit(.forgetting()) : .keep, asked)
        }
        return CallResult()
    }
}
