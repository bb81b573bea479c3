/// The identifier that the kernel derives from the key of an encrypted folder. It tells nothing about the key.
package struct FolderKeyIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The number of its bytes.
    package static let count = 16

    package let bytes: [UInt8]

    /// Creates an identifier of these bytes; nil if they are not 16.
    package init?(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        guard self.bytes.count == Self.count else { return nil }
    }

    /// Reads an identifier from 32 hexadecimal digits in lowercase; nil if the text is something else.
    package init?(_ text: String) {
        let values = text.utf8.compactMap { Self.digits.firstIndex(of: $0) }
        guard values.count == 2 * Self.count, text.utf8.count == values.count else { return nil }
        bytes = (0..<Self.count).map { place in
            let (high, low) = (values[2 * place], values[2 * place + 1])
            return UInt8(high << 4 | low)
        }
    }

    /// The identifier as 32 hexadecimal digits.
    package var description: String {
        String(decoding: bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
