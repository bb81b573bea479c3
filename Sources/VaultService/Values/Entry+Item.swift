internal import AccessPolicy
internal import AgentProtocol
internal import SecretVault

extension Entry {
    init(_ listed: ListedItem) {
        self.init(
            name: listed.name,
            policy: ItemPolicy(
                listed.control.protection, listed.control.flags, allowsReuse: listed.allowsReuse),
            comment: listed.comment, created: listed.created.sinceUnixEpoch, modified: listed.modified.sinceUnixEpoch)
    }

    init(_ stored: StoredItem) {
        let attributes = stored.description.attributes
        func text(_ name: AttributeName) -> String {
            if case .string(let text) = attributes[name] { text } else { "" }
        }
        self.init(
            name: stored.description.name, policy: ItemPolicy(stored.description), comment: text(.comment),
            created: stored.created.sinceUnixEpoch, modified: stored.modified.sinceUnixEpoch)
    }
}
