package import SodiumKit

/// The contents of a device file, on their way to another machine.
package struct TransferredDevice: ~Copyable {
    /// The sixteen bytes that identify the vault.
    package let vaultID: [UInt8]
    package let fixedKey: Key
    /// The erase key that seals the keybag of the snapshot.
    package let eraseKey: Key
    /// The number of commits that the device has seen.
    package let counter: UInt64
    /// True if the old vault stays in use.
    package let isKept: Bool

    private static let idCount = 16
    private static let count = idCount + 2 * Key.count + 8 + 1

    /// The device as bytes, in guarded memory.
    package borrowing func encoded() throws -> SecureBytes {
        var rest: [UInt8] = []
        rest.write(counter)
        rest.write(isKept ? 1 : 0 as UInt8)
        var bytes = try SecureBytes(count: Self.count)
        bytes.withMutableBytes { bytes in
            bytes.copyBytes(from: vaultID)
            Self.copy(fixedKey, to: bytes, at: Self.idCount)
            Self.copy(eraseKey, to: bytes, at: Self.idCount + Key.count)
            UnsafeMutableRawBufferPointer(rebasing: bytes[(Self.idCount + 2 * Key.count)...]).copyBytes(from: rest)
        }
        return bytes
    }

    private static func copy(_ key: borrowing Key, to bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
        key.withBytes { key in
            key.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]).copyBytes(from: $0) }
        }
    }

    package init(decoding bytes: UnsafeRawBufferPointer) throws {
        var reader = ByteReader(bytes)
        let vaultID = [UInt8](try reader.read(Self.idCount))
        let fixedKey = try Key(copying: try reader.read(Key.count).bytes)
        let eraseKey = try Key(copying: try reader.read(Key.count).bytes)
        let (counter, isKept) = (try reader.number(UInt64.self), try reader.bool())
        try reader.requireEnd()
        self.init(vaultID, fixedKey, eraseKey, counter, isKept)
    }

    package init(
        _ vaultID: [UInt8], _ fixedKey: consuming Key, _ eraseKey: consuming Key, _ counter: UInt64, _ isKept: Bool
    ) {
        self.vaultID = vaultID
        self.fixedKey = fixedKey
        self.eraseKey = eraseKey
        self.counter = counter
        self.isKept = isKept
    }
}
