package import AgentProtocol
internal import Latchkey
internal import PlainText
internal import SecretVault
package import SodiumKit

extension RemoveCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let (context, interaction) = try visit.context(asked)
        let limit = isFinal ? .none : visit.service.settings.historyLimit
        try visit.onKeychain { (keychain) throws(KeychainError) in
            do throws(KeychainError) {
                try keychain.delete(
                    visit.item(name), keeping: limit, by: visit.requester, in: context, interaction: interaction)
            } catch {
                // It may have been deleted before, and wait to be brought back.
                guard isFinal, AgentError(error).kind == .notFound else { throw error }
                try keychain.forgetRemoved(visit.primaryKey(name), by: visit.requester)
            }
        }
        return CallResult(Reply(keptFor: limit.keptFor))
    }
}

extension RemoveFolderCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let members = try visit.members(of: name).members
        if let count, count != members.count {
            throw AgentError(
                .exists,
                "\(name) has \(counted(members.count, "secret")) now, and nothing was deleted: try again")
        }
        let (context, interaction) = try visit.context(asked)
        let limit = isFinal ? .none : visit.service.settings.historyLimit
        let deleted = try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.deleteAll(
                members.map(\.id), keeping: limit, by: visit.requester, in: context, interaction: interaction)
        }
        return CallResult(Reply(count: deleted, keptFor: limit.keptFor))
    }
}

extension PutBackCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let limit = visit.service.settings.historyLimit
        try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.putBack(visit.primaryKey(name), keeping: limit, by: visit.requester)
        }
        return CallResult()
    }
}

extension DeletedCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        var found: [DeletedEntry] = []
        var left = try list(visit, into: &found)
        if try visit.unlock(asked, forMissing: left.locked) { left = try list(visit, into: &found) }
        found.sort { $0.entry.name < $1.entry.name }
        try send(found, asked)
        return CallResult(Reply(count: found.count, locked: left.locked, damaged: left.damaged))
    }

    /// Lists the secrets that can be brought back. Returns how many more are locked or damaged.
    private func list(_ visit: Visit, into found: inout [DeletedEntry]) throws(AgentError) -> ListCount {
        let limit = visit.service.settings.historyLimit
        found.removeAll()
        guard limit.age > 0 else { return ListCount() }
        return try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.listDeleted(
                Visit.secrets, Visit.listedParts(withComments: false), within: limit, by: visit.requester
            ) {
                found.removeAll()
            } _: { item in
                guard let deleted = item.deleted else { return }
                found.append(DeletedEntry(entry: Entry(item), deleted: deleted.sinceUnixEpoch))
            }
        }
    }
}

extension HistoryLimit {
    /// The number of seconds for which a deletion can be undone; nil if it cannot.
    fileprivate var keptFor: Int? { age > 0 ? Int(age / 1000) : nil }
}
