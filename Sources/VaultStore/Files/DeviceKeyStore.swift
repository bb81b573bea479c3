package import SodiumKit

/// A store for the keys that a device keeps outside the database, and that the database cannot be decrypted without.
///
/// ``DeviceBlocks`` keeps them in a file. A chip that keeps keys could do so as well.
package protocol DeviceKeyStore: AnyObject {
    /// The sixteen bytes that identify the vault.
    var vaultID: [UInt8] { get }
    /// Returns the key that stays for the life of the vault.
    func fixedKey() throws -> Key
    /// Returns the erase keys. There are two only between the steps of a change, or after a crash at that time.
    func eraseKeys() throws -> EraseKeys
    /// Adds a new erase key beside the present one, durably. Hold the lock when you call it.
    func add(_ eraseKey: borrowing Key) throws
    /// Overwrites the erase key that is not the one to keep, durably. Hold the lock when you call it.
    func keep(_ kept: EraseKeys.Age) throws
    /// Returns the number of commits that the device has seen.
    func counter() throws -> UInt64
    /// Stores the number of commits that the device has seen. If `lasting`, the number survives a loss of power. Hold
    /// the lock when you call it.
    func setCounter(_ value: UInt64, lasting: Bool) throws
}

/// The one or two erase keys of a device.
package struct EraseKeys: ~Copyable {
    /// The age of an erase key: the newest, or the one before it.
    package enum Age: Sendable { case newest, older }

    /// The key that was added last.
    package var newest: Key
    /// The key before it; nil once it has been overwritten.
    package var older: Key?

    package init(newest: consuming Key, older: consuming Key?) {
        self.newest = newest
        self.older = older
    }
}

extension EraseKeys {
    /// True if there are two.
    package var hasOlder: Bool {
        switch older {
        case .some: true
        case .none: false
        }
    }

    package borrowing func withOlder<Result>(_ body: (borrowing Key) throws -> Result?) rethrows -> Result? {
        switch older {
        case .some(let key): try body(key)
        case .none: nil
        }
    }
}
