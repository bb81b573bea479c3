package import AgentProtocol
package import SodiumKit

extension WaitingCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        // A request that a terminal has may be the one that the user expects, so it is in the list too.
        CallResult(Reply(requests: Array(visit.service.approvals.waiting.prefix(Self.mostListed))))
    }

    /// The most requests in a list, which fits into one frame.
    private static let mostListed = 64
}

extension ApproveCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        guard let user = visit.service.approvals.claim(number) else {
            throw AgentError(.notFound, "this request is over, or another terminal shows it")
        }
        if let error = asked.visitor.show(user) { throw error }
        return CallResult()
    }
}
