internal import SodiumKit

extension Store {
    /// Returns the keybag of the database, opened by one of the erase keys, and completes a change that a crash has cut short.
    ///
    /// A mismatch is damage only if it is still there under the lock, which every program holds that changes both files. A
    /// look without the lock may see one slot from before a change and the other from after it, neither with a key in it.
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

    /// Returns the keybag if there is one erase key, and this opens it.
    private func readUnchangedKeybag() throws -> Keybag? {
        let erase = try keys.eraseKeys()
        return erase.hasOlder ? nil : try openKeybag(erase.newest)
    }

    /// Returns the erase key that the keybag is under. Call it under the lock. There may be another one from a change that was
    /// cut short, which need not have reached the disk.
    func eraseKeyInUse() throws -> Key {
        let erase = try keys.eraseKeys()
        switch erase.older {
        case .some(let older) where try openKeybag(erase.newest) == nil: return try older.copy()
        default: return try erase.newest.copy()
        }
    }

    /// Retires the erase key that the keybag is not under; under the lock only.
    ///
    /// A commit that failed or was cut short may still lie at the end of the log. Connections that have the log open do not
    /// see it, and the next one does; and a commit that is seen may not have reached the disk. So the row is committed once
    /// more first: after that nothing comes back, and nothing goes away. Inside a transaction this has to wait.
    private func keepEraseKey(_ kept: EraseKeys.Age) throws {
        if connection.isInTransaction { return }
        try begin.run()
        do {
            let row = try withRow(readDevice) { ($0.number(0), $0.bytes(1).map { [UInt8]($0) } ?? []) }
            guard let (generation, keybag) = row else { throw VaultError.damaged(.keybag) }
            // Writing the same bytes over themselves would write nothing.
            try connection.execute("DELETE FROM device")
            writeDevice.bind(1, generation)
            writeDevice.bind(2, keybag)
            try writeDevice.run()
            try commit.run()
        } catch {
            if connection.isInTransaction { try? rollback.run() }
            throw error
        }
        try keys.keep(kept)
    }

    private func openKeybag(_ erase: borrowing Key) throws -> Keybag? {
        let key = try fixed.keybag(erase)
        let found: (Int64, Keybag)?? = try withRow(readDevice) { statement in
            guard let box = statement.bytes(1),
                let bag = try Keybag.open(box, under: key, vaultID: keys.vaultID)
            else { return nil }
            return (statement.number(0), bag)
        }
        guard case .some(.some(let (generation, bag))) = found else { return nil }
        guard generation == Int64(bitPattern: bag.generation) else { throw VaultError.damaged(.keybag) }
        return bag
    }

    private func withRow<Result>(_ statement: Statement, _ body: (Statement) throws -> Result) throws -> Result? {
        defer { statement.reset() }
        return try statement.step() ? try body(statement) : nil
    }
}
