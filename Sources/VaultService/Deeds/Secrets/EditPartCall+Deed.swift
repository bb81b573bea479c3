package import AgentProtocol
internal import SecretVault
package import SodiumKit

extension EditPartCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let limit = visit.service.settings.historyLimit
        switch (change.field, change.removedField, change.restored, change.forgets, change.amends) {
        case (let field?, nil, nil, false, false):
            try Visit.require(field: field)
            try visit.change(
                name, ItemChanges(), .edit(.field(field, try Visit.orEmpty(secret), keeping: limit)), asked)
        case (nil, let field?, nil, false, false):
            try visit.change(name, ItemChanges(), .edit(.field(field, nil, keeping: limit)), asked)
        case (nil, nil, let version?, false, false):
            try visit.change(name, ItemChanges(), .edit(.restoring(version: version, keeping: limit)), asked)
        case (nil, nil, nil, true, false):
            try visit.change(name, ItemChanges(), .edit(.forgetting()), asked)
        case (nil, nil, nil, false, true):
            try visit.change(name, ItemChanges(), .edit(.amending(try Visit.orEmpty(secret), keeping: limit)), asked)
        default:
            throw AgentError(.request, "name one of \"field\", \"remove-field\", \"restore\", \"forget\" and \"amend\"")
        }
        return CallResult()
    }
}
