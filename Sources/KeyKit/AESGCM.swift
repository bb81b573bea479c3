internal import COpenSSL
internal import SodiumKit

/// AES-GCM with an initialization vector of sixteen bytes, as in Apple's schemes.
enum AESGCM {
    /// The length of the tag at the end.
    static let tagCount = 16
    /// The length of the initialization vector.
    static let vectorCount = 16
    /// The possible lengths of a key.
    static let keyCounts = [16, 24, 32]
    /// The longest message: OpenSSL counts in 32 bits.
    static let longest = Int(Int32.max) - 1024
    /// The vector of zeros.
    static var zeroVector: [UInt8] { [UInt8](repeating: 0, count: vectorCount) }

    /// A cipher that OpenSSL clears and frees when its life ends.
    private struct Cipher: ~Copyable {
        let pointer: OpaquePointer

        deinit { EVP_CIPHER_CTX_free(pointer) }

        init() throws(KeyError) {
            guard let made = EVP_CIPHER_CTX_new() else { throw .unavailable }
            pointer = made
        }

        /// Prepares for a message.
        func start(
            key: RawSpan, vector: RawSpan, additional: RawSpan, isSealing: Bool, in context: OpaquePointer
        ) throws(KeyError) {
            guard additional.byteCount <= AESGCM.longest else { throw .inputTooLong(limit: AESGCM.longest) }
            let name: StaticString
            switch key.byteCount {
            case 16: name = "AES-128-GCM"
            case 24: name = "AES-192-GCM"
            case 32: name = "AES-256-GCM"
            default: throw .invalidSize(key.byteCount)
            }
            guard let cipher = EVP_CIPHER_fetch(context, name.characters, nil) else { throw .unavailable }
            defer { EVP_CIPHER_free(cipher) }
            // The length of the vector has to be known before the vector.
            let direction: Int32 = isSealing ? 1 : 0
            var count: Int32 = 0
            let isReady =
                EVP_CipherInit_ex2(pointer, cipher, nil, nil, direction, nil) == 1
                && EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_IVLEN, Int32(vectorCount), nil) == 1
                && key.withPointer { key in
                    vector.withPointer { EVP_CipherInit_ex2(pointer, nil, key, $0, direction, nil) }
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

    /// Appends the ciphertext and the tag of `message` to `box`.
    static func seal(
        _ message: RawSpan, key: RawSpan, vector: RawSpan, additional: RawSpan, onto box: inout [UInt8],
        in context: OpaquePointer
    ) throws(KeyError) {
        guard message.byteCount <= longest else { throw .inputTooLong(limit: longest) }
        let cipher = try Cipher()
        try cipher.start(key: key, vector: vector, additional: additional, isSealing: true, in: context)
        let start = box.count
        box += [UInt8](repeating: 0, count: message.byteCount + tagCount)
        let isSealed = box.withUnsafeMutableBytes { box in
            let end = start + message.byteCount
            return cipher.update(message, into: UnsafeMutableRawBufferPointer(rebasing: box[start..<end]))
                && cipher.finish()
                && EVP_CIPHER_CTX_ctrl(
                    cipher.pointer, EVP_CTRL_AEAD_GET_TAG, Int32(tagCount), box.baseAddress.map { $0 + end }) == 1
        }
        guard isSealed else { throw .unavailable }
    }

    /// Returns the message in `box`, which is ciphertext and tag. No byte of it leaves guarded memory before the tag is
    /// verified.
    ///
    /// - Throws: ``KeyError/cannotDecrypt`` if the tag is wrong.
    static func open(
        _ box: RawSpan, key: RawSpan, vector: RawSpan, additional: RawSpan, in context: OpaquePointer
    ) throws(KeyError) -> SecureBytes {
        guard box.byteCount >= tagCount else { throw .cannotDecrypt }
        let count = box.byteCount - tagCount
        guard count <= longest else { throw .inputTooLong(limit: longest) }
        let cipher = try Cipher()
        try cipher.start(key: key, vector: vector, additional: additional, isSealing: false, in: context)
        var message = try KeyError.guarding { () throws(SodiumError) in try SecureBytes(count: count) }
        var tag = box.extracting(droppingFirst: count).array()
        let isOpened =
            EVP_CIPHER_CTX_ctrl(cipher.pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tagCount), &tag) == 1
            && message.withMutableBytes { cipher.update(box.extracting(first: count), into: $0) }
            && cipher.finish()
        guard isOpened else { throw .cannotDecrypt }
        return message
    }
}
