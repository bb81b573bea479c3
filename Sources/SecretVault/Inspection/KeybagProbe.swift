internal import SodiumKit

/// Tries to open sealed keys with nothing but a device file, past everything that refuses to: for showing that what was
/// destroyed cannot be opened, and not merely is not.
package final class KeybagProbe {
    /// Arrays cannot hold what has one owner.
    private final class Holder {
        let key: Key
        init(_ key: consuming Key) { self.key = key }
    }

    private let holders: [Holder]
    private let ledger: Holder
    private let vaultID: [UInt8]

    /// A probe that has what the device file at `path` has.
    package init(deviceFile path: String) throws {
        let device = try DeviceBlocks(opening: path)
        let fixed = try FixedKeys(try device.fixedKey())
        ledger = Holder(try fixed.ledger.copy())
        let erase = try device.eraseKeys()
        let newest = try fixed.keybag(erase.newest)
        let older = try erase.withOlder { try Holder(fixed.keybag($0)) }
        holders = [Holder(newest)] + (older.map { [$0] } ?? [])
        vaultID = device.vaultID
    }

    /// The generation of the keybag that is `box`; nil for anything else, and for one that these keys do not open.
    package func generation(of box: UnsafeRawBufferPointer) throws -> UInt64? {
        try keybag(in: box)?.generation
    }

    /// The keybag that is `box`, by any key that there is.
    func keybag(in box: UnsafeRawBufferPointer) throws -> Keybag? {
        for holder in holders {
            if let bag = try Keybag.open(box, under: holder.key, vaultID: vaultID) { return bag }
        }
        return nil
    }
}

extension KeybagProbe {
    /// Returns what this version writes of the keybag that is `box`; nil if no key opens it.
    package func rewritten(keybag box: UnsafeRawBufferPointer) throws -> RewrittenBytes? {
        for holder in holders {
            let found = try Keybag.rewritten(box, under: holder.key, vaultID: vaultID)
            if let found { return found }
        }
        return nil
    }

    /// Returns what this version writes of the ledger that is `box`; nil if the key does not open it.
    package func rewritten(ledger box: UnsafeRawBufferPointer) throws -> RewrittenBytes? {
        try Ledger.rewritten(box, under: ledger.key)
    }
}
