internal import AgentProtocol
internal import SodiumKit

extension AddSSHKeyCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.addSSHKey(entry)
    }
}

extension RemoveSSHKeyCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.removeSSHKey(name)
        return Answer()
    }
}

extension SSHKeysCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.sshKeys()
    }
}
