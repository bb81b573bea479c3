internal import COpenSSL
internal import SodiumKit

/// Apple's ECIES with one set of parameters.
struct ECIES {
    let curve: Curve
    let hash: HashAlgorithm
    let vector: InitializationVector
    let parameters: EncryptionParameters
    private let keyCount: Int

    /// - Throws: ``KeyError/invalidSize(_:)`` if AES has no key of the size.
    init(
        _ curve: Curve, _ hash: HashAlgorithm, _ vector: InitializationVector, _ parameters: EncryptionParameters
    ) throws(KeyError) {
        self.curve = curve
        self.hash = hash
        self.vector = vector
        self.parameters = parameters
        keyCount = parameters.keyCount ?? (curve == .p256 ? 16 : 32)
        guard AuthenticatedCipher.aesGCM.keyCounts.contains(keyCount) else { throw .invalidSize(keyCount) }
    }

    /// Returns the AES key, then the initialization vector.
    private func derive(_ secret: borrowing SecureBytes, _ point: RawSpan, in context: OpaquePointer) throws(KeyError)
        -> SecureBytes
    {
        let derived =
            switch vector {
            case .zero: keyCount
            case .derived: keyCount + AESGCM.vectorCount
            }
        let zeros = keyCount + AESGCM.vectorCount - derived
        let info = point.array() + parameters.sharedInfo
        return try X963.derive(derived, zeros: zeros, from: secret, info, .standard(hash), in: context)
    }

    /// Returns `message`, encrypted for `recipient`.
    func seal(
        _ message: RawSpan, for recipient: PublicKey, ephemeral: borrowing PrivateKey
    ) throws(KeyError) -> [UInt8] {
        var box = ephemeral.publicKey.externalRepresentation
        try OpenSSL.perform { (context) throws(KeyError) in
            let secret = try ephemeral.agree(with: recipient.makeEVPKey(in: context), on: curve, in: context)
            let derived = try derive(secret, box.span.bytes, in: context)
            try derived.withBytes { (derived) throws(KeyError) in
                try AuthenticatedCipher.aesGCM.seal(
                    message, key: derived.extracting(first: keyCount),
                    nonce: derived.extracting(droppingFirst: keyCount),
                    additional: parameters.additionalData.span.bytes, onto: &box, in: context)
            }
        }
        return box
    }

    /// Returns the message in `box`.
    ///
    /// - Throws: ``KeyError/cannotDecrypt``.
    func open(_ box: RawSpan, with key: borrowing PrivateKey) throws(KeyError) -> SecureBytes {
        guard box.byteCount >= curve.pointCount + AuthenticatedCipher.tagCount else { throw .cannotDecrypt }
        let point = box.extracting(first: curve.pointCount)
        guard point.byte(0) == 4 else { throw .cannotDecrypt }
        return try OpenSSL.perform { (context) throws(KeyError) in
            let ephemeral: EVPKey
            do throws(KeyError) {
                // OpenSSL refuses a point that is not on the curve.
                let parts: [EVPKey.Part] = [.octets("pub", 0..<curve.pointCount)]
                ephemeral = try EVPKey(.ec(curve), isPrivate: false, parts, of: point, in: context)
            } catch { throw error == .invalidPoint ? .cannotDecrypt : error }
            let derived = try derive(key.agree(with: ephemeral, on: curve, in: context), point, in: context)
            return try derived.withBytes { (derived) throws(KeyError) in
                try AuthenticatedCipher.aesGCM.open(
                    box.extracting(droppingFirst: curve.pointCount), key: derived.extracting(first: keyCount),
                    nonce: derived.extracting(droppingFirst: keyCount),
                    additional: parameters.additionalData.span.bytes, in: context)
            }
        }
    }
}
