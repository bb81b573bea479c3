/// A scheme, a host and a port: a server, or the address at which a client reaches the proxy.
///
///     WireOrigin(.https, host: "api.example.com")
package struct WireOrigin: Hashable, Sendable {
    /// The scheme of an origin.
    package enum Scheme: Hashable, Sendable, CaseIterable {
        case http, https

        /// The name of the scheme.
        var name: StaticString {
            switch self {
            case .http: "http"
            case .https: "https"
            }
        }

        /// The port that a client takes if a URL has none.
        package var port: UInt16 {
            switch self {
            case .http: 80
            case .https: 443
            }
        }
    }

    /// The scheme.
    package let scheme: Scheme
    /// The host in lowercase, with brackets around an address of IPv6.
    package let host: [UInt8]
    /// The port.
    package let port: UInt16
    /// The host with the port, without the usual port of the scheme: the value of Host.
    package let authority: [UInt8]

    /// Creates an origin; nil for a host that is no name and no address.
    package init?(_ scheme: Scheme, host: String, port: UInt16? = nil) {
        let letters = Array(host.utf8)
        guard let first = letters.first, let last = letters.last, letters.count <= 253 else { return nil }
        if first == UInt8(ascii: "[") {
            guard last == UInt8(ascii: "]"), letters.count > 3 else { return nil }
            for letter in letters[1..<letters.count - 1] {
                guard letter.hexDigit != nil || letter == UInt8(ascii: ":") || letter == UInt8(ascii: ".") else {
                    return nil
                }
            }
        } else {
            for letter in letters where !letter.isHost { return nil }
        }
        self.scheme = scheme
        self.host = letters.map { $0.lowercased }
        self.port = port ?? scheme.port
        var authority = self.host
        if self.port != scheme.port {
            authority.append(UInt8(ascii: ":"))
            for digit in String(self.port).utf8 { authority.append(digit) }
        }
        self.authority = authority
    }

    /// Returns true if an authority in a message names this host and port. The usual port may be written. User information, a dot
    /// at the end and an empty port make it another one (a choice: none of them stands in what servers send).
    func isNamed(by range: Range<Int>, in bytes: RawSpan) -> Bool {
        if bytes.holds(ignoringCase: authority, at: range) { return true }
        guard port == scheme.port else { return false }
        var written = authority
        written.append(UInt8(ascii: ":"))
        for digit in String(port).utf8 { written.append(digit) }
        return bytes.holds(ignoringCase: written, at: range)
    }
}

/// Returns true if a value has the form of a Host field: a host, or an address of IPv6 in brackets, and a port if it likes.
func isHostForm(_ value: Range<Int>, in bytes: RawSpan) -> Bool {
    guard !value.isEmpty else { return false }
    var end = value.lowerBound
    if bytes.byte(end) == UInt8(ascii: "[") {
        guard let bracket = bytes.first(UInt8(ascii: "]"), in: value), bracket > end + 2,
            bytes.all(
                in: end + 1..<bracket, { $0.hexDigit != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
        else { return false }
        end = bracket + 1
    } else {
        while end < value.upperBound && (bytes.byte(end).isHost || bytes.byte(end) == UInt8(ascii: "_")) { end += 1 }
        guard end > value.lowerBound else { return false }
    }
    if end == value.upperBound { return true }
    let digits = end + 1..<value.upperBound
    return bytes.byte(end) == UInt8(ascii: ":") && 1...5 ~= digits.count
        && bytes.all(in: digits) { $0.decimalDigit != nil }
}
