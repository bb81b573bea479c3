/// A host, which its certificate has to name.
enum Host: Hashable, Sendable {
    case name(String)
    case address(NetworkAddress)

    /// Reads a name or an address, with or without the brackets of IPv6. Returns nil if the text is neither.
    init?(_ text: String) {
        var inner = text[...]
        if inner.hasPrefix("[") && inner.hasSuffix("]") { inner = inner.dropFirst().dropLast() }
        if let address = NetworkAddress(String(inner)) {
            self = .address(address)
        } else if Self.isName(text) {
            self = .name(text)
        } else {
            return nil
        }
    }

    /// Returns true for a name of DNS without a dot at its beginning or end. OpenSSL takes one that begins with a dot for
    /// every name below it, and C cuts one off at a zero byte.
    private static func isName(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, let last = labels.last else { return false }
        // The resolver reads a number there as an address in one of its old forms, such as 127.1.
        if let first = last.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
        }
    }
}
