internal import CSodium

/// SHA-256, for formats of others that ask for it.
package enum SHA256: Sendable {
    /// Returns the hash of `bytes`, in hexadecimal digits. For a hash that is not secret.
    package static func hexadecimal(_ bytes: RawSpan) -> String {
        var hash = [UInt8](repeating: 0, count: Key.count)
        _ = hash.withUnsafeMutableBufferPointer { hash in
            bytes.withPointer { crypto_hash_sha256(hash.start, $0, UInt64(bytes.byteCount)) }
        }
        Sodium.wipeStack()
        return digits(hash.span.bytes)
    }

    /// Returns bytes that are not secret in hexadecimal digits.
    fileprivate static func digits(_ bytes: RawSpan) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for place in 0..<bytes.byteCount {
            let byte = bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// HMAC with SHA-256, for formats of others that ask for it. The key can have any length.
package struct HMAC256: ~Copyable, @unchecked Sendable {  // one owner, so no other code has the pointer
    // The state reveals the key, and it has to be aligned, so it lives in the arena like a key.
    private let state: UnsafeMutablePointer<crypto_auth_hmacsha256_state>
    private let block: UnsafeMutableRawPointer
    private static let count = crypto_auth_hmacsha256_statebytes()

    private init(_ message: RawSpan, under key: RawSpan) throws(SodiumError) {
        block = try Arena.allocate(Self.count)
        state = block.assumingMemoryBound(to: crypto_auth_hmacsha256_state.self)
        key.withPointer { _ = crypto_auth_hmacsha256_init(state, $0, key.byteCount) }
        message.withPointer { _ = crypto_auth_hmacsha256_update(state, $0, UInt64(message.byteCount)) }
    }

    deinit { Arena.free(block, Self.count) }

    /// Returns the code of a message as the key of another one.
    package static func key(_ message: RawSpan, under key: RawSpan) throws(SodiumError) -> Key {
        let code = try HMAC256(message, under: key)
        let result = try Key()
        crypto_auth_hmacsha256_final(code.state, result.base)
        Sodium.wipeStack()
        return result
    }

    /// Returns the code of a message under a key, in hexadecimal digits. For a code that is not secret, such as a signature.
    package static func hexadecimal(_ message: RawSpan, under key: borrowing Key) throws(SodiumError) -> String {
        let code = try key.withBytes { (key) throws(SodiumError) in try Self.key(message, under: key) }
        return code.withBytes { SHA256.digits($0) }
    }
}
