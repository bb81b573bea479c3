package import AgentProtocol
package import SodiumKit

extension KeyCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        try CallResult(visit.key(name))
    }
}
