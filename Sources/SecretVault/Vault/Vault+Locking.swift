public import DeviceModel

extension Vault {
    /// True if the device is unlocked, as far as this program knows. This never waits.
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
    /// This does not wait for other threads or programs that are using the vault: the record is written when they have done so.
    /// If every record has to be on the disk at once, this gives it ``patienceForRecord`` to get there, and throws if that fails.
    package func finishLock() throws(VaultError) -> Effects? {
        do throws(VaultError) {
            let effects = try runIfFree { try $0.finishLock() }
            if isAuditDurable {
                try recordDurably(within: Self.patienceForRecord)
            } else if effects == nil {
                scheduleFlush()
            }
            return effects ?? nil
        } catch {
            closeItself()
            throw error
        }
    }

    /// The time that the record of a lock gets before the lock is answered, in milliseconds.
    private static let patienceForRecord = 30

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
