internal import AccessPolicy
internal import AgentProtocol
internal import Latchkey
internal import PlainText
internal import SecretTools
internal import SecretVault

// Requests about many secrets at a time: the list, and folders.

extension Visit {
    /// The number of bytes of a list that are kept while it is sorted. The rest is read again as it is sent.
    private static let keptList = 16 * 1024 * 1024
    /// The attributes of a generic password of which a list shows the text.
    private static func parts(withComments: Bool) -> ListedParts {
        ListedParts(name: .account, comment: withComments ? .comment : nil)
    }
    private static let query = ItemQuery(.genericPassword, Attributes([.service: .string(service)]))

    /// Lists every secret. Leaves the comments out if `isBrief` is true, because many long ones take time to send.
    func list(isBrief: Bool) throws(AgentError) -> Answer<RawReply> {
        var listed = EntryList()
        var shares: [SecretBudget.Share] = []
        var room = WireLimits.typed
        var left = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.list(Self.query, Self.parts(withComments: !isBrief), by: requester) {
                listed.removeAll()
            } _: { item in
                let size = listed.size + item.name.utf8.count + item.comment.utf8.count
                while size > room, room < Self.keptList, let share = try? agent.budget.share(ofList: Self.share) {
                    shares.append(share)
                    room += Self.share
                }
                listed.add(item, keepsComment: item.comment.isEmpty || size <= room)
            }
        }
        defer { withExtendedLifetime(shares) {} }
        listed.sort()
        var (items, count) = (LongAnswer(self, as: "items"), 0)
        try listed.forEach { (text, unkept) throws(AgentError) in
            guard let unkept else {
                try items.add(text)
                count += 1
                return
            }
            let again = try onKeychain { (keychain) throws(KeychainError) in
                try keychain.listed(unkept, by: requester)
            }
            switch again {
            case .item(let stored):
                try items.add(Entry(stored).text)
                count += 1
            case .locked: left.locked += 1
            case .damaged: left.damaged += 1
            case .absent: break
            }
        }
        try items.send()
        return Answer(
            Head([
                "count": .number("\(count)"), "locked": .number("\(left.locked)"),
                "damaged": .number("\(left.damaged)"),
            ]))
    }

    /// Lists the deleted secrets that can be brought back, each with the date of its deletion.
    func deleted() throws(AgentError) -> Answer<RawReply> {
        var found: [DeletedEntry] = []
        let limit = agent.settings.historyLimit
        var left = ListCount()
        if limit.age > 0 {
            left = try onKeychain { (keychain) throws(KeychainError) in
                try keychain.listDeleted(Self.query, Self.parts(withComments: false), within: limit, by: requester) {
                    found.removeAll()
                } _: { item in
                    guard let deleted = item.deleted else { return }
                    found.append(DeletedEntry(entry: Entry(item), deleted: deleted.sinceUnixEpoch))
                }
            }
        }
        found.sort { $0.entry.name < $1.entry.name }
        try send(found.map(\.head.text), as: "items")
        return Answer(
            Head([
                "count": .number("\(found.count)"), "locked": .number("\(left.locked)"),
                "damaged": .number("\(left.damaged)"),
            ]))
    }

    /// Returns the names of the deleted secrets that can be brought back, for the log. That leaves no record.
    func namesOfDeleted() -> [ItemIdentifier: String] {
        var names: [ItemIdentifier: String] = [:]
        let limit = agent.settings.historyLimit
        if limit.age <= 0 { return names }
        _ = try? onKeychain { (keychain) throws(KeychainError) in
            try keychain.listDeleted(
                Self.query, Self.parts(withComments: false), within: limit, by: requester, isRecorded: false
            ) {
                names.removeAll()
            } _: { item in
                names[item.id] = item.name
            }
        }
        return names
    }

    /// The size of one share of the memory for lists.
    private static let share = keptList / 16

    // MARK: - Folders

    /// A secret in a folder.
    private struct Member {
        let id: ItemIdentifier
        let name: String
        let control: AccessControl
    }

    /// Returns the names of all secrets, and those in a folder, sorted. The secret of the same name is not in it.
    ///
    /// - Throws: `AgentError` if some names are locked or damaged, so that others may be in the folder.
    private func members(of folder: String) throws(AgentError) -> (all: Set<String>, members: [Member]) {
        var all: Set<String> = []
        var members: [Member] = []
        let left = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.list(Self.query, Self.parts(withComments: false), by: requester) {
                all.removeAll()
                members.removeAll()
            } _: { item in
                all.insert(item.name)
                if item.name.utf8.starts(with: (folder + "/").utf8) {
                    members.append(Member(id: item.id, name: item.name, control: item.control))
                }
            }
        }
        if left.locked > 0 { throw AgentError(.locked, "the vault is locked: run `latchkey unlock` in a terminal") }
        if left.damaged > 0 {
            throw AgentError(
                .damaged,
                "\(counted(left.damaged, "secret")) damaged, and may be in \(folder): run `latchkey verify` first")
        }
        guard !members.isEmpty else {
            throw AgentError(.notFound, "no folder \(folder): run `latchkey list` to see the names")
        }
        members.sort { $0.name < $1.name }
        return (all, members)
    }

    func removeFolder(
        _ name: String, count: Int?, isFinal: Bool, _ asked: AskedRequest
    ) throws(AgentError) -> Answer<RawReply> {
        let members = try members(of: name).members
        if let count, count != members.count {
            throw AgentError(
                .exists,
                "\(name) has \(counted(members.count, "secret")) now, and nothing was deleted: try again")
        }
        let (context, interaction) = try context(asked)
        let limit = isFinal ? .none : agent.settings.historyLimit
        let deleted = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.deleteAll(
                members.map(\.id), keeping: limit, by: requester, in: context, interaction: interaction)
        }
        var head = kept(by: limit)
        head["count"] = .number("\(deleted)")
        return Answer(head)
    }

    func move(
        _ name: String, to other: String, isFolder: Bool, copies: Bool, _ asked: AskedRequest
    ) throws(AgentError) -> Answer<RawReply> {
        try Self.require(other)
        let pairs: [(member: Member, name: String)]
        if isFolder {
            let (all, members) = try members(of: name)
            pairs = members.map { ($0, other + String(Substring($0.name.utf8.dropFirst(name.utf8.count)))) }
            try requireFree(pairs, all, copies: copies)
        } else {
            let stored = try onKeychain { (keychain) throws(KeychainError) in
                try keychain.lookUp(item(name), by: requester)
            }
            pairs = [(Member(id: stored.id, name: name, control: stored.description.control), other)]
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
        let (context, interaction) = try context(asked)
        try onKeychain { (keychain) throws(KeychainError) in
            try keychain.relocateAll(relocations, by: requester, in: context, interaction: interaction)
        }
        return Answer(Head(["count": .number("\(pairs.count)")]))
    }

    /// Throws if a new name is not valid or taken, before anything is asked.
    private func requireFree(
        _ pairs: [(member: Member, name: String)], _ all: Set<String>, copies: Bool
    ) throws(AgentError) {
        var taken = all
        if !copies { for pair in pairs { taken.remove(pair.member.name) } }
        for pair in pairs {
            try Self.require(pair.name)
            if taken.contains(pair.name) {
                throw AgentError(
                    .exists,
                    "there is a secret \(pair.name) already, and nothing was done: remove it with `latchkey rm`, or "
                        + "choose another name")
            }
        }
    }
}
