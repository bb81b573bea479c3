package import AgentProtocol
internal import Latchkey
internal import PlainText
internal import SecretTools
internal import SecretVault
package import SodiumKit
internal import UserPresence

// The move of the whole vault to another machine.

extension TransferCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        try visit.requireAbsolute(path)
        if !isKept { try visit.requireNoDrops() }
        do { try Vault.requireBackupCanBeWritten(to: path) } catch { throw AgentError(.vault(error)) }
        let context = try visit.authenticationContext()
        let reason = "copy the whole vault to a file"
        try visit.onKeychain { (keychain) throws(KeychainError) in
            try keychain.requireProofToTransfer(in: context, by: visit.requester, because: reason)
        }
        let passphrase = try visit.ask(.newPassphrase, because: reason)
        let strength = PasscodeStrength(passphrase)
        do throws(KeychainError) {
            try visit.service.keychain.transfer(
                to: path, under: passphrase, isKept: isKept, by: visit.requester, in: context)
        } catch { throw AgentError(error) }
        return CallResult(Reply(warning: strength.warning(.ofBackups, of: .transfer)))
    }
}

extension RetireCall: Deed {
    /// The agent ends once the answer is sent.
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        try visit.requireNoDrops()
        try visit.onKeychain { (keychain) throws(KeychainError) in try keychain.retire(code, by: visit.requester) }
        return CallResult()
    }
}

extension Visit {
    /// Throws if dropped files wait for their folders. They are sealed by this vault, and no transfer carries them.
    fileprivate func requireNoDrops() throws(AgentError) {
        let waiting = service.folders.reports.filter { $0.drops > 0 }
        guard let first = waiting.first else { return }
        throw AgentError(
            .request,
            "\(counted(waiting.reduce(0) { $0 + $1.drops }, "dropped file")) would be lost: open \(first.folder.path) first, "
                + "and `latchkey folder status` shows when none is left")
    }
}
