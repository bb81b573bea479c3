internal import SodiumKit

/// The places of the numbers in an RSA key in PKCS#1.
struct RSANumbers {
    let type: KeyType
    /// The modulus and the public exponent, and for a private key the six numbers after them.
    private let places: [Range<Int>]

    /// The names of the numbers in OpenSSL, in the order of PKCS#1.
    private static let names: [StaticString] = [
        "n", "e", "d", "rsa-factor1", "rsa-factor2", "rsa-exponent1", "rsa-exponent2", "rsa-coefficient1",
    ]
    /// OpenSSL accepts no longer exponent with a large modulus.
    private static let longestExponent = 8

    /// Reads a public key.
    ///
    /// - Throws: ``KeyError/malformed(_:)`` or ``KeyError/unsupportedType``.
    init(publicKey bytes: RawSpan) throws(KeyError) {
        var outer = DERReader(bytes, .pkcs1)
        var reader = try outer.enter(DERTag.sequence, in: bytes)
        try outer.finish()
        try self.init(&reader, count: 2, bytes)
    }

    /// Reads a private key.
    ///
    /// - Throws: ``KeyError/malformed(_:)`` or ``KeyError/unsupportedType``.
    init(privateKey bytes: RawSpan) throws(KeyError) {
        var outer = DERReader(bytes, .pkcs1)
        var reader = try outer.enter(DERTag.sequence, in: bytes)
        try outer.finish()
        try reader.take(number: 0, in: bytes)
        try self.init(&reader, count: Self.names.count, bytes)
    }

    private init(_ reader: inout DERReader, count: Int, _ bytes: RawSpan) throws(KeyError) {
        var places: [Range<Int>] = []
        for _ in 0..<count { places.append(try reader.takeNumber(in: bytes)) }
        try reader.finish()
        let modulus = places[0]
        let exponent = places[1]
        let bits = modulus.count * 8 - bytes.byte(modulus.lowerBound).leadingZeroBitCount
        type = .rsa(bits: bits)
        guard type.isSupported else { throw .unsupportedType }
        // Larger numbers would only cost time until OpenSSL refuses them.
        guard exponent.count <= Self.longestExponent, places.allSatisfy({ $0.count <= modulus.count }),
            bytes.byte(modulus.upperBound - 1) & 1 == 1, bytes.byte(exponent.upperBound - 1) & 1 == 1,
            exponent.count > 1 || bytes.byte(exponent.lowerBound) > 1
        else { throw .invalidKey }
        self.places = places
    }

    /// The numbers of the key, for OpenSSL.
    var parts: [EVPKey.Part] { zip(Self.names, places).map { .number($0, $1) } }

    /// The numbers of the public half, for OpenSSL.
    var publicParts: [EVPKey.Part] { Array(parts.prefix(2)) }

    /// Returns the public half of a private key in PKCS#1.
    func publicHalf(of bytes: RawSpan) -> [UInt8] {
        let numbers = places.prefix(2).map { DERElement.number($0, of: bytes) }
        return DERElement.sequence(numbers).encoded(from: bytes)
    }

    /// Returns the numbers of a generated key in PKCS#1.
    ///
    /// - Throws: ``KeyError/unavailable`` or ``KeyError/memory(_:)``.
    static func privateKey(_ key: borrowing EVPKey, bits: Int) throws(KeyError) -> SecureBytes {
        let full = bits / 8
        let half = full / 2
        var place = 0
        // The exponent of a generated key is 65537.
        let numbers = zip(names, [full, 3, full, half, half, half, half, half]).map { name, count in
            defer { place += count }
            return EVPKey.Part.number(name, place..<(place + count))
        }
        let count = place
        var bytes = try KeyError.guarding(SecureBytes(count: count))
        try bytes.withMutableBytes { (bytes) throws(KeyError) in try key.read(numbers, into: bytes) }
        return try bytes.withBytes { (bytes) throws(KeyError) in
            let elements = [.number(0)] + numbers.map { DERElement.number($0.place, of: bytes) }
            return try DERElement.sequence(elements).encodedSecretly(from: bytes)
        }
    }
}
