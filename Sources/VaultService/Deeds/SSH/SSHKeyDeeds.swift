package import AgentProtocol
internal import SSHProtocol
package import SodiumKit

// The list of keys that SSH clients see.

extension AddSSHKeyCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let stored = try visit.privateKey(entry.name)
        var wanted = entry
        let key = SSHPublicKey(try visit.publicKey(of: stored))
        wanted.key = Base64.text(key.blob)
        if wanted.comment.isEmpty { wanted.comment = Entry(stored).name }
        guard let listed = SSHListedKey(wanted) else {
            throw AgentError(
                .request, "a destination has a key of a host that is not valid: run `latchkey ssh add` again")
        }
        let sshKeys = visit.service.sshKeys
        let added = try sshKeys.add(listed)
        return CallResult(Reply(added.entry, file: sshKeys.publicFile(of: added)))
    }
}

extension RemoveSSHKeyCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        guard try visit.service.sshKeys.remove(where: { $0.entry.name == name }) else {
            throw AgentError(.notFound, "SSH clients see no key \(name): run `latchkey ssh list`")
        }
        return CallResult()
    }
}

extension SSHKeysCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let service = visit.service
        try service.sshKeys.requireReadable()
        let keys = service.sshKeys.all
        try send(keys.map(\.entry), asked)
        return CallResult(
            Reply(
                count: keys.count, folder: service.sshKeys.publicFolder, socket: service.host?.sshSocket,
                trouble: service.host?.sshTrouble))
    }
}
