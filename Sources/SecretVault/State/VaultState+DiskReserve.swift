extension VaultState {
    /// Runs `body`, which commits nothing but a record: an attempt at the passcode and its verdict, a lock, or waiting
    /// records of the audit log. If the disk is full, runs it once more with the room that is set aside for that.
    ///
    /// - Throws: ``VaultError/reserveUsedUp(_:)`` if that room is used up as well.
    mutating func recording<Result: ~Copyable>(_ body: (inout VaultState) throws -> Result) throws -> Result {
        if isRecording { return try body(&self) }
        let store = store
        return try store.locked {
            isRecording = true
            defer {
                isRecording = false
                store.diskReserve?.refill()
            }
            let hadFailed = hasFailed
            do { return try body(&self) } catch  where Self.isFull(error) && hasFailed == hadFailed {
                guard let reserve = store.diskReserve, reserve.release() else {
                    throw store.diskReserve == nil ? error : VaultError.reserveUsedUp(store.path)
                }
                isOnReserve = true
                defer { isOnReserve = false }
                // Once the log is in the database, SQLite writes over it from its start, so it need not grow.
                if store.connection.mayCheckpoint { try? store.connection.checkpoint() }
                do { return try body(&self) } catch  where Self.isFull(error) && hasFailed == hadFailed {
                    throw VaultError.reserveUsedUp(store.path)
                }
            }
        }
    }

    /// Writes the waiting records.
    mutating func writeRecords(lasting: Bool = false) throws {
        try recording { try $0.transaction(lasting: lasting) { _ in } }
    }

    /// Throws if a change would use the room that is set aside for records.
    func requireReserve() throws {
        if !isRecording, store.diskReserve?.refill() == false { throw VaultError.full(store.path) }
    }

    /// Opens a vault. If the disk is too full for the files that SQLite creates, opens it once more with the room that
    /// is set aside for records.
    static func withReserve(
        _ reserve: DiskReserve, of database: String, _ open: () throws -> VaultState
    ) throws -> VaultState {
        defer { reserve.refill() }
        do { return try open() } catch  where isFull(error) {
            guard reserve.release() else { throw VaultError.reserveUsedUp(database) }
            do { return try open() } catch  where isFull(error) { throw VaultError.reserveUsedUp(database) }
        }
    }

    private static func isFull(_ error: any Error) -> Bool {
        switch Vault.inOurWords(error, "") {
        case .full, .reserveUsedUp: true
        default: false
        }
    }
}
