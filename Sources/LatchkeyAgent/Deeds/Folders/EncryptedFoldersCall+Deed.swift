internal import AgentProtocol
internal import SodiumKit

extension EncryptedFoldersCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let isSettled = visit.agent.folders.settle()
        let reports = visit.agent.folders.reports
        try asked.visitor.send(reports.map(\.head.text), as: "items")
        return CallResult(Reply(count: reports.count, isSettled: isSettled))
    }
}
