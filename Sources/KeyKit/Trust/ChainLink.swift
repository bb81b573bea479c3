internal import COpenSSL

/// A certificate of a chain, twice: as OpenSSL has it and as KeyKit has it.
struct ChainLink {
    let object: X509Object
    let certificate: Certificate

    init(_ certificate: Certificate, in context: OpaquePointer) throws(KeyError) {
        let der = certificate.der
        object = try X509Object(der: der.span.bytes, in: context)
        self.certificate = certificate
    }

    /// Reads a certificate that OpenSSL has found.
    init(_ object: X509Object) throws(KeyError) {
        let der = try object.der()
        certificate = try Certificate(der: der.span.bytes)
        self.object = object
    }

    /// True if the certificate names itself as its issuer. Its signature can still be that of another key.
    var looksSelfSigned: Bool { X509_self_signed(object.pointer, 0) == 1 }

    /// The number that OpenSSL has for the hash function of the signature; nil if it is unknown, and zero if the signature
    /// needs none.
    var signatureHash: Int32? {
        var hash: Int32 = 0
        return X509_get_signature_info(object.pointer, &hash, nil, nil, nil) == 1 ? hash : nil
    }

    /// Returns true if the names and identifiers of both allow that `issuer` has signed the certificate.
    func canBeSigned(by issuer: ChainLink) -> Bool {
        // A later check reports a key that may not sign. It does not look for another issuer.
        [X509_V_OK, X509_V_ERR_KEYUSAGE_NO_CERTSIGN, X509_V_ERR_KEYUSAGE_NO_DIGITAL_SIGNATURE]
            .contains(X509_check_issued(issuer.object.pointer, object.pointer))
    }

    /// Returns true if the key of `issuer` has signed the certificate.
    func isSigned(by issuer: ChainLink) -> Bool {
        guard let key = X509_get0_pubkey(issuer.object.pointer) else { return false }
        return X509_verify(object.pointer, key) == 1 || isSignedDespiteParameters(by: issuer)
    }

    /// Returns true if the certificate names the algorithm of its signature with different parameters inside and outside of
    /// what is signed, and the key of `issuer` has signed it.
    ///
    /// OpenSSL refuses such certificates, and Apple's system compares only the names. The algorithms that are
    /// accepted here have no parameters, so that nothing depends on them.
    func isSignedDespiteParameters(by issuer: ChainLink) -> Bool {
        guard let inner = X509_get0_tbs_sigalg(object.pointer) else { return false }
        var outer: UnsafePointer<X509_ALGOR>?
        X509_get0_signature(nil, &outer, object.pointer)
        guard let outer, X509_ALGOR_cmp(outer, inner) != 0,
            OBJ_cmp(outer.pointee.algorithm, inner.pointee.algorithm) == 0
        else { return false }
        var (hash, family) = (NID_undef, NID_undef)
        guard OBJ_find_sigid_algs(OBJ_obj2nid(inner.pointee.algorithm), &hash, &family) == 1,
            let hash = HashAlgorithm(number: hash), let key = try? issuer.certificate.publicKey,
            let (content, signature) = try? certificate.signedParts()
        else { return false }
        let scheme: SignatureScheme
        switch family {
        case NID_rsaEncryption: scheme = .rsaPKCS1(hash, .message)
        case NID_X9_62_id_ecPublicKey: scheme = .ecdsa(.x962, hash, .message)
        default: return false
        }
        let bytes = certificate.der.span.bytes
        return (try? key.verify(bytes.extracting(signature), of: bytes.extracting(content), with: scheme)) == true
    }
}

extension Certificate {
    /// Returns the places of what is signed and of the signature.
    fileprivate func signedParts() throws(KeyError) -> (content: Range<Int>, signature: Range<Int>) {
        let bytes = der.span.bytes
        var outer = DERReader(bytes, .certificate)
        var certificate = try outer.enter(DERTag.sequence, in: bytes)
        let content = try certificate.takeAny(in: bytes).whole
        _ = try certificate.take(DERTag.sequence, in: bytes)
        return (content, try certificate.takeBits(in: bytes))
    }
}

extension HashAlgorithm {
    /// Creates the function from OpenSSL's number; nil if it is another one.
    fileprivate init?(number: Int32) {
        switch number {
        case NID_sha1: self = .sha1
        case NID_sha224: self = .sha224
        case NID_sha256: self = .sha256
        case NID_sha384: self = .sha384
        case NID_sha512: self = .sha512
        default: return nil
        }
    }
}
