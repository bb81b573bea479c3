package import AgentProtocol
internal import Latchkey
package import SodiumKit

/// Opens a folder, and notes where it is.
extension OpenEncryptedFolderCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        try visit.requireAbsolute(path)
        let folders = visit.service.folders
        let folder = try visit.encryptedFolder(identifier)
        let (context, interaction) = try visit.context(asked)
        // This unlocks the vault if it has to be, and shows that the key is there.
        let key = try visit.onKeychain { (_) throws(KeychainError) in
            try folders.records.readKey(of: identifier, by: visit.requester, in: context, interaction: interaction)
        }
        guard let key else {
            throw AgentError(.damaged, "the key of \(path) is missing: restore it from a backup of the vault")
        }
        _ = consume key
        if folder.path != path {
            var next = folder
            next.path = path
            try visit.onKeychain { (_) throws(KeychainError) in
                try folders.records.change(
                    folder, to: next, by: visit.requester, in: context, interaction: interaction)
            }
        }
        guard folders.settle() else {
            throw AgentError(.agent, "\(path) is not open yet: run `latchkey folder status`")
        }
        let report = folders.reports.first { $0.folder.identifier == identifier }
        if let trouble = report?.trouble { throw AgentError(.request, "\(path) cannot be opened: \(trouble)") }
        return CallResult()
    }
}
