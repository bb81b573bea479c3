internal import SecretVault

extension Keychain {
    /// The settings of the program that uses the vault; empty if there are none. They are sealed with the vault's keys,
    /// and can be read while it is locked.
    package var settings: [UInt8] {
        get throws(KeychainError) { try onVault { (vault) throws(VaultError) in try vault.settings } }
    }

    /// The reason in the prompt for the passcode when settings change.
    package static let reasonForSettings = "change the settings of the vault"

    /// Replaces the settings. The user is asked for the passcode.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if the user does not authenticate, and ``KeychainError/vault(_:)`` if the
    ///   vault refuses the settings.
    package func change(
        settings: [UInt8], by requester: Requester? = nil, in context: KeychainContext
    ) throws(KeychainError) {
        try requirePasscode(in: context, by: requester, because: Self.reasonForSettings)
        let caller = KeychainCall(self, by: requester, in: context).caller(.believed)
        try onVault { (vault) throws(VaultError) in try vault.change(settings: settings, for: caller) }
    }
}
