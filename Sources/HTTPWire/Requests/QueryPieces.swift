/// The pieces of a query, between `&` or `;`, without those that are left out: credentials of the client, and another method than the
/// one that was checked.
struct QueryPieces {
    /// The names whose pieces are left out, in lowercase.
    static let dropped: [StaticString] = ["key", "access_token", "_method"]

    private let end: Int
    private var start: Int

    init(_ query: Range<Int>) {
        (start, end) = (query.lowerBound, query.upperBound)
    }

    /// Returns the next piece, and true if it is kept. The byte before it is its separator.
    mutating func next(in bytes: RawSpan) -> (piece: Range<Int>, isKept: Bool)? {
        guard start <= end else { return nil }
        var place = start
        while place < end && bytes.byte(place) != UInt8(ascii: "&") && bytes.byte(place) != UInt8(ascii: ";") {
            place += 1
        }
        let piece = start..<place
        start = place + 1
        for name in Self.dropped where Self.isNamed(piece, name, in: bytes) { return (piece, false) }
        return (piece, true)
    }

    /// Returns true if the name of a piece, decoded and in any case, is `name`.
    private static func isNamed(_ piece: Range<Int>, _ name: StaticString, in bytes: RawSpan) -> Bool {
        var place = piece.lowerBound
        for offset in 0..<name.utf8CodeUnitCount {
            guard place < piece.upperBound else { return false }
            var byte = bytes.byte(place)
            if let decoded = bytes.percentDecoded(at: place, before: piece.upperBound) {
                byte = decoded
                place += 3
            } else {
                place += 1
            }
            guard byte.lowercased == name.utf8Start[offset] else { return false }
        }
        return place == piece.upperBound || bytes.byte(place) == UInt8(ascii: "=")
    }
}
