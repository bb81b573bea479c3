public import Foundation
internal import KeyKit

/// A derivation of keys from a secret (RFC 5869).
///
/// A derived key can be at most 255 times as long as a digest, and `info` has at most 32 KiB. Asking for more ends the
/// program.
public struct HKDF<H: HashFunction>: Sendable {
    /// Derives a key for the purpose `info` from a secret and a salt.
    public static func deriveKey<Salt: DataProtocol, Info: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt, info: Info, outputByteCount: Int
    ) -> SymmetricKey {
        derive(.both, from: inputKeyMaterial, salt, info, outputByteCount)
    }

    /// Derives a key from a secret and a salt.
    public static func deriveKey<Salt: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt, outputByteCount: Int
    ) -> SymmetricKey {
        derive(.both, from: inputKeyMaterial, salt, [UInt8](), outputByteCount)
    }

    /// Derives a key for the purpose `info` from a secret.
    public static func deriveKey<Info: DataProtocol>(
        inputKeyMaterial: SymmetricKey, info: Info, outputByteCount: Int
    ) -> SymmetricKey {
        derive(.both, from: inputKeyMaterial, [UInt8](), info, outputByteCount)
    }

    /// Derives a key from a secret.
    public static func deriveKey(inputKeyMaterial: SymmetricKey, outputByteCount: Int) -> SymmetricKey {
        derive(.both, from: inputKeyMaterial, [UInt8](), [UInt8](), outputByteCount)
    }

    /// Makes a pseudorandom key of a secret and a salt. This is the first step of the derivation.
    public static func extract<Salt: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt?
    ) -> HashedAuthenticationCode<H> {
        let count = H.knownAlgorithm.digestCount
        let key =
            if let salt {
                derive(.extract, from: inputKeyMaterial, salt, [UInt8](), count)
            } else {
                derive(.extract, from: inputKeyMaterial, [UInt8](), [UInt8](), count)
            }
        return HashedAuthenticationCode(key)
    }

    /// Derives a key for the purpose `info` from a pseudorandom key. This is the second step of the derivation.
    public static func expand<PRK: ContiguousBytes, Info: DataProtocol>(
        pseudoRandomKey: PRK, info: Info?, outputByteCount: Int
    ) -> SymmetricKey {
        if let info { return derive(.expand, from: pseudoRandomKey, [UInt8](), info, outputByteCount) }
        return derive(.expand, from: pseudoRandomKey, [UInt8](), [UInt8](), outputByteCount)
    }

    private static func derive(
        _ step: HKDFFunction.Step, from secret: some ContiguousBytes, _ salt: some DataProtocol,
        _ info: some DataProtocol, _ count: Int
    ) -> SymmetricKey {
        let longest = HKDFFunction.longest(H.knownAlgorithm)
        precondition((0...longest).contains(count), "a derived key has at most \(longest) bytes")
        let longestInfo = HKDFFunction.longestInfo
        precondition(info.count <= longestInfo, "the information for a derived key has at most \(longestInfo) bytes")
        if count == 0 { return SymmetricKey(data: [UInt8]()) }
        return secret.withUnsafeBytes { secret in
            salt.withSpan { salt in
                info.withSpan { info in
                    SymmetricKey(
                        withoutFail { () throws(KeyError) in
                            try HKDFFunction.derive(
                                step, count, from: secret.bytes, salt: salt, info: info, H.knownAlgorithm)
                        })
                }
            }
        }
    }
}
