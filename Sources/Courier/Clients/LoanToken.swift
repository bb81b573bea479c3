internal import SodiumKit

/// A random text that stands where clients want a credential. It is worth nothing but at the addresses of one loan.
package struct LoanToken: Hashable, Sendable {
    /// The text: `lend_` and 32 hexadecimal digits.
    package let text: String

    private static let mark = "lend_"
    private static let digits = 32
    /// The most places of a value that are compared.
    private static let most = 16

    /// Creates a token that no other process can guess.
    package init() {
        let halves = (0..<2).map { _ in
            let half = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - half.count) + half
        }
        text = Self.mark + halves.joined()
    }

    /// Returns true if the value of a field has this token, by itself or as a name or a password in `Basic`. The time that this takes does
    /// not tell how much of another token is right.
    func isIn(_ value: RawSpan) -> Bool {
        if isPlainlyIn(value) { return true }
        guard value.byteCount > 6,
            value.extracting(..<6).withUnsafeBytes({ String(decoding: $0, as: UTF8.self).lowercased() == "basic " })
        else { return false }
        guard let pair = try? SecureBytes.decoding(base64: value.extracting(6...)) else { return false }
        return pair.withBytes { isPlainlyIn($0) }
    }

    private func isPlainlyIn(_ value: RawSpan) -> Bool {
        let token = Array(text.utf8)
        let mark = token.prefix(Self.mark.utf8.count)
        let places = value.withUnsafeBytes { bytes in
            (0..<max(0, bytes.count - token.count + 1)).lazy.filter { place in
                bytes[place..<place + mark.count].elementsEqual(mark)
            }.prefix(Self.most).map { $0 }
        }
        return places.reduce(false) { found, place in
            let isHere = Sodium.areEqual(value.extracting(place..<place + token.count), token.span.bytes)
            return isHere || found
        }
    }
}
