package import SodiumKit

/// What a device keeps outside the database: the keys without which the database is noise.
///
/// A file does it here. A chip that keeps keys could do it as well, so this is a protocol.
package protocol DeviceKeyStore: AnyObject {
    /// Which vault it belongs to: sixteen bytes.
    var vaultID: [UInt8] { get }
    /// The key that is kept for the life of the vault.
    func fixedKey() throws -> Key
    /// The erase keys that there are. Two only between the steps of a change, or after a crash there.
    func eraseKeys() throws -> EraseKeys
    /// Puts a new erase key beside the present one, for good when this returns. Under the lock only.
    func add(_ eraseKey: borrowing Key) throws
    /// Overwrites the erase key that is not the one to keep, for good when this returns. Under the lock only.
    func keep(_ kept: EraseKeys.Age) throws
    /// How many commits the device has seen.
    func counter() throws -> UInt64
    /// Notes that it has seen this many; `lasting` says whether this has to outlive a loss of power. Under the lock only.
    func setCounter(_ value: UInt64, lasting: Bool) throws
}

/// The erase keys that there are.
package struct EraseKeys: ~Copyable {
    /// Which one.
    package enum Age: Sendable { case newest, older }

    /// The one that was added last.
    package var newest: Key
    /// The one before it, while there is one.
    package var older: Key?

    package init(newest: consuming Key, older: consuming Key?) {
        self.newest = newest
        self.older = older
    }
}

extension EraseKeys {
    /// True if there are two.
    var hasOlder: Bool {
        switch older {
        case .some: true
        case .none: false
        }
    }

    borrowing func withOlder<Result>(_ body: (borrowing Key) throws -> Result?) rethrows -> Result? {
        switch older {
        case .some(let key): try body(key)
        case .none: nil
        }
    }
}
