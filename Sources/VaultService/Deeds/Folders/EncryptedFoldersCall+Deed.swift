package import AgentProtocol
package import SodiumKit

extension EncryptedFoldersCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let isSettled = visit.service.folders.settle()
        let reports = visit.service.folders.reports
        try send(reports, asked)
        return CallResult(Reply(count: reports.count, isSettled: isSettled))
    }
}
