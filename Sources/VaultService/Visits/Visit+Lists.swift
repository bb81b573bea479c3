internal import AccessPolicy
internal import AgentProtocol
internal import Latchkey
internal import PlainText
internal import SecretVault

// Steps that the deeds about many secrets at a time share.

extension Visit {
    /// The query that finds every secret.
    static let secrets = ItemQuery(.genericPassword, Attributes([.service: .string(VaultService.serviceOfSecrets)]))

    /// The attributes of a generic password of which a list shows the text.
    static func listedParts(withComments: Bool) -> ListedParts {
        ListedParts(name: .account, comment: withComments ? .comment : nil)
    }

    /// Returns the names of the deleted secrets that can be brought back, for the log. That leaves no record.
    func namesOfDeleted() -> [ItemIdentifier: String] {
        var names: [ItemIdentifier: String] = [:]
        let limit = service.settings.historyLimit
        if limit.age <= 0 { return names }
        _ = try? onKeychain { (keychain) throws(KeychainError) in
            try keychain.listDeleted(
                Self.secrets, Self.listedParts(withComments: false), within: limit, by: requester, isRecorded: false
            ) {
                names.removeAll()
            } _: { item in
                names[item.id] = item.name
            }
        }
        return names
    }

    /// A secret in a folder.
    struct Member {
        let id: ItemIdentifier
        let name: String
        let control: AccessControl
    }

    /// Returns the names of all secrets, and those in a folder, sorted. The secret of the same name is not in it.
    ///
    /// - Throws: `AgentError` if some names are locked or damaged, so that others may be in the folder.
    func members(of folder: String) throws(AgentError) -> (all: Set<String>, members: [Member]) {
        var all: Set<String> = []
        var members: [Member] = []
        let left = try onKeychain { (keychain) throws(KeychainError) in
            try keychain.list(Self.secrets, Self.listedParts(withComments: false), by: requester) {
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
}
