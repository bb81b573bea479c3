internal import KeyKit
package import SecretTools
package import SodiumKit

extension OneTimeSeed {
    /// Returns the code for a number: that of the counter, or of the period.
    ///
    /// - Throws: `OneTimeCodeError` if OpenSSL or guarded memory is not available.
    package borrowing func code(_ number: UInt64) throws(OneTimeCodeError) -> SecureBytes {
        var hash: [UInt8]
        do throws(KeyError) {
            var mac = try key.withBytes { (key) throws(KeyError) in
                try RunningMAC(.standard(algorithm.hash), key: key)
            }
            var number = number.bigEndian
            try withUnsafeBytes(of: &number) { (bytes) throws(KeyError) in try mac.add(bytes.bytes) }
            hash = try mac.finish()
        } catch { throw .unavailable }
        defer { hash.withUnsafeMutableBytes { Sodium.wipe($0) } }
        let offset = Int(hash[hash.count - 1] & 0xF)
        var value = hash[offset..<offset + 4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & 0x7FFF_FFFF
        do {
            var code = try SecureBytes(count: digits)
            code.withMutableBytes { bytes in
                for place in bytes.indices.reversed() {
                    bytes[place] = UInt8(ascii: "0") + UInt8(value % 10)
                    value /= 10
                }
            }
            return code
        } catch { throw .unavailable }
    }
}

extension OneTimeSeed.Algorithm {
    fileprivate var hash: HashAlgorithm {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }
}
