package import SecretVault

// These show which keys exist: their names, and no byte of them.

extension Keychain {
    /// Returns the names of the keys that the keybag holds now.
    package func keybagContents() throws(KeychainError) -> KeybagContents {
        try onVault(vault.keybagContents())
    }

    /// Returns the keys that each wrap of an item needs; nil if there is no such item.
    package func wrapNeeds(of item: ItemReference) throws(KeychainError) -> [WrapNeeds]? {
        try onVault(vault.wrapNeeds(of: item))
    }
}
