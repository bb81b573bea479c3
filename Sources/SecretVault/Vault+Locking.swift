public import DeviceModel

extension Vault {
    /// Whether the device is unlocked, as far as this program knows. Never waits.
    public var isUnlocked: Bool { ring.isUnlocked }

    /// Locks the device.
    ///
    /// The keys are wiped first, whatever other threads and programs are doing, and whatever state the files are in. Throws
    /// if the lock cannot be recorded, or if the database is not what it was; the vault is closed then.
    @discardableResult
    public func lock() throws(VaultError) -> Effects {
        let effects = try lockAtOnce()
        return try finishLock() ?? effects
    }

    /// Wipes what a lock takes away, without waiting. ``finishLock()`` does the rest. Throws if the vault is closed.
    package func lockAtOnce() throws(VaultError) -> Effects {
        let effects = ring.lock()
        if ring.isSealed { throw .closed }
        return effects
    }

    /// Records a lock and takes in what other programs have changed. Returns the lock's effects if the device could be locked
    /// only now. Throws and closes the vault if that fails.
    ///
    /// If another thread is using the vault, the next operation records the lock, and this does not wait. It waits only if
    /// the vault was made to have every record on the disk at once.
    package func finishLock() throws(VaultError) -> Effects? {
        do throws(VaultError) {
            if isAuditDurable { return try run { try $0.finishLock() } }
            if let effects = try runIfFree({ try $0.finishLock() }) { return effects }
            scheduleFlush()
            return nil
        } catch {
            closeItself()
            throw error
        }
    }

    /// Wipes everything for good, without waiting. ``close()`` closes the files.
    package func seal() { ring.seal() }
}

extension Enclave {
    /// Locks the device if what other programs have changed has left it unlocked; nil if it is locked.
    fileprivate mutating func finishLock() throws -> Effects? {
        try refresh()
        if device.isLocked { return nil }
        let effects = ring.lock()
        begin()
        return effects
    }
}
