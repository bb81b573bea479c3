internal import COpenSSL
public import SodiumKit

/// A private key with one owner. Its bytes are in guarded memory, and are wiped when its life ends.
///
///     let key = try PrivateKey.generate(.ec(.p256))
///     let signature = try key.sign(message.span.bytes, with: .ecdsa(.x962, .sha256, .message))
///
/// OpenSSL has the key only during an operation. It works in ordinary memory, which is wiped when OpenSSL frees it, if
/// KeyKit is the first to use OpenSSL in the process. At the first call of a function, the dynamic linker saves the
/// vector registers on the stack, and they can hold a few bytes of the last key that was copied. A program that is
/// linked with `-z now` calls no function for the first time.
///
/// OpenSSL takes care that signing, decrypting and agreeing take a time that does not depend on the private key: it
/// uses ladders or tables without secret addresses for curves, and blinding for RSA. KeyKit adds nothing that depends
/// on the key, except on the number of leading zero bytes in the numbers of an RSA key. Generating and importing check
/// for primes and are not constant-time. ``decrypt(_:with:_:)`` documents the limits of PKCS#1 padding.
public struct PrivateKey: ~Copyable, Sendable {
    private let bytes: SecureBytes
    /// The public half.
    public let publicKey: PublicKey

    /// The type of the key.
    public var type: KeyType { publicKey.type }

    /// Generates a key of one of ``KeyType/generatedTypes``.
    ///
    /// - Parameters:
    ///   - type: The type of the key.
    ///   - isCompact: True for a key on a curve whose public half has a ``PublicKey/compactPoint``.
    /// - Throws: ``KeyError/unsupportedType``, ``KeyError/memory(_:)`` or ``KeyError/unavailable``.
    public static func generate(_ type: KeyType, isCompact: Bool = false) throws(KeyError) -> PrivateKey {
        guard type.family == .ec || !isCompact else { throw .unsupportedType }
        var key = try generateAny(type)
        // Half of all keys are compact.
        while isCompact && key.publicKey.compactPoint == nil { key = try generateAny(type) }
        return key
    }

    /// Generates an RSA key of ``KeyType/oldRSASize``, for tests of code that still uses such keys.
    ///
    /// - Throws: ``KeyError/memory(_:)`` or ``KeyError/unavailable``.
    package static func generateOldRSA() throws(KeyError) -> PrivateKey { try make(.rsa(bits: KeyType.oldRSASize)) }

    private static func generateAny(_ type: KeyType) throws(KeyError) -> PrivateKey {
        guard KeyType.generatedTypes.contains(type) else { throw .unsupportedType }
        return try make(type)
    }

    private static func make(_ type: KeyType) throws(KeyError) -> PrivateKey {
        if type == .ed25519 { return try PrivateKey(trusted: EdwardsKey.generate(), .ed25519) }
        let bytes = try OpenSSL.perform { (context) throws(KeyError) in
            let key = try EVPKey(generating: type, in: context)
            switch type {
            case .ec(let curve): return try Self.externalRepresentation(of: key, on: curve)
            case .rsa(let bits): return try RSANumbers.privateKey(key, bits: bits)
            case .ed25519: throw KeyError.unsupportedType
            }
        }
        return try PrivateKey(trusted: bytes, type.family)
    }

    /// Reads and checks the bytes that Apple's `SecKeyCopyExternalRepresentation` returns: 04, X, Y and K, or PKCS#1. A
    /// key of Ed25519 is its public half and its seed. The length of a key on a curve determines the curve.
    ///
    /// The check proves that the halves belong together. It costs as much as several signatures, and for RSA far more.
    ///
    /// - Throws: ``KeyError/malformed(_:)``, ``KeyError/invalidPoint``, ``KeyError/invalidKey``,
    ///   ``KeyError/unsupportedType`` or ``KeyError/memory(_:)``.
    public init(externalRepresentation bytes: borrowing SecureBytes, _ family: KeyFamily) throws(KeyError) {
        let copy = try bytes.withBytes { (bytes) throws(KeyError) in
            try KeyError.guarding(SecureBytes(copying: bytes))
        }
        let key = try PrivateKey(trusted: copy, family)
        try key.check()
        self = key
    }

    /// Takes over the external representation of a key that was checked before, such as bytes that a vault has
    /// authenticated. Only their form is looked at.
    ///
    /// - Throws: ``KeyError/malformed(_:)``, ``KeyError/invalidKey`` or ``KeyError/unsupportedType``.
    public init(trusted bytes: consuming SecureBytes, _ family: KeyFamily) throws(KeyError) {
        publicKey = try bytes.withBytes { (bytes) throws(KeyError) in
            switch family {
            case .ec:
                let curve = Curve.allCases.first { $0.pointCount + $0.coordinateCount == bytes.byteCount }
                guard let curve, bytes.byte(0) == 4 else { throw .malformed(.point) }
                return PublicKey(trusted: bytes.extracting(first: curve.pointCount).array(), .ec(curve))
            case .rsa:
                let numbers = try RSANumbers(privateKey: bytes)
                return PublicKey(trusted: numbers.publicHalf(of: bytes), numbers.type)
            case .ed25519:
                guard bytes.byteCount == EdwardsKey.privateCount else { throw .malformed(.point) }
                return PublicKey(trusted: bytes.extracting(first: EdwardsKey.publicCount).array(), .ed25519)
            }
        }
        self.bytes = bytes
    }

    /// Reads and checks the scalar of a key on a curve, and computes the public key.
    ///
    /// - Throws: ``KeyError/malformed(_:)``, ``KeyError/invalidKey`` if the scalar is zero or not below the order of the
    ///   curve, or ``KeyError/memory(_:)``.
    public init(scalar: RawSpan, on curve: Curve) throws(KeyError) {
        guard scalar.byteCount == curve.coordinateCount else { throw .malformed(.point) }
        try self.init(scalar: scalar, point: nil, on: curve)
    }

    /// Reads and checks a scalar, which can lack leading zeros. If the point is nil, it is computed.
    init(scalar: RawSpan, point: [UInt8]?, on curve: Curve) throws(KeyError) {
        let count = curve.pointCount + curve.coordinateCount
        var whole = try KeyError.guarding(SecureBytes(count: count))
        try whole.withMutableBytes { (whole) throws(KeyError) in
            scalar.withUnsafeBytes { scalar in
                UnsafeMutableRawBufferPointer(rebasing: whole[(count - scalar.count)...]).copyBytes(from: scalar)
            }
            if let point { whole.copyBytes(from: point) } else { try curve.computePoint(in: whole) }
        }
        try self.init(externalRepresentation: whole, .ec)
    }

    private borrowing func check() throws(KeyError) {
        if type == .ed25519 {
            return try withExternalRepresentation { (bytes) throws(KeyError) in try EdwardsKey.check(bytes) }
        }
        try OpenSSL.perform { (context) throws(KeyError) in try makeEVPKey(in: context).checkPair(in: context) }
    }

    /// Lends the external representation to `body`.
    public borrowing func withExternalRepresentation<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withBytes(body)
    }

    /// Returns a copy of the external representation: 04, X, Y and K, or PKCS#1.
    ///
    /// - Throws: ``KeyError/memory(_:)`` if no guarded memory is left.
    public borrowing func externalRepresentation() throws(KeyError) -> SecureBytes {
        try bytes.withBytes { (bytes) throws(KeyError) in
            try KeyError.guarding(SecureBytes(copying: bytes))
        }
    }

    /// The key as OpenSSL has it.
    borrowing func makeEVPKey(in context: OpaquePointer) throws(KeyError) -> EVPKey {
        let type = type
        return try bytes.withBytes { (bytes) throws(KeyError) in
            let parts: [EVPKey.Part] =
                switch type {
                case .ec(let curve):
                    [.octets("pub", 0..<curve.pointCount), .number("priv", curve.pointCount..<bytes.byteCount)]
                case .rsa: try RSANumbers(privateKey: bytes).parts
                case .ed25519: throw .unsupportedType
                }
            return try EVPKey(type, isPrivate: true, parts, of: bytes, in: context)
        }
    }

    /// Returns 04, X, Y and K of a generated key.
    private static func externalRepresentation(
        of key: borrowing EVPKey, on curve: Curve
    ) throws(KeyError) -> SecureBytes {
        let count = curve.pointCount + curve.coordinateCount
        var bytes = try KeyError.guarding(SecureBytes(count: count))
        try bytes.withMutableBytes { (bytes) throws(KeyError) in
            try key.readPoint(into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<curve.pointCount]))
            try key.read([.number("priv", curve.pointCount..<count)], into: bytes)
        }
        return bytes
    }
}
