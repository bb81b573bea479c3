package import SecretVault

// For showing which keys there are: their names, and no byte of them.

extension Keychain {
    /// Which keys the keybag holds now.
    package func keybagContents() throws(KeychainError) -> KeybagContents {
        try onVault { (vault) throws(VaultError) in try vault.keybagContents() }
    }

    /// What each wrap of an item needs; nil where there is no such item.
    package func wrapNeeds(of item: ItemReference) throws(KeychainError) -> [WrapNeeds]? {
        try onVault { (vault) throws(VaultError) in try vault.wrapNeeds(of: item) }
    }
}
