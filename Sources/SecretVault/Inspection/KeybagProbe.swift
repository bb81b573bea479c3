internal import SodiumKit

/// A probe that tries to open sealed keys with nothing but a device file, and skips every check that could refuse. With
/// it, tests show that destroyed keys cannot be opened, and not merely that the vault refuses to open them.
package final class KeybagProbe {
    /// A class that owns a key, because arrays cannot hold noncopyable values.
    private final class Holder {
        let key: Key
        init(_ key: consuming Key) { self.key = key }
    }

    private let holders: [Holder]
    private let ledger: Holder
    private let vaultID: [UInt8]

    /// Creates a probe with the keys of the device file at `path`.
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

    /// Returns the generation of the keybag in `box`; nil if these keys do not open it as a keybag.
    package func generation(of box: UnsafeRawBufferPointer) throws -> UInt64? {
        try keybag(in: box)?.generation
    }

    /// Opens the keybag in `box` with any of the keys. Returns nil if none opens it.
    func keybag(in box: UnsafeRawBufferPointer) throws -> Keybag? {
        for holder in holders {
            if let bag = try Keybag.open(box, under: holder.key, vaultID: vaultID) { return bag }
        }
        return nil
    }
}

extension KeybagProbe {
    /// Returns the bytes that this version writes for the keybag in `box`; nil if no key opens it.
    package func rewritten(keybag box: UnsafeRawBufferPointer) throws -> RewrittenBytes? {
        for holder in holders {
            let found = try Keybag.rewritten(box, under: holder.key, vaultID: vaultID)
            if let found { return found }
        }
        return nil
    }

    /// Returns the bytes that this version writes for the ledger in `box`; nil if the key does not open it.
    package func rewritten(ledger box: UnsafeRawBufferPointer) throws -> RewrittenBytes? {
        try Ledger.rewritten(box, under: ledger.key)
    }
}
