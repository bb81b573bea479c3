public import Foundation
internal import KeyKit
internal import SodiumKit

extension AES {
    /// The encryption of keys by a key (RFC 3394).
    ///
    ///     let wrapped = try AES.KeyWrap.wrap(fileKey, using: vaultKey)
    ///     let opened = try AES.KeyWrap.unwrap(wrapped, using: vaultKey)
    public enum KeyWrap: Sendable {
        /// Returns a key, wrapped by another one of 128, 192 or 256 bits. The result is eight bytes longer than the key.
        ///
        /// - Throws: ``CryptoKitError/incorrectKeySize`` for `kek`, or ``CryptoKitError/wrapFailure`` if the key has fewer than 16 bytes,
        ///   more than 1 MiB, or a number of bytes that eight does not divide. If no memory is left,
        ///   ``CryptoKitError/underlyingCoreCryptoError(error:)``.
        public static func wrap(_ keyToWrap: SymmetricKey, using kek: SymmetricKey) throws -> Data {
            try kek.requireForWrapping()
            return try keyToWrap.withUnsafeBytes { secret in
                try kek.withUnsafeBytes { key in
                    do throws(KeyError) { return Data(try KeyKit.KeyWrap.wrap(secret.bytes, key: key.bytes)) } catch {
                        throw error.forApps(wrong: .wrapFailure)
                    }
                }
            }
        }

        /// Returns the key in these bytes.
        ///
        /// - Throws: ``CryptoKitError/incorrectKeySize`` for `kek`, or ``CryptoKitError/unwrapFailure`` if the bytes were changed,
        ///   wrapped by another key, or are no key of up to 1 MiB. If no memory is left,
        ///   ``CryptoKitError/underlyingCoreCryptoError(error:)``.
        public static func unwrap<WrappedKey: DataProtocol>(
            _ wrappedKey: WrappedKey, using kek: SymmetricKey
        ) throws -> SymmetricKey {
            try kek.requireForWrapping()
            return try wrappedKey.withSpan { wrapped in
                try kek.withUnsafeBytes { key in
                    do throws(KeyError) {
                        return SymmetricKey(try KeyKit.KeyWrap.unwrap(wrapped, key: key.bytes))
                    } catch { throw error.forApps(wrong: .unwrapFailure) }
                }
            }
        }
    }
}

extension SymmetricKey {
    /// Throws ``CryptoKitError/incorrectKeySize`` if no key of this size wraps others.
    fileprivate func requireForWrapping() throws {
        guard KeyKit.KeyWrap.keyCounts.contains(secret.bytes.count) else { throw CryptoKitError.incorrectKeySize }
    }
}

extension KeyError {
    /// The error that Apple's interface throws: `failure` for wrong bytes. Any other error, such as one of memory, stays itself.
    fileprivate func forApps(wrong failure: CryptoKitError) -> any Error {
        switch self {
        case .invalidSize, .cannotDecrypt: failure
        default: forApps
        }
    }
}
