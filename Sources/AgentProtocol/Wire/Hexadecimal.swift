/// Bytes that are no secret, as hexadecimal digits in a head.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    package static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns the bytes that `text` stands for; nil if it is not valid.
    package static func bytes(_ text: String) -> [UInt8]? {
        let values = text.utf8.map { digit in digits.firstIndex(of: digit) }
        guard values.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: values.count, by: 2) {
            guard let high = values[place], let low = values[place + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
