internal import AgentProtocol
internal import Latchkey
internal import SodiumKit

extension LockCall: Deed {
    /// Waits for no file and no program. If this throws, the vault is closed, and locked all the same.
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        do throws(KeychainError) {
            var report = LockReport()
            report.hasFolders = visit.agent.folders.hasAny
            switch try visit.agent.lockAndRecord() {
            case .made: break
            case .waiting: report.isRecordWaiting = true
            case .failed(let error): report.trouble = error.message
            }
            return CallResult(report)
        } catch { throw AgentError(error) }
    }
}

extension StopCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        // The process ends after the answer is sent.
        CallResult(Reply(lost: visit.agent.closeVault()))
    }
}
