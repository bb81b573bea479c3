package import AgentProtocol
internal import Latchkey
internal import PlainText
package import SodiumKit

extension ChangeEncryptedFolderCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        try visit.requireAbsolute(folder.path)
        let folders = visit.service.folders
        let former = try visit.encryptedFolder(folder.identifier)
        let drops = folders.drops(for: folder.identifier)
        // While the content is moved, no dropped file is: they would be in the way of the end of an `unprotect`.
        if folder.isMoving && !former.isMoving && drops > 0 {
            throw AgentError(
                .request, "\(counted(drops, "dropped file")) wait for \(folder.path): run `latchkey folder status`")
        }
        let (context, interaction) = try visit.context(asked)
        try visit.onKeychain { (_) throws(KeychainError) in
            try folders.records.change(former, to: folder, by: visit.requester, in: context, interaction: interaction)
        }
        folders.settle()
        return CallResult()
    }
}
