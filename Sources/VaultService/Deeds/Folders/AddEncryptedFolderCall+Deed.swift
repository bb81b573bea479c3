package import AgentProtocol
internal import Latchkey
internal import LinuxSystem
package import SodiumKit

/// Makes the key of a folder that is to be encrypted, and gives it to the kernel.
extension AddEncryptedFolderCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        try visit.requireAbsolute(folder.path)
        let folders = visit.service.folders
        let key = try Self.randomKey()
        var made = folder
        do throws(SystemError) {
            // Only the kernel derives identifiers from keys.
            let identifier = try key.withBytes { (bytes) throws(SystemError) in
                try FolderKeys.add(bytes, to: folder.path)
            }
            made.identifier = "\(identifier)"
            folders.note(made)
        } catch { throw AgentError(.request, "\(folder.path): the file system takes no key: \(error)") }
        let (context, interaction) = try visit.context(asked)
        do throws(KeychainError) {
            try folders.records.add(made, key: key, by: visit.requester, in: context, interaction: interaction)
        } catch {
            folders.forget(made.identifier)
            throw AgentError(error)
        }
        folders.settle()
        return CallResult(Reply(made.identifier))
    }

    private static func randomKey() throws(AgentError) -> SecureBytes {
        do throws(SodiumError) {
            var key = try SecureBytes(count: FolderKeys.keyCount)
            key.withMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in Sodium.fillRandomly(bytes) }
            return key
        } catch { throw AgentError(.vault, "\(error)") }
    }
}
