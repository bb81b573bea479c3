internal import AccessPolicy
package import SecretVault

// The items of a simulated device that move between the devices of its account.

extension Keychain {
    /// Returns every synchronizable item of a simulated device.
    package func syncedRows() throws(KeychainError) -> [SyncedRow] {
        try requireSimulated("syncing")
        return try onVault(vault.syncedRows())
    }

    /// Returns the number of the row in which an item that arrives would be stored.
    package func row(of item: SyncedItem) throws(KeychainError) -> Int64 { try onVault(vault.row(of: item)) }

    /// Opens a synchronizable item for sending; nil while its class key is unavailable.
    package func syncedItem(in row: Int64) throws(KeychainError) -> SyncedItem? {
        try requireSimulated("syncing")
        return try onVault(vault.syncedItem(in: row))
    }

    /// Stores an item that arrives, and returns its version; nil while its class key is unavailable.
    package func receive(_ item: SyncedItem) throws(KeychainError) -> UInt64? {
        try requireSimulated("syncing")
        return try onVault(vault.receive(item))
    }

    /// Removes an item that another device has deleted.
    package func removeSynced(row: Int64) throws(KeychainError) {
        try requireSimulated("syncing")
        try onVault(vault.removeSynced(row: row))
    }

    /// Deletes the synced passwords and cards of Apple's own apps, as a sign-out may. Other devices keep them.
    package func deleteSyncedItemsOfApple() throws(KeychainError) {
        try requireSimulated("signing out")
        try onVault(vault.removeSynced(inGroups: SyncView.groupsOfPasswordsAndCards))
    }
}
