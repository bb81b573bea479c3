internal import COpenSSL
internal import SodiumKit

extension PrivateKey {
    private static let opensshMark = Array("openssh-key-v1\0".utf8)

    /// Reads and checks the content of a private key file of OpenSSH, without a passphrase: a key of Ed25519, on a curve,
    /// or of RSA.
    ///
    /// - Throws: ``KeyError/malformed(_:)``, ``KeyError/invalidPoint``, ``KeyError/invalidKey``,
    ///   ``KeyError/unsupportedType``, ``KeyError/encryptedKey`` or ``KeyError/memory(_:)``.
    init(openSSH bytes: borrowing SecureBytes) throws(KeyError) {
        self = try bytes.withBytes { (bytes) throws(KeyError) in
            var reader = PacketReader(0..<bytes.byteCount)
            guard bytes.extracting(try reader.take(Self.opensshMark.count)).isSame(as: Self.opensshMark) else {
                throw .malformed(.openSSH)
            }
            let cipher = bytes.extracting(try reader.takeString(in: bytes))
            let stretching = bytes.extracting(try reader.takeString(in: bytes))
            _ = try reader.takeString(in: bytes)
            // A file can have several keys in this format; no program has ever written one.
            guard try reader.takeNumber(in: bytes) == 1 else { throw .unsupportedType }
            _ = try reader.takeString(in: bytes)
            let secret = try reader.takeString(in: bytes)
            guard cipher.isSame(as: Array("none".utf8)), stretching.isSame(as: Array("none".utf8)) else {
                throw .encryptedKey
            }
            guard reader.isAtEnd else { throw .malformed(.openSSH) }
            return try Self.openSSH(secret, bytes)
        }
    }

    /// Reads the part that a passphrase would encrypt.
    private static func openSSH(_ place: Range<Int>, _ bytes: RawSpan) throws(KeyError) -> PrivateKey {
        var reader = PacketReader(place)
        guard try reader.takeNumber(in: bytes) == reader.takeNumber(in: bytes) else { throw .malformed(.openSSH) }
        let name = bytes.extracting(try reader.takeString(in: bytes)).array()
        let key: PrivateKey
        switch String(decoding: name, as: UTF8.self) {
        case "ssh-ed25519": key = try ed25519(&reader, bytes)
        case "ssh-rsa": key = try rsa(&reader, bytes)
        case "ecdsa-sha2-nistp256": key = try ecdsa(&reader, .p256, "nistp256", bytes)
        case "ecdsa-sha2-nistp384": key = try ecdsa(&reader, .p384, "nistp384", bytes)
        case "ecdsa-sha2-nistp521": key = try ecdsa(&reader, .p521, "nistp521", bytes)
        default: throw .unsupportedType
        }
        _ = try reader.takeString(in: bytes)  // the comment
        // The padding counts up from one.
        let padding = reader.rest
        guard padding.count < 256, zip(padding, 1...).allSatisfy({ Int(bytes.byte($0)) == $1 }) else {
            throw .malformed(.openSSH)
        }
        return key
    }

    private static func ed25519(_ reader: inout PacketReader, _ bytes: RawSpan) throws(KeyError) -> PrivateKey {
        let half = bytes.extracting(try reader.takeString(in: bytes)).array()
        // The seed, and the public half once more.
        let pair = try reader.takeString(in: bytes)
        guard half.count == EdwardsKey.publicCount, pair.count == EdwardsKey.privateCount,
            bytes.extracting(pair.dropFirst(SodiumKit.Key.count)).isSame(as: half)
        else { throw .malformed(.openSSH) }
        let key = try PrivateKey(
            trusted: EdwardsKey.key(seed: bytes.extracting(pair.prefix(SodiumKit.Key.count))), .ed25519)
        guard key.publicKey.externalRepresentation == half else { throw .invalidKey }
        return key
    }

    private static func ecdsa(
        _ reader: inout PacketReader, _ curve: Curve, _ name: String, _ bytes: RawSpan
    ) throws(KeyError) -> PrivateKey {
        guard bytes.extracting(try reader.takeString(in: bytes)).isSame(as: Array(name.utf8)) else {
            throw .malformed(.openSSH)
        }
        let point = bytes.extracting(try reader.takeString(in: bytes)).array()
        let scalar = try reader.takePositive(in: bytes)
        guard point.count == curve.pointCount, scalar.count <= curve.coordinateCount else { throw .malformed(.openSSH) }
        return try PrivateKey(scalar: bytes.extracting(scalar), point: point, on: curve)
    }

    private static func rsa(_ reader: inout PacketReader, _ bytes: RawSpan) throws(KeyError) -> PrivateKey {
        var places: [Range<Int>] = []
        // The modulus, the exponents, the coefficient and the primes.
        for _ in 0..<6 { places.append(try reader.takePositive(in: bytes)) }
        let longest = 512
        guard places.allSatisfy({ $0.count <= longest }) else { throw .unsupportedType }
        let (d, p, q) = (places[2], places[4], places[5])
        // PKCS#1 also has the private exponent for each prime. They go behind the other bytes.
        let count = bytes.byteCount
        var whole = try KeyError.guarding(SecureBytes(count: count + p.count + q.count))
        try whole.withMutableBytes { (whole) throws(KeyError) in
            bytes.withUnsafeBytes { whole.copyBytes(from: $0) }
            try OpenSSL.perform { (context) throws(KeyError) in
                try reduce(d, below: p, into: count..<(count + p.count), whole, context)
                try reduce(d, below: q, into: (count + p.count)..<(count + p.count + q.count), whole, context)
            }
        }
        let encoded = try whole.withBytes { (bytes) throws(KeyError) in
            let numbers = [
                places[0], places[1], d, p, q, count..<(count + p.count),
                (count + p.count)..<(count + p.count + q.count), places[3],
            ]
            return try DERElement.sequence([.number(0)] + numbers.map { .number($0, of: bytes) })
                .encodedSecretly(from: bytes)
        }
        return try PrivateKey(externalRepresentation: encoded, .rsa)
    }

    /// Writes a number modulo a prime less one.
    private static func reduce(
        _ number: Range<Int>, below prime: Range<Int>, into target: Range<Int>,
        _ bytes: UnsafeMutableRawBufferPointer, _ context: OpaquePointer
    ) throws(KeyError) {
        guard let scratch = BN_CTX_secure_new_ex(context) else { throw .unavailable }
        defer { BN_CTX_free(scratch) }
        guard let start = bytes.octets, let value = BN_secure_new(), let modulus = BN_secure_new(),
            let result = BN_secure_new()
        else { throw .unavailable }
        defer { for number in [value, modulus, result] { BN_clear_free(number) } }
        BN_set_flags(value, latchkey_constant_time)
        BN_set_flags(modulus, latchkey_constant_time)
        let isDone =
            BN_bin2bn(start + number.lowerBound, Int32(number.count), value) != nil
            && BN_bin2bn(start + prime.lowerBound, Int32(prime.count), modulus) != nil
            && BN_sub_word(modulus, 1) == 1 && BN_is_zero(modulus) == 0
            && BN_div(nil, result, value, modulus, scratch) == 1
            && BN_bn2binpad(result, start + target.lowerBound, Int32(target.count)) == Int32(target.count)
        guard isDone else { throw .invalidKey }
    }
}

/// Reads the fields of OpenSSH's format. It holds places and no bytes, so that the bytes can be in guarded memory.
private struct PacketReader {
    private(set) var rest: Range<Int>

    init(_ place: Range<Int>) { rest = place }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ count: Int) throws(KeyError) -> Range<Int> {
        guard count <= rest.count else { throw .malformed(.openSSH) }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func takeNumber(in bytes: RawSpan) throws(KeyError) -> UInt32 {
        try take(4).reduce(0) { $0 << 8 | UInt32(bytes.byte($1)) }
    }

    mutating func takeString(in bytes: RawSpan) throws(KeyError) -> Range<Int> {
        try take(Int(takeNumber(in: bytes)))
    }

    /// Takes a positive number, without the zero that shows its sign.
    mutating func takePositive(in bytes: RawSpan) throws(KeyError) -> Range<Int> {
        let place = try takeString(in: bytes)
        guard let first = place.first, bytes.byte(first) < 0x80 else { throw .malformed(.openSSH) }
        return bytes.byte(first) == 0 ? place.dropFirst() : place
    }
}
