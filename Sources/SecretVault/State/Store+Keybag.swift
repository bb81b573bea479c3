internal import SodiumKit

extension Store {
    /// Returns the keybag of the database, opened by one of the erase keys, and completes a change that a crash cut
    /// short.
    ///
    /// A mismatch counts as damage only if it persists under the vault's lock, which every program holds while it
    /// changes both files. Without the lock, a reader may see one slot from before a change and the other from after
    /// it, and find the key in neither.
    func readKeybag() throws -> Keybag {
        if let bag = try? readUnchangedKeybag() { return bag }
        return try locked {
            let erase = try keys.eraseKeys()
            if let bag = try openKeybag(erase.newest) {
                if erase.hasOlder { try keepEraseKey(.newest) }
                return bag
            }
            if let bag = try erase.withOlder({ try openKeybag($0) }) {
                try keepEraseKey(.older)
                return bag
            }
            throw VaultError.damaged(.keybag)
        }
    }

    /// Returns the keybag if there is only one erase key and that key opens it.
    private func readUnchangedKeybag() throws -> Keybag? {
        let erase = try keys.eraseKeys()
        return erase.hasOlder ? nil : try openKeybag(erase.newest)
    }

    /// Returns the erase key that seals the keybag. Call it under the lock. A change that was cut short may have left
    /// another key, which need not have reached the disk.
    func eraseKeyInUse() throws -> Key {
        let erase = try keys.eraseKeys()
        switch erase.older {
        case .some(let older) where try openKeybag(erase.newest) == nil: return try older.copy()
        default: return try erase.newest.copy()
        }
    }

    /// Retires the erase key that does not seal the keybag. Call it under the lock.
    ///
    /// A commit that failed or was cut short may still be at the end of the write-ahead log. Connections that have the
    /// log open do not see it, but the next one does. And a commit that is visible may not have reached the disk. So
    /// this commits the row once more first: after that, nothing comes back and nothing disappears. Inside a
    /// transaction this has to wait.
    private func keepEraseKey(_ kept: EraseKeys.Age) throws {
        if items.isInTransaction { return }
        try rewriteKeybag()
        try keys.keep(kept)
    }

    private func openKeybag(_ erase: borrowing Key) throws -> Keybag? {
        let key = try fixed.keybag(erase)
        guard let (generation, box) = try keybag(),
            let bag = try box.withUnsafeBytes({ try Keybag.open($0, under: key, vaultID: keys.vaultID) })
        else { return nil }
        guard generation == Int64(bitPattern: bag.generation) else { throw VaultError.damaged(.keybag) }
        return bag
    }
}
