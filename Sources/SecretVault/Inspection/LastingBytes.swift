package import DeviceModel

/// The lasting state of a device in the bytes that a keybag keeps: for holding the format against bytes that were written
/// before.
package enum LastingBytes {
    /// Returns the bytes that a keybag keeps of `lasting`.
    package static func encode(_ lasting: Device.Lasting) -> [UInt8] {
        var (copy, writer) = (lasting, StoredWriter())
        copy.code(with: &writer)
        return writer.written
    }

    /// Returns the state that `bytes` hold. Throws when they hold anything else, or more.
    package static func decode(_ bytes: [UInt8]) throws -> Device.Lasting {
        try bytes.withUnsafeBytes { bytes in
            var reader = StoredReader(bytes)
            var lasting = Device.Lasting(DeviceSettings())
            try lasting.code(with: &reader)
            try reader.requireEnd()
            return lasting
        }
    }
}
