internal import AccessPolicy
internal import SecretVault
package import SodiumKit
internal import UserPresence

extension Keychain {
    /// Proves in `context` what a transfer of the whole vault takes: the passcode, and a match if a secret opens no other
    /// way. The user is asked for what is missing.
    package func requireProofToTransfer(
        in context: KeychainContext, by requester: Requester? = nil, because reason: String
    ) throws(KeychainError) {
        try requirePasscode(in: context, by: requester, because: reason)
        let factors = try onVault(vault.factorsToTransfer)
        guard factors.contains(.biometry) else { return }
        try context.evaluate(
            AccessControl(.whenUnlocked, allowed: .biometryAny), for: .readData, by: requester, because: reason)
    }

    /// Writes the whole vault into a new file for another machine, encrypted under `passphrase`.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - passphrase: The passphrase.
    ///   - isKept: True if this vault stays in use beside the new one.
    ///   - requester: The program that asks.
    ///   - context: The context of ``requireProofToTransfer(in:by:because:)``.
    /// - Throws: ``KeychainError/vault(_:)`` if the context has not proved enough, or the file cannot be written.
    package func transfer(
        to path: String, under passphrase: consuming SecureBytes, isKept: Bool, by requester: Requester? = nil,
        in context: KeychainContext
    ) throws(KeychainError) {
        let protection = BackupProtection(passphrase, cost: .ofBackups)
        let caller = KeychainCall(self, by: requester, in: context).caller(.believed)
        try onVault(vault.transfer(to: path, protection, isKept: isKept, for: caller, in: context.vaultContext))
    }

    /// Destroys the keys of this copy of the vault, and closes it. `code` is the one that another machine showed when it
    /// had received the vault.
    package func retire(_ code: String, by requester: Requester? = nil) throws(KeychainError) {
        let caller = KeychainCall(self, by: requester, in: try makeContext()).caller(.believed)
        try onVault(vault.retire(code, for: caller))
    }
}
