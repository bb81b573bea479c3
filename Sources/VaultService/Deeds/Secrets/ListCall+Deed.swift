package import AgentProtocol
internal import Latchkey
internal import SecretVault
package import SodiumKit

extension ListCall: Deed {
    /// The number of bytes of a list that are kept while it is sorted. The rest is read again as it is sent.
    private static let keptList = 16 * 1024 * 1024
    /// The size of one share of the memory for lists.
    private static let share = keptList / 16

    /// Lists every secret. Leaves the comments out if it is brief, because many long ones take time to send.
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        var (listed, shares) = (EntryList(), [SecretBudget.Share]())
        var left = try list(visit, into: &listed, &shares)
        if try visit.unlock(asked, forMissing: left.locked) { left = try list(visit, into: &listed, &shares) }
        defer { withExtendedLifetime(shares) {} }
        listed.sort()
        var (items, count) = (LongAnswer(for: asked.visitor, as: Self.parts), 0)
        try listed.forEach { (text, unkept) throws(AgentError) in
            guard let unkept else {
                try items.add(text)
                count += 1
                return
            }
            let again = try visit.onKeychain { (keychain) throws(KeychainError) in
                try keychain.listed(unkept, by: visit.requester)
            }
            switch again {
            case .item(let stored):
                try items.add(Entry(stored))
                count += 1
            case .locked: left.locked += 1
            case .damaged: left.damaged += 1
            case .absent: break
            }
        }
        try items.send()
        return CallResult(Reply(count: count, locked: left.locked, damaged: left.damaged))
    }

    /// Lists every secret, with the room for that. Returns how many more are locked or damaged.
    private func list(
        _ visit: Visit, into listed: inout EntryList, _ shares: inout [SecretBudget.Share]
    ) throws(AgentError) -> ListCount {
        try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.list(Visit.secrets, Visit.listedParts(withComments: !isBrief), by: visit.requester) {
                listed.removeAll()
            } _: { item in
                let size = listed.size + item.name.utf8.count + item.comment.utf8.count
                var room: Int { WireLimits.typed + shares.count * Self.share }
                while size > room, room < Self.keptList,
                    let share = try? visit.service.budget.share(ofList: Self.share)
                {
                    shares.append(share)
                }
                listed.add(item, keepsComment: item.comment.isEmpty || size <= room)
            }
        }
    }
}
