public import DeviceModel

extension Vault {
    /// Whether the device is unlocked. Waits for nothing, and looks at what this program knows of it.
    public var isUnlocked: Bool { ring.isUnlocked }

    /// Locks the device.
    ///
    /// The keys go first, whatever others are at, and whatever has become of the files. Throws where the lock could not be recorded
    /// or the device not be looked at: then the vault is closed.
    @discardableResult
    public func lock() throws(VaultError) -> Effects {
        let effects = try lockAtOnce()
        return try finishLock() ?? effects
    }

    /// Wipes what a lock takes away, and waits for nobody. What remains to be done is ``finishLock()``.
    package func lockAtOnce() throws(VaultError) -> Effects {
        let effects = ring.lock()
        if ring.isSealed { throw .closed }
        return effects
    }

    /// Records a lock, and looks whether others have changed the device meanwhile; the effects where it was to be locked only then.
    /// Closes the vault where that fails.
    ///
    /// While somebody else is at the vault, it is they who record it, or whoever comes next; only where records have to be on the
    /// disk at once, this waits for them.
    package func finishLock() throws(VaultError) -> Effects? {
        do throws(VaultError) {
            if isAuditDurable { return try run { try $0.finishLock() } }
            if let effects = try runIfFree({ try $0.finishLock() }) { return effects }
            scheduleFlush()
            return nil
        } catch {
            ring.seal()
            throw error
        }
    }

    /// Wipes everything for good, and waits for nobody. ``close()`` lets go of the rest.
    package func seal() { ring.seal() }
}

extension Enclave {
    /// Locks the device where it was another that was locked; nil where it is locked by now.
    fileprivate mutating func finishLock() throws -> Effects? {
        try refresh()
        if device.isLocked { return nil }
        let effects = ring.lock()
        begin()
        return effects
    }
}
