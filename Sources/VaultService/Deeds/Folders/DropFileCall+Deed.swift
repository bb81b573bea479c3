package import AgentProtocol
package import SodiumKit

extension DropFileCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        try visit.requireAbsolute(path)
        let isMoved = try visit.service.folders.drop(path, into: visit.encryptedFolder(identifier))
        return CallResult(Reply(isMoved: isMoved))
    }
}
