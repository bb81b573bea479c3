internal import COpenSSL
public import SodiumKit

/// A private key for the agreement of Diffie and Hellman in the second group of RFC 2409, a prime of 1024 bits.
///
/// The Secret Service of desktops uses it to keep secrets out of the memory of the bus. It is no protection against anyone who can
/// change messages, and today's keys should be longer: use ``KeyAgreement`` for everything else.
public struct SecondOakleyKey: ~Copyable, Sendable {
    /// The number of bytes in a shared secret and in a public key.
    public static let count = 128
    /// The number of bytes in a private key: twice what the strength of the group needs.
    private static let exponentCount = 64

    private let exponent: SecureBytes
    /// The public key, as a number with its highest byte first.
    public let publicKey: [UInt8]

    /// Creates a random key.
    ///
    /// - Throws: ``KeyError/memory(_:)`` or ``KeyError/unavailable``.
    public init() throws(KeyError) {
        var exponent = try KeyError.guarding(SecureBytes(count: Self.exponentCount))
        exponent.withMutableBytes { Sodium.fillRandomly($0) }
        let publicKey = try OpenSSL.perform { (context) throws(KeyError) in
            let arithmetic = try Arithmetic(in: context)
            let generator = try Number.small(2)
            let power = try arithmetic.power(of: generator, exponent)
            var bytes = [UInt8](repeating: 0, count: Self.count)
            guard BN_bn2binpad(power.pointer, &bytes, Int32(bytes.count)) == Int32(bytes.count) else {
                throw .unavailable
            }
            return bytes
        }
        self.publicKey = publicKey
        self.exponent = exponent
    }

    /// Returns the secret that this key and another share, with zeros before it if it is short.
    ///
    /// - Throws: ``KeyError/invalidKey`` if the other public key is none, or one for which the secret would be no secret.
    public borrowing func sharedSecret(with other: RawSpan) throws(KeyError) -> SecureBytes {
        guard (1...Self.count).contains(other.byteCount) else { throw .invalidKey }
        let other = other.array()
        return try OpenSSL.perform { (context) throws(KeyError) -> SecureBytes in
            let arithmetic = try Arithmetic(in: context)
            let base = try Number.reading(other.span.bytes)
            guard arithmetic.isSound(base) else { throw .invalidKey }
            let power = try arithmetic.power(of: base, exponent)
            var shared = try KeyError.guarding(SecureBytes(count: Self.count))
            let count = shared.withMutableBytes { BN_bn2binpad(power.pointer, $0.octets, Int32(Self.count)) }
            guard count == Int32(Self.count) else { throw .unavailable }
            return shared
        }
    }
}

/// A number of OpenSSL, which is wiped when its life ends.
private struct Number: ~Copyable {
    let pointer: OpaquePointer

    deinit { BN_clear_free(pointer) }

    init() throws(KeyError) {
        guard let made = BN_new() else { throw .unavailable }
        pointer = made
    }

    static func small(_ value: UInt) throws(KeyError) -> Number {
        let number = try Number()
        guard BN_set_word(number.pointer, value) == 1 else { throw .unavailable }
        return number
    }

    static func reading(_ bytes: RawSpan) throws(KeyError) -> Number {
        let number = try Number()
        let isSet = bytes.withPointer { BN_bin2bn($0, Int32(bytes.byteCount), number.pointer) } != nil
        guard isSet else { throw .unavailable }
        return number
    }
}

/// The arithmetic modulo the prime of the group.
private struct Arithmetic: ~Copyable {
    private let prime: Number
    private let room: OpaquePointer

    deinit { BN_CTX_free(room) }

    init(in context: OpaquePointer) throws(KeyError) {
        let prime = try Number()
        guard BN_get_rfc2409_prime_1024(prime.pointer) != nil, let room = BN_CTX_secure_new_ex(context) else {
            throw .unavailable
        }
        self.prime = prime
        self.room = room
    }

    /// Returns `base` to the power of `exponent`, in a time that does not depend on the exponent.
    borrowing func power(of base: borrowing Number, _ exponent: borrowing SecureBytes) throws(KeyError) -> Number {
        let result = try Number()
        let secret = try exponent.withBytes { (bytes) throws(KeyError) in try Number.reading(bytes) }
        BN_set_flags(secret.pointer, BN_FLG_CONSTTIME)
        let isDone = BN_mod_exp_mont_consttime(
            result.pointer, base.pointer, secret.pointer, prime.pointer, room, nil)
        guard isDone == 1 else { throw .unavailable }
        return result
    }

    /// Returns true if a public key is between 2 and the prime minus 2. Powers of 0, 1 and minus 1 are no secret.
    borrowing func isSound(_ key: borrowing Number) -> Bool {
        guard let limit = BN_dup(prime.pointer) else { return false }
        defer { BN_free(limit) }
        return BN_sub_word(limit, 1) == 1 && BN_cmp(key.pointer, limit) < 0 && BN_num_bits(key.pointer) > 1
    }
}
