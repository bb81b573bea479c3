/// The place that a Location field names, as far as a proxy has to know it.
package enum Redirect: Hashable, Sendable {
    /// A path or another URL without a host, which a client takes for the address where it sent its request.
    case relative(Range<Int>)
    /// A URL of the same server. The range is what follows the host; it may be empty.
    case sameOrigin(Range<Int>)
    /// A URL of another server, or of another scheme.
    case elsewhere(Range<Int>)
    /// No URL, or one that two clients could understand differently.
    case malformed

    /// Reads the value of a Location field from a server.
    package init(_ value: Range<Int>, from origin: WireOrigin, in bytes: RawSpan) {
        guard bytes.all(in: value, { $0.isQuery || $0 == UInt8(ascii: "#") }) else {
            self = .malformed
            return
        }
        let colon = Self.end(value, in: bytes) { $0.endsAuthority || $0 == UInt8(ascii: ":") }
        let scheme = colon < value.upperBound && bytes.byte(colon) == UInt8(ascii: ":") ? value.lowerBound..<colon : nil
        let rest = (scheme.map { $0.upperBound + 1 } ?? value.lowerBound)..<value.upperBound
        guard rest.count >= 2, bytes.holds("//", at: rest.lowerBound..<rest.lowerBound + 2) else {
            // Some clients read `https:path` as relative, others as a URL with a host.
            self = scheme == nil ? .relative(value) : .malformed
            return
        }
        let host = rest.lowerBound + 2
        let end = Self.end(host..<value.upperBound, in: bytes) { $0.endsAuthority }
        // Without a scheme, a client at the proxy takes its own one, which may be another. The server meant this one.
        let isOfScheme = scheme.map { bytes.holds(ignoringCase: origin.scheme.name, at: $0) } ?? true
        if isOfScheme && origin.isNamed(by: host..<end, in: bytes) {
            self = .sameOrigin(end..<value.upperBound)
        } else {
            self = host == end ? .malformed : .elsewhere(value)
        }
    }

    /// Returns the place of the first byte that ends a part of a URL.
    private static func end(_ range: Range<Int>, in bytes: RawSpan, _ isEnd: (UInt8) -> Bool) -> Int {
        for place in range where isEnd(bytes.byte(place)) { return place }
        return range.upperBound
    }
}

extension UInt8 {
    /// True for a byte that ends the authority of a URL.
    fileprivate var endsAuthority: Bool {
        self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
    }
}
