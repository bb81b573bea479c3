extension PublicKey {
    /// Reads and checks an RSA key from its modulus and its exponent, each with the highest byte first.
    ///
    /// - Throws: ``KeyError/malformed(_:)``, ``KeyError/invalidKey``, or ``KeyError/unsupportedType``, also if the key is not
    ///   ``KeyType/isStrong``.
    package init(modulus: [UInt8], exponent: [UInt8]) throws(KeyError) {
        let source = modulus + exponent
        let encoded = DERElement.sequence([
            .number(0..<modulus.count, of: source.span.bytes),
            .number(modulus.count..<source.count, of: source.span.bytes),
        ]).encoded(from: source.span.bytes)
        try self.init(externalRepresentation: encoded.span.bytes, .rsa)
        guard type.isStrong else { throw .unsupportedType }
    }

    /// The modulus and the exponent of an RSA key, without leading zeros; nil for a key of another family.
    package var modulusAndExponent: (modulus: [UInt8], exponent: [UInt8])? {
        guard type.family == .rsa else { return nil }
        let bytes = externalRepresentation.span.bytes
        var outer = DERReader(bytes, .pkcs1)
        guard var reader = try? outer.enter(DERTag.sequence, in: bytes),
            let modulus = try? reader.takeNumber(in: bytes), let exponent = try? reader.takeNumber(in: bytes)
        else { return nil }
        return (bytes.extracting(modulus).array(), bytes.extracting(exponent).array())
    }
}
