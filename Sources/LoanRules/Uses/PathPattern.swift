/// A pattern for the path of a request: literal bytes, `*` for any bytes of one segment, and `**` as the last segment for all that
/// follow.
///
/// Paths are compared as they are written, with their percent signs. A path that spells a letter otherwise than the pattern does not
/// match, and so is refused.
package struct PathPattern: Hashable, Sendable {
    /// The pattern as it is written.
    package let text: String
    private let segments: [[UInt8]]
    private let takesMore: Bool

    /// The most bytes of a pattern.
    package static let longest = 1024

    /// Creates a pattern; nil for a text that is none.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= Self.longest,
            bytes.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        else { return nil }
        var segments = bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(
            Array.init)
        takesMore = segments.last == Self.more
        if takesMore { segments.removeLast() }
        // Stars in a row elsewhere would look as if they reached over a slash. An empty segment matches no path that is passed on.
        for (place, segment) in segments.enumerated() {
            if Self.hasTwoStars(segment) || segment.isEmpty && (place < segments.count - 1 || takesMore) { return nil }
        }
        (self.text, self.segments) = (text, segments)
    }

    private static let star = UInt8(ascii: "*")
    private static let more = [star, star]

    private static func hasTwoStars(_ segment: [UInt8]) -> Bool {
        zip(segment, segment.dropFirst()).contains { $0 == star && $1 == star }
    }

    /// Returns true if a path matches.
    package func matches(_ path: String) -> Bool {
        let bytes = Array(path.utf8)
        guard bytes.first == UInt8(ascii: "/") else { return false }
        let found = bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard takesMore ? found.count > segments.count : found.count == segments.count else { return false }
        return zip(segments, found).allSatisfy { Self.matches($0[...], $1) }
    }

    /// Returns true if a segment matches a pattern without a slash.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ segment: ArraySlice<UInt8>) -> Bool {
        var (pattern, segment) = (pattern, segment)
        // The places to go back to, where the last star takes one byte more.
        var retry: (pattern: ArraySlice<UInt8>, segment: ArraySlice<UInt8>)?
        while true {
            if pattern.first == star {
                pattern = pattern.dropFirst()
                retry = (pattern, segment)
            } else if let next = segment.first, pattern.first == next {
                (pattern, segment) = (pattern.dropFirst(), segment.dropFirst())
            } else if segment.isEmpty && pattern.isEmpty {
                return true
            } else if let place = retry, !place.segment.isEmpty {
                (pattern, segment) = (place.pattern, place.segment.dropFirst())
                retry = (pattern, segment)
            } else {
                return false
            }
        }
    }
}
