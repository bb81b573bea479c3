internal import COpenSSL
internal import SodiumKit

extension PrivateKey {
    /// Returns a signature of `input`.
    ///
    /// ECDSA signatures differ each time: their random number comes from OpenSSL, which mixes the key and the digest
    /// into it.
    ///
    /// - Throws: ``KeyError/unsupportedScheme(_:)``, ``KeyError/wrongDigestLength(expected:actual:)``,
    ///   ``KeyError/inputTooLong(limit:)``, ``KeyError/inputOutOfRange`` or ``KeyError/memory(_:)``.
    public borrowing func sign(_ input: RawSpan, with scheme: SignatureScheme) throws(KeyError) -> [UInt8] {
        let type = type
        if scheme == .ed25519 {
            guard type == .ed25519 else { throw .unsupportedScheme(type) }
            return try withExternalRepresentation { (bytes) throws(KeyError) in
                try EdwardsKey.sign(input, with: bytes)
            }
        }
        let prepared = try scheme.prepare(input, for: type)
        guard scheme.fits(type) else { throw .unsupportedScheme(type) }
        // An ECDSA signature has two numbers with a sign byte each, and three heads of up to three bytes.
        let room = type.family == .ec ? 2 * (type.blockCount + 1) + 9 : type.blockCount
        let signature = try OpenSSL.perform { (context) throws(KeyError) in
            let operation = try EVPKeyContext(makeEVPKey(in: context), in: context)
            guard scheme.parameters.withPointer({ EVP_PKEY_sign_init_ex(operation.pointer, $0) }) == 1 else {
                throw .unavailable
            }
            var count = room
            var isSigned = false
            let signature = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
                isSigned =
                    EVP_PKEY_sign(operation.pointer, buffer.baseAddress, &count, prepared, prepared.count) == 1
                filled = isSigned ? count : 0
            }
            // Everything but the bare operation takes any input that was prepared for it.
            guard isSigned else { throw scheme == .rsaRaw ? .inputOutOfRange : .unavailable }
            return signature
        }
        guard case .ec(let curve) = type, scheme.encoding == .rfc4754 else { return signature }
        return try ECDSASignature(der: signature.span.bytes, on: curve).fixed
    }
}

extension PublicKey {
    /// Returns true if `signature` is a valid signature of `input`. A signature in a wrong encoding is not valid.
    ///
    /// - Throws: ``KeyError/unsupportedScheme(_:)``, ``KeyError/wrongDigestLength(expected:actual:)``,
    ///   ``KeyError/inputTooLong(limit:)`` or ``KeyError/inputOutOfRange``.
    public func verify(
        _ signature: RawSpan, of input: RawSpan, with scheme: SignatureScheme
    ) throws(KeyError) -> Bool {
        if scheme == .ed25519 {
            guard type == .ed25519 else { throw .unsupportedScheme(type) }
            return Ed25519.isValid(signature, of: input, by: externalRepresentation.span.bytes)
        }
        let prepared = try scheme.prepare(input, for: type)
        var signature = signature.array()
        if case .ec(let curve) = type {
            let numbers =
                switch scheme.encoding {
                case .rfc4754: ECDSASignature(fixed: signature, on: curve)
                case .x962, nil: try? ECDSASignature(der: signature.span.bytes, on: curve)
                }
            guard let numbers else { return false }
            signature = numbers.der
        }
        guard signature.count <= 2 * type.blockCount + 16 else { return false }
        return try OpenSSL.perform { (context) throws(KeyError) in
            let operation = try EVPKeyContext(makeEVPKey(in: context), in: context)
            guard scheme.parameters.withPointer({ EVP_PKEY_verify_init_ex(operation.pointer, $0) }) == 1 else {
                throw .unavailable
            }
            return EVP_PKEY_verify(operation.pointer, signature, signature.count, prepared, prepared.count) == 1
        }
    }
}

/// The two numbers of an ECDSA signature, r and s, each as long as a coordinate.
package struct ECDSASignature {
    /// The numbers one after the other, as in RFC 4754.
    package let fixed: [UInt8]

    /// Reads RFC 4754; nil if the length is wrong.
    package init?(fixed: [UInt8], on curve: Curve) {
        guard fixed.count == 2 * curve.coordinateCount else { return nil }
        self.fixed = fixed
    }

    /// Reads a DER sequence.
    ///
    /// - Throws: ``KeyError/malformed(_:)``.
    package init(der bytes: RawSpan, on curve: Curve) throws(KeyError) {
        var outer = DERReader(bytes, .signature)
        var reader = try outer.enter(DERTag.sequence, in: bytes)
        try outer.finish()
        var fixed: [UInt8] = []
        for _ in 0..<2 {
            let number = try reader.takeNumber(in: bytes)
            guard number.count <= curve.coordinateCount else { throw .malformed(.signature) }
            fixed += try bytes.extracting(number).paddedInFront(to: curve.coordinateCount)
        }
        try reader.finish()
        self.fixed = fixed
    }

    package var der: [UInt8] {
        let half = fixed.count / 2
        let source = fixed.span.bytes
        return DERElement.sequence([.number(0..<half, of: source), .number(half..<fixed.count, of: source)])
            .encoded(from: source)
    }
}
