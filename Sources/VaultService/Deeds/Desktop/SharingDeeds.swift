package import AgentProtocol
internal import Latchkey
internal import SecretService
package import SodiumKit

// Folders that the Secret Service of the desktop shows as collections.

extension ShareFolderCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        try Visit.require(folder)
        let store = try visit.service.desktopStore()
        // The folder of a hidden collection is no name that a locked vault tells.
        try visit.requireUnlocked()
        do throws(SecretFault) { try store.share(folder, isHidden: isHidden) } catch {
            throw AgentError(error, on: folder)
        }
        store.settle(upTo: DesktopStore.patience)
        return CallResult()
    }
}

extension UnshareFolderCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let store = try visit.service.desktopStore()
        try visit.requireUnlocked()
        do throws(SecretFault) { try store.unshare(folder) } catch { throw AgentError(error, on: folder) }
        return CallResult()
    }
}

extension Visit {
    fileprivate func requireUnlocked() throws(AgentError) {
        if !service.keychain.isUnlocked {
            throw AgentError(.locked, "the vault is locked: run `latchkey unlock` in a terminal")
        }
    }
}

extension AgentError {
    /// Creates the error of a command about a folder that is a collection.
    fileprivate init(_ fault: SecretFault, on folder: String) {
        switch fault {
        case .noSuchObject:
            self.init(
                .notFound, "\(folder) is no collection: run `latchkey secret-service status` to see those there are")
        case .locked: self.init(.locked, "the vault is locked: run `latchkey unlock` in a terminal")
        case .dismissed: self.init(.dismissed, "the prompt was dismissed")
        case .failed(let words): self.init(.vault, words)
        }
    }
}
