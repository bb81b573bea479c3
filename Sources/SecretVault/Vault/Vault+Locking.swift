package import AccessPolicy
public import DeviceModel

extension Vault {
    /// True if the device is unlocked, as far as this program knows. Reading this never waits.
    public var isUnlocked: Bool { ring.isUnlocked }

    /// Returns true if the key of this class is available, as far as this program knows. This waits for no other operation, and
    /// decides nothing: a read can still be denied.
    package func isAvailable(_ protection: Accessibility) -> Bool {
        ring.read { $0.device.openClasses.contains(protection.keyClass) }
    }

    /// Locks the device.
    ///
    /// This wipes the keys first, whatever other threads and programs are doing and whatever state the files are in.
    ///
    /// - Throws: ``VaultError`` if the lock cannot be recorded, or if the database has changed in a way that the vault
    ///   did not write. The vault is then closed.
    @discardableResult
    public func lock() throws(VaultError) -> Effects {
        let effects = try lockAtOnce()
        return try finishLock().effects ?? effects
    }

    /// Wipes everything that a lock takes away, without waiting. ``finishLock()`` does the rest. Throws if the vault is
    /// closed.
    package func lockAtOnce() throws(VaultError) -> Effects {
        let effects = ring.lock()
        if ring.isSealed { throw .closed }
        return effects
    }

    /// The end of a lock.
    package struct FinishedLock: Sendable {
        /// The effects of the lock, if the device could be locked only now.
        package var effects: Effects?
        /// True if the record waits for other threads or programs that use the vault.
        package var isWaiting: Bool
    }

    /// Records a lock and applies what other programs have changed. If that fails, closes the vault and throws.
    ///
    /// This does not wait for other threads that use the vault: they write the record when they are done. It waits for other
    /// programs that hold the files. With a durable log, it waits up to `patienceForRecord` for the record to reach the disk, and
    /// throws if that fails.
    package func finishLock() throws(VaultError) -> FinishedLock {
        do throws(VaultError) {
            let effects = try runIfFree { vault -> Effects? in
                // The user has unlocked the vault since that lock, and a late record must not lock it again.
                if vault.ring.isUnlocked { return nil }
                // The changes of other programs may have left the device unlocked.
                try vault.refresh()
                if vault.device.isLocked { return nil }
                let effects = vault.ring.lock()
                vault.begin()
                return effects
            }
            var isWaiting = effects == nil
            if isAuditDurable {
                isWaiting = try !recordDurably(within: Self.patienceForRecord)
            } else if isWaiting {
                scheduleFlush()
            }
            return FinishedLock(effects: effects ?? nil, isWaiting: isWaiting)
        } catch {
            closeItself()
            throw error
        }
    }

    /// The longest time to wait for the record of a lock, in milliseconds.
    private static let patienceForRecord = 30

    /// Wipes everything for good, without waiting. ``close()`` closes the files.
    package func seal() { ring.seal() }
}
