internal import AgentProtocol
internal import PlainText
internal import SSHProtocol

// The list of keys that SSH clients see.

extension Visit {
    func addSSHKey(_ wanted: SSHKeyEntry) throws(AgentError) -> Answer<RawReply> {
        let stored = try privateKey(wanted.name)
        var entry = wanted
        let key = SSHPublicKey(try publicKey(of: stored))
        entry.key = Base64.text(key.blob)
        if entry.comment.isEmpty { entry.comment = Entry(stored).name }
        guard let listed = SSHListedKey(entry) else {
            throw AgentError(
                .request, "a destination has a key of a host that is not valid: run `latchkey ssh add` again")
        }
        let added = try agent.sshKeys.add(listed)
        return Answer(
            Head(["key": .object(added.entry.head.fields), "file": .string(agent.sshKeys.publicFile(of: added))]))
    }

    func removeSSHKey(_ name: String) throws(AgentError) {
        guard try agent.sshKeys.remove(where: { $0.entry.name == name }) else {
            throw AgentError(.notFound, "SSH clients see no key \(name): run `latchkey ssh list`")
        }
    }

    func sshKeys() throws(AgentError) -> Answer<RawReply> {
        try agent.sshKeys.requireReadable()
        let keys = agent.sshKeys.all
        try send(keys.map { $0.entry.head.text }, as: "items")
        var head = Head(["count": .number("\(keys.count)"), "folder": .string(agent.sshKeys.publicFolder)])
        if let socket = agent.sshSocket { head["socket"] = .string(socket) }
        return Answer(head)
    }
}
