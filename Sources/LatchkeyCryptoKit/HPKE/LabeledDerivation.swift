internal import Foundation
internal import KeyKit
internal import SodiumKit

/// HKDF whose inputs name the version, the algorithms and the purpose (RFC 9180, section 4).
struct LabeledDerivation {
    let hash: HashAlgorithm
    /// The algorithms.
    let suite: [UInt8]

    /// Makes a pseudorandom key of a secret and a salt.
    func extract(_ label: String, _ secret: some ContiguousBytes, salt: some ContiguousBytes = [UInt8]())
        -> SymmetricKey
    {
        let input = SymmetricKey(joining: named(label), secret)
        return salt.withUnsafeBytes { salt in
            input.withUnsafeBytes { input in
                SymmetricKey(
                    withoutFail { () throws(KeyError) in
                        try HKDFFunction.derive(
                            .extract, hash.digestCount, from: input.bytes, salt: salt.bytes, .standard(hash))
                    })
            }
        }
    }

    /// Derives `count` bytes from a pseudorandom key.
    ///
    /// - Throws: ``CryptoKitError/incorrectParameterSize`` if that is too many, or `info` is too long.
    func expand(_ label: String, _ key: SymmetricKey, info: [UInt8] = [], _ count: Int) throws -> SymmetricKey {
        guard let octets = UInt16(exactly: count) else { throw CryptoKitError.incorrectParameterSize }
        if count == 0 { return SymmetricKey(data: [UInt8]()) }
        let info = octets.octets + named(label) + info
        return try key.withUnsafeBytes { key in
            SymmetricKey(
                try onKeys(
                    HKDFFunction.derive(.expand, count, from: key.bytes, info: info.span.bytes, .standard(hash))))
        }
    }

    private func named(_ label: String) -> [UInt8] { Array("HPKE-v1".utf8) + suite + Array(label.utf8) }
}

extension UInt16 {
    /// The two bytes, the higher one first.
    var octets: [UInt8] { [UInt8(self >> 8), UInt8(self & 0xFF)] }
}

extension SymmetricKey {
    /// Joins bytes, of which some are secret, in guarded memory.
    init(joining parts: any ContiguousBytes...) {
        let count = parts.reduce(0) { $0 + $1.withUnsafeBytes { $0.count } }
        var whole = guarding { () throws(SodiumError) in try SecureBytes(count: count) }
        whole.withMutableBytes { whole in
            var place = 0
            for part in parts {
                part.withUnsafeBytes { part in
                    UnsafeMutableRawBufferPointer(rebasing: whole[place...]).copyMemory(from: part)
                    place += part.count
                }
            }
        }
        self.init(whole)
    }
}
