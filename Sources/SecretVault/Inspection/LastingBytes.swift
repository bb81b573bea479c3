package import DeviceModel

/// The lasting state of a device in the bytes that a keybag keeps: for holding the format against bytes that were written
/// before.
package enum LastingBytes {
    /// Returns the bytes that a keybag keeps of `lasting`.
    package static func encode(_ lasting: Device.Lasting) -> [UInt8] {
        var bytes: [UInt8] = []
        lasting.write(to: &bytes)
        return bytes
    }

    /// Returns the state that `bytes` hold. Throws when they hold anything else, or more.
    package static func decode(_ bytes: [UInt8]) throws -> Device.Lasting {
        try bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            let lasting = try Device.Lasting(from: &reader)
            try reader.requireEnd()
            return lasting
        }
    }
}
