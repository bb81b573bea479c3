internal import COpenSSL
public import SodiumKit

/// The content of a PKCS#12 archive: private keys and certificates that a passphrase protected.
public struct PKCS12: Sendable {
    /// A private key of the archive.
    public final class Key: Sendable {
        /// The key.
        public let key: PrivateKey
        /// The identifier that the key shares with its certificate; nil if it has none.
        public let localIdentifier: [UInt8]?
        /// The name for people; nil if the key has none.
        public let friendlyName: String?

        fileprivate init(_ key: consuming PrivateKey, _ localIdentifier: [UInt8]?, _ friendlyName: String?) {
            self.key = key
            self.localIdentifier = localIdentifier
            self.friendlyName = friendlyName
        }
    }

    /// The private keys, in the order of the archive.
    public private(set) var keys: [Key] = []
    /// The certificates, in the order of the archive.
    public private(set) var certificates: [Certificate] = []
    /// The identifiers of the certificates, in the same order. Usually only those that belong to a key have one.
    private var certificateIdentifiers: [[UInt8]?] = []

    /// The size of the largest archive.
    public static let largest = 1 << 20
    /// The number of rounds of key stretching that all parts of an archive together may demand.
    public static let mostIterations = 2_000_000

    /// Opens an archive, also one with the old ciphers of macOS, such as RC2 with 40 bits. Without a passphrase, pass
    /// empty bytes.
    ///
    /// - Throws: ``KeyError/wrongPassphrase``, ``KeyError/malformed(_:)``, ``KeyError/tooManyIterations(limit:)``,
    ///   ``KeyError/inputTooLong(limit:)``, the errors of ``PrivateKey/init(der:)``, or ``KeyError/unavailable`` if
    ///   OpenSSL's legacy provider is missing.
    public static func open(_ bytes: RawSpan, passphrase: borrowing SecureBytes) throws(KeyError) -> PKCS12 {
        guard bytes.byteCount <= largest else { throw .inputTooLong(limit: largest) }
        return try passphrase.withBytes { (passphrase) throws(KeyError) in
            try OpenSSL.performWithOldCiphers { (context) throws(KeyError) in
                var archive = PKCS12Reader(passphrase: passphrase.byteCount, in: context)
                return try passphrase.withUnsafeBytes { (passphrase) throws(KeyError) in
                    try archive.read(bytes, passphrase.assumingMemoryBound(to: CChar.self).baseAddress)
                }
            }
        }
    }

    fileprivate init() {}

    fileprivate mutating func add(_ key: Key) { keys.append(key) }
    fileprivate mutating func add(_ certificate: Certificate, _ localIdentifier: [UInt8]?) {
        certificates.append(certificate)
        certificateIdentifiers.append(localIdentifier)
    }

    /// Returns the certificate that the archive assigns to a key: the one with the same identifier, or for a key without
    /// one, the certificate of the same public key. Check that the public keys are the same.
    ///
    /// - Throws: ``KeyError/unavailable`` if OpenSSL has no memory left.
    public func certificate(for key: Key) throws(KeyError) -> Certificate? {
        if let identifier = key.localIdentifier {
            return certificateIdentifiers.firstIndex(of: identifier).map { certificates[$0] }
        }
        let fingerprint = try key.key.publicKey.fingerprint
        for certificate in certificates where try certificate.publicKeyFingerprint == fingerprint { return certificate }
        return nil
    }
}

/// The way through an archive, which counts the rounds of key stretching before OpenSSL does them.
private struct PKCS12Reader {
    private let context: OpaquePointer
    private let count: Int32
    private var passphrase: UnsafePointer<CChar>?
    private var iterationsLeft = PKCS12.mostIterations
    private var content = PKCS12()
    private static let failure = KeyError.malformed(.pkcs12)
    /// Bags in bags deeper than this occur in no file.
    private static let deepest = 4

    init(passphrase count: Int, in context: OpaquePointer) {
        self.context = context
        self.count = Int32(clamping: count)
    }

    mutating func read(_ bytes: RawSpan, _ passphrase: UnsafePointer<CChar>?) throws(KeyError) -> PKCS12 {
        guard let empty = PKCS12_init_ex(NID_pkcs7_data, context, nil) else { throw .unavailable }
        var archive: OpaquePointer? = empty
        // If OpenSSL refuses the bytes, it frees the archive and sets the pointer to nil.
        defer { PKCS12_free(archive) }
        let isRead = bytes.withPointer { start in
            var place: UnsafePointer<UInt8>? = start
            return d2i_PKCS12(&archive, &place, bytes.byteCount) != nil && place == start + bytes.byteCount
        }
        guard isRead, PKCS12_mac_present(archive) == 1 else { throw Self.failure }
        try verify(archive, passphrase)

        guard let safes = PKCS12_unpack_authsafes(archive) else { throw Self.failure }
        defer { OPENSSL_sk_pop_free(safes, { PKCS7_free($0?.assumingMemoryBound(to: PKCS7.self)) }) }
        for place in 0..<max(0, OPENSSL_sk_num(safes)) {
            let safe = OPENSSL_sk_value(safes, place)?.assumingMemoryBound(to: PKCS7.self)
            try addBags(of: safe)
        }
        return content
    }

    /// Checks the passphrase by the code that protects the whole archive.
    private mutating func verify(_ archive: OpaquePointer?, _ given: UnsafePointer<CChar>?) throws(KeyError) {
        var iterations: UnsafePointer<ASN1_INTEGER>?
        var algorithm: UnsafePointer<X509_ALGOR>?
        PKCS12_get0_mac(nil, &algorithm, nil, &iterations, archive)
        try spend(iterations.map { ASN1_INTEGER_get($0) } ?? 1)
        // Only the code of RFC 9579 has parameters. It stretches the passphrase as its parameters say.
        if Self.parameters(of: algorithm).kind == V_ASN1_SEQUENCE { try spend(algorithm) }
        if count > 0 {
            passphrase = given
            guard PKCS12_verify_mac(archive, given, count) == 1 else { throw .wrongPassphrase }
        } else if PKCS12_verify_mac(archive, nil, 0) != 1 {
            // Programs write an empty passphrase in two ways.
            passphrase = StaticString("").characters
            guard PKCS12_verify_mac(archive, passphrase, 0) == 1 else { throw .wrongPassphrase }
        }
    }

    /// Counts rounds of key stretching.
    private mutating func spend(_ iterations: Int) throws(KeyError) {
        guard iterations > 0, iterations <= iterationsLeft else {
            throw .tooManyIterations(limit: PKCS12.mostIterations)
        }
        iterationsLeft -= iterations
    }

    private static func parameters(
        of algorithm: UnsafePointer<X509_ALGOR>?
    ) -> (name: OpaquePointer?, kind: Int32, value: UnsafeRawPointer?) {
        var kind: Int32 = 0
        var value: UnsafeRawPointer?
        var name: OpaquePointer?
        X509_ALGOR_get0(&name, &kind, &value, algorithm)
        return (name, kind, value)
    }

    private static let pbkdf2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C]
    private static let scrypt: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B]

    /// Counts the rounds that an algorithm for a passphrase demands.
    private mutating func spend(_ algorithm: UnsafePointer<X509_ALGOR>?) throws(KeyError) {
        let (name, kind, value) = Self.parameters(of: algorithm)
        guard kind == V_ASN1_SEQUENCE, let value else { throw Self.failure }
        let string = value.assumingMemoryBound(to: ASN1_STRING.self)
        let bytes = UnsafeRawBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string)))
            .bytes
        var outer = DERReader(bytes, .pkcs12)
        var reader = try outer.enter(DERTag.sequence, in: bytes)
        // The numbers whose product is the cost. A step of scrypt takes about as long as a round of the others.
        var factors = 1
        if reader.nextTag(in: bytes) == DERTag.sequence {
            // PBES2, and the code of RFC 9579, name the function that stretches.
            var stretching = try reader.enter(DERTag.sequence, in: bytes)
            let function = bytes.extracting(try stretching.take(DERTag.objectIdentifier, in: bytes))
            if function.isSame(as: Self.scrypt) {
                factors = 3
            } else if !function.isSame(as: Self.pbkdf2) {
                throw Self.failure
            }
            reader = try stretching.enter(DERTag.sequence, in: bytes)
        } else if OBJ_obj2nid(name) == NID_pbes2 {
            throw Self.failure
        }
        _ = try reader.take(DERTag.octetString, in: bytes)
        var cost = 1
        for _ in 0..<factors {
            let place = try reader.takeNumber(in: bytes)
            guard place.count <= 4 else { throw .tooManyIterations(limit: PKCS12.mostIterations) }
            let (product, overflows) = cost.multipliedReportingOverflow(
                by: place.reduce(0) { $0 << 8 | Int(bytes.byte($1)) })
            guard !overflows else { throw .tooManyIterations(limit: PKCS12.mostIterations) }
            cost = product
        }
        try spend(cost)
    }

    private mutating func addBags(of safe: UnsafeMutablePointer<PKCS7>?) throws(KeyError) {
        guard let safe else { throw Self.failure }
        let bags: OpaquePointer?
        switch OBJ_obj2nid(safe.pointee.type) {
        case NID_pkcs7_data: bags = PKCS12_unpack_p7data(safe)
        case NID_pkcs7_encrypted:
            guard let encrypted = safe.pointee.d.encrypted, let data = encrypted.pointee.enc_data else {
                throw Self.failure
            }
            try spend(UnsafePointer(data.pointee.algorithm))
            bags = PKCS12_unpack_p7encdata(safe, passphrase, count)
        default: throw Self.failure
        }
        guard let bags else { throw Self.failure }
        defer { OPENSSL_sk_pop_free(bags, { PKCS12_SAFEBAG_free(OpaquePointer($0)) }) }
        try add(bags, depth: 0)
    }

    private mutating func add(_ bags: OpaquePointer, depth: Int) throws(KeyError) {
        guard depth < Self.deepest else { throw Self.failure }
        for place in 0..<max(0, OPENSSL_sk_num(bags)) {
            guard let bag = OPENSSL_sk_value(bags, place).map({ OpaquePointer($0) }) else { throw Self.failure }
            switch PKCS12_SAFEBAG_get_nid(bag) {
            case NID_keyBag: try addKey(PKCS12_SAFEBAG_get0_p8inf(bag), bag)
            case NID_pkcs8ShroudedKeyBag:
                var algorithm: UnsafePointer<X509_ALGOR>?
                X509_SIG_get0(PKCS12_SAFEBAG_get0_pkcs8(bag), &algorithm, nil)
                try spend(algorithm)
                let info = PKCS12_decrypt_skey_ex(bag, passphrase, count, context, nil)
                defer { PKCS8_PRIV_KEY_INFO_free(info) }
                try addKey(info, bag)
            case NID_certBag where PKCS12_SAFEBAG_get_bag_nid(bag) == NID_x509Certificate:
                try addCertificate(bag)
            case NID_safeContentsBag:
                guard let inner = PKCS12_SAFEBAG_get0_safes(bag) else { throw Self.failure }
                try add(inner, depth: depth + 1)
            default: continue  // revocation lists and other secrets
            }
        }
    }

    private mutating func addKey(_ info: OpaquePointer?, _ bag: OpaquePointer) throws(KeyError) {
        let size = Int(i2d_PKCS8_PRIV_KEY_INFO(info, nil))
        guard info != nil, size > 0 else { throw Self.failure }
        var der = try KeyError.guarding(SecureBytes(count: size))
        der.withMutableBytes { der in
            var place = der.octets
            i2d_PKCS8_PRIV_KEY_INFO(info, &place)
        }
        var name: String?
        if let text = PKCS12_get_friendlyname(bag) {
            name = String(validatingCString: text)
            CRYPTO_free(text, nil, 0)
        }
        content.add(PKCS12.Key(try PrivateKey(der: der), localIdentifier(bag), name))
    }

    private func localIdentifier(_ bag: OpaquePointer) -> [UInt8]? {
        guard let attribute = PKCS12_SAFEBAG_get0_attr(bag, NID_localKeyID),
            attribute.pointee.type == V_ASN1_OCTET_STRING
        else { return nil }
        let string = attribute.pointee.value.octet_string
        return Array(
            UnsafeRawBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
    }

    private mutating func addCertificate(_ bag: OpaquePointer) throws(KeyError) {
        guard let certificate = PKCS12_SAFEBAG_get1_cert(bag) else { throw Self.failure }
        defer { X509_free(certificate) }
        let der = try X509Object(sharing: certificate).der()
        content.add(try Certificate(der: der.span.bytes), localIdentifier(bag))
    }
}
