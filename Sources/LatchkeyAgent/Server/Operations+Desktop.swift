internal import AgentProtocol
internal import Latchkey
internal import SecretService
internal import SecretTools

// Requests about the Secret Service of the desktop.

extension Visit {
    /// Returns what the service shows now. It never prompts.
    func secretService() throws(AgentError) -> SecretServiceReport {
        var report = try agent.desktop.store().report
        let settings = agent.settings
        (report.isEnabled, report.rules) = (settings[.secretService].flag, settings.secretRules.text)
        (report.state, report.owner, report.trouble) = agent.desktop.report
        return report
    }

    /// Shows a folder as a collection.
    func shareFolder(_ folder: String, isHidden: Bool) throws(AgentError) {
        try Self.require(folder)
        let store = try agent.desktop.store()
        // The folder of a hidden collection is no name that a locked vault tells.
        try requireUnlocked()
        do throws(SecretFault) { try store.share(folder, isHidden: isHidden) } catch {
            throw AgentError(error, on: folder)
        }
        store.settle(upTo: KeychainStore.patience)
    }

    /// Ends showing a folder as a collection.
    func unshareFolder(_ folder: String) throws(AgentError) {
        let store = try agent.desktop.store()
        try requireUnlocked()
        do throws(SecretFault) { try store.unshare(folder) } catch { throw AgentError(error, on: folder) }
    }

    private func requireUnlocked() throws(AgentError) {
        if !agent.keychain.isUnlocked {
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
