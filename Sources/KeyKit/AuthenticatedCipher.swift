internal import COpenSSL
public import SodiumKit

/// The ciphers that encrypt a message and protect it with a tag. Additional data is protected but not encrypted.
///
/// Never use a nonce twice with the same key.
public enum AuthenticatedCipher: CaseIterable, Hashable, Sendable {
    /// AES in Galois/counter mode, with a key of 16, 24 or 32 bytes.
    case aesGCM
    /// ChaCha20-Poly1305 as in RFC 8439, with a key of 32 bytes and a nonce of 12.
    case chaCha20Poly1305

    /// The length of the tag.
    public static let tagCount = 16
    /// The longest message: OpenSSL counts in 32 bits.
    public static let longest = Int(Int32.max) - 1024

    /// The possible lengths of a key.
    public var keyCounts: [Int] {
        switch self {
        case .aesGCM: [16, 24, 32]
        case .chaCha20Poly1305: [32]
        }
    }

    /// The possible lengths of a nonce. OpenSSL takes no longer one.
    public var nonceCounts: ClosedRange<Int> {
        switch self {
        case .aesGCM: 1...128
        case .chaCha20Poly1305: 12...12
        }
    }

    /// Returns the ciphertext of `message`, which is as long as the message, and then the tag.
    ///
    /// - Throws: ``KeyError/invalidSize(_:)`` for the key or the nonce, or ``KeyError/inputTooLong(limit:)``.
    public func seal(
        _ message: RawSpan, key: RawSpan, nonce: RawSpan, additional: RawSpan = RawSpan()
    ) throws(KeyError) -> [UInt8] {
        var box: [UInt8] = []
        try OpenSSL.perform { (context) throws(KeyError) in
            try seal(message, key: key, nonce: nonce, additional: additional, onto: &box, in: context)
        }
        return box
    }

    /// Returns the message in `ciphertext`. No byte of it leaves guarded memory before the tag is verified.
    ///
    /// - Throws: ``KeyError/cannotDecrypt`` if the tag is wrong, ``KeyError/invalidSize(_:)`` for the key or the nonce,
    ///   ``KeyError/inputTooLong(limit:)`` or ``KeyError/memory(_:)``.
    public func open(
        _ ciphertext: RawSpan, tag: RawSpan, key: RawSpan, nonce: RawSpan, additional: RawSpan = RawSpan()
    ) throws(KeyError) -> SecureBytes {
        try OpenSSL.perform { (context) throws(KeyError) in
            try open(ciphertext, tag: tag, key: key, nonce: nonce, additional: additional, in: context)
        }
    }

    /// Appends the ciphertext and the tag of `message` to `box`.
    func seal(
        _ message: RawSpan, key: RawSpan, nonce: RawSpan, additional: RawSpan, onto box: inout [UInt8],
        in context: OpaquePointer
    ) throws(KeyError) {
        guard message.byteCount <= Self.longest else { throw .inputTooLong(limit: Self.longest) }
        let cipher = try CipherContext()
        try cipher.start(self, key: key, nonce: nonce, additional: additional, isSealing: true, in: context)
        let start = box.count
        box += [UInt8](repeating: 0, count: message.byteCount + Self.tagCount)
        let isSealed = box.withUnsafeMutableBytes { box in
            let end = start + message.byteCount
            return cipher.update(message, into: UnsafeMutableRawBufferPointer(rebasing: box[start..<end]))
                && cipher.finish()
                && EVP_CIPHER_CTX_ctrl(
                    cipher.pointer, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagCount), box.baseAddress.map { $0 + end }) == 1
        }
        guard isSealed else { throw .unavailable }
    }

    /// Returns the message in `box`, which is ciphertext and tag.
    ///
    /// - Throws: ``KeyError/cannotDecrypt`` if the tag is wrong.
    func open(
        _ box: RawSpan, key: RawSpan, nonce: RawSpan, additional: RawSpan, in context: OpaquePointer
    ) throws(KeyError) -> SecureBytes {
        guard box.byteCount >= Self.tagCount else { throw .cannotDecrypt }
        let count = box.byteCount - Self.tagCount
        return try open(
            box.extracting(first: count), tag: box.extracting(droppingFirst: count), key: key, nonce: nonce,
            additional: additional, in: context)
    }

    private func open(
        _ ciphertext: RawSpan, tag: RawSpan, key: RawSpan, nonce: RawSpan, additional: RawSpan,
        in context: OpaquePointer
    ) throws(KeyError) -> SecureBytes {
        guard tag.byteCount == Self.tagCount else { throw .cannotDecrypt }
        guard ciphertext.byteCount <= Self.longest else { throw .inputTooLong(limit: Self.longest) }
        let cipher = try CipherContext()
        try cipher.start(self, key: key, nonce: nonce, additional: additional, isSealing: false, in: context)
        var message = try KeyError.guarding(SecureBytes(count: ciphertext.byteCount))
        var tag = tag.array()
        let isOpened =
            EVP_CIPHER_CTX_ctrl(cipher.pointer, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagCount), &tag) == 1
            && message.withMutableBytes { cipher.update(ciphertext, into: $0) }
            && cipher.finish()
        guard isOpened else { throw .cannotDecrypt }
        return message
    }
}

/// The parts of AES-GCM that Apple's encryption schemes have in common.
enum AESGCM {
    /// The length of the initialization vector.
    static let vectorCount = 16
    static var zeroVector: [UInt8] { [UInt8](repeating: 0, count: vectorCount) }
}

/// A cipher at work, which OpenSSL clears and frees when its life ends.
private struct CipherContext: ~Copyable {
    let pointer: OpaquePointer

    deinit { EVP_CIPHER_CTX_free(pointer) }

    init() throws(KeyError) {
        guard let made = EVP_CIPHER_CTX_new() else { throw .unavailable }
        pointer = made
    }

    /// Prepares for a message.
    func start(
        _ kind: AuthenticatedCipher, key: RawSpan, nonce: RawSpan, additional: RawSpan, isSealing: Bool,
        in context: OpaquePointer
    ) throws(KeyError) {
        guard additional.byteCount <= AuthenticatedCipher.longest else {
            throw .inputTooLong(limit: AuthenticatedCipher.longest)
        }
        guard kind.keyCounts.contains(key.byteCount) else { throw .invalidSize(key.byteCount) }
        guard kind.nonceCounts.contains(nonce.byteCount) else { throw .invalidSize(nonce.byteCount) }
        let name: StaticString =
            switch (kind, key.byteCount) {
            case (.aesGCM, 16): "AES-128-GCM"
            case (.aesGCM, 24): "AES-192-GCM"
            case (.aesGCM, _): "AES-256-GCM"
            case (.chaCha20Poly1305, _): "ChaCha20-Poly1305"
            }
        guard let cipher = EVP_CIPHER_fetch(context, name.characters, nil) else { throw .unavailable }
        defer { EVP_CIPHER_free(cipher) }
        // The length of the nonce has to be known before the nonce.
        let direction: Int32 = isSealing ? 1 : 0
        var count: Int32 = 0
        let isReady =
            EVP_CipherInit_ex2(pointer, cipher, nil, nil, direction, nil) == 1
            && EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.byteCount), nil) == 1
            && key.withPointer { key in
                nonce.withPointer { EVP_CipherInit_ex2(pointer, nil, key, $0, direction, nil) }
            } == 1
            && (additional.byteCount == 0
                || additional.withPointer {
                    EVP_CipherUpdate(pointer, nil, &count, $0, Int32(additional.byteCount))
                } == 1)
        guard isReady else { throw .unavailable }
    }

    /// Encrypts or decrypts `input` into `output`, which has room for it.
    func update(_ input: RawSpan, into output: UnsafeMutableRawBufferPointer) -> Bool {
        guard input.byteCount > 0 else { return true }
        var count: Int32 = 0
        return input.withPointer {
            EVP_CipherUpdate(pointer, output.octets, &count, $0, Int32(input.byteCount))
        } == 1 && Int(count) == input.byteCount
    }

    /// Ends the message. When opening, returns true if the tag is right.
    func finish() -> Bool {
        var nothing: UInt8 = 0
        var count: Int32 = 0
        return EVP_CipherFinal_ex(pointer, &nothing, &count) == 1
    }
}
