internal import AgentProtocol
internal import SodiumKit

extension KeyCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        try CallResult(visit.key(name))
    }
}
