internal import CSodium

extension SecureBytes {
    /// The two alphabets of base64.
    package enum Base64Alphabet: CaseIterable, Sendable {
        /// The alphabet with `+` and `/`, and padding.
        case standard
        /// The alphabet for URLs: `-` and `_`, without padding.
        case url
    }

    package borrowing func hexadecimal() throws(SodiumError) -> SecureBytes {
        let size = 2 * count
        var text = try SecureBytes(count: size + 1)  // C ends the text with a zero byte.
        withBytes { bytes in
            text.withMutableBytes { target in
                let target = target.assumingMemoryBound(to: CChar.self)
                bytes.withPointer { _ = sodium_bin2hex(target.start, target.count, $0, bytes.byteCount) }
            }
        }
        return try text.prefix(size)
    }

    package borrowing func base64(_ alphabet: Base64Alphabet) throws(SodiumError) -> SecureBytes {
        let variant =
            switch alphabet {
            case .standard: sodium_base64_VARIANT_ORIGINAL
            case .url: sodium_base64_VARIANT_URLSAFE_NO_PADDING
            }
        let size = sodium_base64_encoded_len(count, variant)
        var text = try SecureBytes(count: size)
        withBytes { bytes in
            text.withMutableBytes { target in
                let target = target.assumingMemoryBound(to: CChar.self)
                bytes.withPointer { _ = sodium_bin2base64(target.start, size, $0, bytes.byteCount, variant) }
            }
        }
        return try text.prefix(size - 1)
    }

    /// Returns the bytes that this text in standard base64 stands for, with blanks and line ends between. Returns nil if
    /// it is not valid.
    package static func decoding(base64 text: RawSpan) throws(SodiumError) -> SecureBytes? {
        var bytes = try SecureBytes(count: text.byteCount / 4 * 3 + 3)
        var count = 0
        var isValid = false
        bytes.withMutableBytes { bytes in
            let target = bytes.assumingMemoryBound(to: UInt8.self)
            text.withUnsafeBytes { text in
                guard let start = text.assumingMemoryBound(to: CChar.self).baseAddress else { return }
                isValid =
                    sodium_base642bin(
                        target.start, target.count, start, text.count, " \t\r\n", &count, nil,
                        sodium_base64_VARIANT_ORIGINAL) == 0
            }
        }
        return isValid ? try bytes.prefix(count) : nil
    }
}
