internal import AccessPolicy
package import AgentProtocol
internal import Latchkey
internal import PlainText
internal import SecretVault
package import SodiumKit

extension MoveCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        try Visit.require(other)
        let pairs: [(member: Visit.Member, name: String)]
        if isFolder {
            let (all, members) = try visit.members(of: name)
            pairs = members.map { ($0, other + String(Substring($0.name.utf8.dropFirst(name.utf8.count)))) }
            try requireFree(pairs, all)
        } else {
            let stored = try visit.onKeychain { (keychain) throws(KeychainError) in
                try keychain.lookUp(visit.item(name), by: visit.requester)
            }
            pairs = [(Visit.Member(id: stored.id, name: name, control: stored.description.control), other)]
        }
        if copies, let one = pairs.first(where: { $0.member.control.needsApplicationPassword }) {
            throw AgentError(
                .request,
                "\(one.member.name) has a password of its own, which opens no copy: copy it with `latchkey get` and "
                    + "`latchkey set`")
        }
        let ownPasswords = pairs.filter { $0.member.control.needsApplicationPassword }
        if ownPasswords.count > 1 {
            // A context has one application password, so two of them could never be known in one transaction.
            throw AgentError(
                .request,
                "\(counted(ownPasswords.count, "secret")) in \(name) have passwords of their own: rename them one by one, "
                    + "then the rest of the folder")
        }
        // A secret may get the name that another one of the folder still has, so that one goes first.
        let goDeeper = other.utf8.count > name.utf8.count
        let inOrder = pairs.sorted {
            let (left, right) = ($0.member.name.utf8.count, $1.member.name.utf8.count)
            return goDeeper ? left > right : left < right
        }
        let relocations = inOrder.map {
            Relocation($0.member.id, to: Attributes([.account: .string($0.name)]), isCopy: copies)
        }
        let (context, interaction) = try visit.context(asked)
        try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.relocateAll(relocations, by: visit.requester, in: context, interaction: interaction)
        }
        return CallResult(Reply(count: pairs.count))
    }

    /// Throws if a new name is not valid or taken, before anything is asked.
    private func requireFree(
        _ pairs: [(member: Visit.Member, name: String)], _ all: Set<String>
    ) throws(AgentError) {
        var taken = all
        if !copies { for pair in pairs { taken.remove(pair.member.name) } }
        for pair in pairs {
            try Visit.require(pair.name)
            if taken.contains(pair.name) {
                throw AgentError(
                    .exists,
                    "there is a secret \(pair.name) already, and nothing was done: remove it with `latchkey rm`, or "
                        + "choose another name")
            }
        }
    }
}
