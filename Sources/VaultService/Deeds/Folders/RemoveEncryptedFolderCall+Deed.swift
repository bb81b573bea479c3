package import AgentProtocol
internal import FolderKit
internal import Latchkey
internal import LinuxSystem
internal import PlainText
package import SodiumKit

/// Deletes the key of a folder. Throws if that would make content unreadable for good, unless the client is sure.
extension RemoveEncryptedFolderCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let folders = visit.service.folders
        let folder = try visit.encryptedFolder(identifier)
        // Only a move leaves a plain folder that this key belongs to. Another one at the path says nothing about its folder.
        guard isSure || (folder.isMoving && (try? FolderKeys.encryption(of: folder.path)) == .plain) else {
            throw AgentError(
                .request,
                "\(folder.path) may still be encrypted with this key: run `latchkey folder unprotect \(folder.path)`")
        }
        if !isSure, let first = try Self.remains(of: folder) {
            throw AgentError(
                .request, "\(first) is encrypted with this key: run `latchkey folder unprotect` on it first")
        }
        let drops = folders.drops(for: identifier)
        if drops > 0 && !isSure {
            throw AgentError(
                .request,
                "\(counted(drops, "dropped file")) for \(folder.path) would be lost: run `latchkey folder protect "
                    + "\(folder.path)` so that they are moved into it, then unprotect it again")
        }
        try visit.onKeychain { (_) throws(KeychainError) in
            try folders.records.remove(identifier, by: visit.requester)
        }
        folders.discardDrops(for: identifier)
        folders.settle()
        return CallResult()
    }

    /// Returns the path of a folder that an earlier move has left and that the key of this one encrypts; nil if there is none.
    private static func remains(of folder: EncryptedFolder) throws(AgentError) -> String? {
        guard let identifier = FolderKeyIdentifier(folder.identifier) else { return nil }
        do throws(FolderError) {
            return try FolderMove.remains(of: folder.path, encryptedBy: identifier).first
        } catch {
            throw AgentError(
                .request, "it is not known if something beside \(folder.path) is encrypted with its key: \(error)")
        }
    }
}
