internal import COpenSSL
internal import SodiumKit

/// A key as OpenSSL has it, for one operation. OpenSSL clears and frees it when its life ends.
struct EVPKey: ~Copyable {
    let pointer: OpaquePointer

    deinit { EVP_PKEY_free(pointer) }

    /// A part of the bytes of a key, and the name that OpenSSL has for it.
    struct Part {
        let name: StaticString
        let place: Range<Int>
        /// True for a number, and false for octets such as a point.
        let isNumber: Bool

        static func number(_ name: StaticString, _ place: Range<Int>) -> Part {
            Part(name: name, place: place, isNumber: true)
        }

        static func octets(_ name: StaticString, _ place: Range<Int>) -> Part {
            Part(name: name, place: place, isNumber: false)
        }
    }

    /// Builds the key from parts of `bytes`.
    ///
    /// - Throws: ``KeyError/invalidPoint`` or ``KeyError/invalidKey`` if OpenSSL refuses the parts.
    init(
        _ type: KeyType, isPrivate: Bool, _ parts: [Part], of bytes: RawSpan, in context: OpaquePointer
    ) throws(KeyError) {
        let builder = try EVPKeyContext(type.family, in: context)
        guard EVP_PKEY_fromdata_init(builder.pointer) == 1 else { throw .unavailable }
        // OpenSSL reads numbers with the lowest byte first. The copy is in guarded memory, because it has the scalar.
        var copy = try KeyError.guarding(SecureBytes(copying: bytes))
        let made = copy.withMutableBytes { copy -> OpaquePointer? in
            guard let start = copy.octets else { return nil }
            var parameters = Parameters()
            if case .ec(let curve) = type { parameters.add("group", curve.group) }
            for part in parts {
                let place = start + part.place.lowerBound
                if part.isNumber {
                    copy[part.place].reverse()
                    parameters.add(part.name, littleEndian: place, count: part.place.count)
                } else {
                    parameters.add(part.name, octets: place, count: part.place.count)
                }
            }
            return parameters.withPointer { parameters in
                var made: OpaquePointer?
                let selection = isPrivate ? latchkey_select_keypair : latchkey_select_public_key
                return EVP_PKEY_fromdata(builder.pointer, &made, selection, parameters) == 1 ? made : nil
            }
        }
        guard let made else { throw type.family == .ec ? .invalidPoint : .invalidKey }
        pointer = made
    }

    init(generating type: KeyType, in context: OpaquePointer) throws(KeyError) {
        let made =
            switch type {
            case .ec(let curve): latchkey_generate_ec(context, curve.group.characters)
            case .rsa(let bits): latchkey_generate_rsa(context, bits)
            case .ed25519: OpaquePointer?.none
            }
        guard let made else { throw .unavailable }
        pointer = made
    }

    /// Checks that a public key is valid.
    borrowing func checkPublic(in context: OpaquePointer) throws(KeyError) {
        let operation = try EVPKeyContext(self, in: context)
        guard EVP_PKEY_public_check(operation.pointer) == 1 else { throw .invalidKey }
    }

    /// Checks that a private key is valid and belongs to its public key.
    borrowing func checkPair(in context: OpaquePointer) throws(KeyError) {
        let operation = try EVPKeyContext(self, in: context)
        guard EVP_PKEY_check(operation.pointer) == 1 else { throw .invalidKey }
    }

    /// Fills each place of `bytes` with a number of the key, its highest byte first.
    borrowing func read(_ numbers: [Part], into bytes: UnsafeMutableRawBufferPointer) throws(KeyError) {
        guard let start = bytes.octets else { throw .unavailable }
        var parameters = Parameters()
        for number in numbers {
            parameters.add(number.name, littleEndian: start + number.place.lowerBound, count: number.place.count)
        }
        let isRead = parameters.withPointer { EVP_PKEY_get_params(pointer, $0) == 1 }
        guard isRead else { throw .unavailable }
        for number in numbers { bytes[number.place].reverse() }
    }

    /// Fills `bytes` with the public point.
    borrowing func readPoint(into bytes: UnsafeMutableRawBufferPointer) throws(KeyError) {
        var count = 0
        guard
            EVP_PKEY_get_octet_string_param(pointer, "encoded-pub-key", bytes.octets, bytes.count, &count) == 1,
            count == bytes.count
        else { throw .unavailable }
    }
}

/// An operation with a key as OpenSSL has it.
struct EVPKeyContext: ~Copyable {
    let pointer: OpaquePointer

    deinit { EVP_PKEY_CTX_free(pointer) }

    init(_ key: borrowing EVPKey, in context: OpaquePointer) throws(KeyError) {
        guard let made = EVP_PKEY_CTX_new_from_pkey(context, key.pointer, nil) else { throw .unavailable }
        pointer = made
    }

    init(_ family: KeyFamily, in context: OpaquePointer) throws(KeyError) {
        let name: StaticString =
            switch family {
            case .ec: "EC"
            case .rsa: "RSA"
            case .ed25519: "ED25519"
            }
        guard let made = EVP_PKEY_CTX_new_from_name(context, name.characters, nil) else { throw .unavailable }
        pointer = made
    }
}
