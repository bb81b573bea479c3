internal import AgentProtocol
internal import SodiumKit

extension KeyCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try Answer(visit.key(name))
    }
}
