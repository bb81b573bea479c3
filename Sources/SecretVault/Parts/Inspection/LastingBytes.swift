package import DeviceModel

/// A converter between the lasting state of a device and the bytes in a keybag, for tests.
package enum LastingBytes {
    /// Returns the bytes that a keybag stores for `lasting`.
    package static func encode(_ lasting: Device.Lasting) -> [UInt8] {
        var (copy, writer) = (lasting, StoredWriter())
        copy.code(with: &writer)
        return writer.written
    }

    /// Returns the state that `bytes` encode. Throws if they encode anything else, or anything more.
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
