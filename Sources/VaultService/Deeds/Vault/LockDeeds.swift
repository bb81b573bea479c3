package import AgentProtocol
internal import Latchkey
package import SodiumKit

extension LockCall: Deed {
    /// Waits for no file and no program. If this throws, the vault is closed, and locked all the same.
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        do throws(KeychainError) {
            var report = LockReport()
            report.hasFolders = visit.service.folders.hasAny
            switch try visit.service.lockAndRecord() {
            case .made: break
            case .waiting: report.isRecordWaiting = true
            case .failed(let error): report.trouble = error.message
            }
            return CallResult(report)
        } catch { throw AgentError(error) }
    }
}

extension StopCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        // The process ends after the answer is sent.
        CallResult(Reply(lost: visit.service.closeVault()))
    }
}
