/// The parts of an `otpauth://` URI, without the seed itself, of which this has only the place in the text.
struct OneTimeURI {
    /// The place of the seed in the text.
    private(set) var seed = 0..<0
    private(set) var kind = OneTimeSeed.Kind.time(period: OneTimeURI.usualPeriod)
    private(set) var algorithm = OneTimeSeed.Algorithm.sha1
    private(set) var digits = 6
    /// The place of the counter's digits in the text; nil if there is none.
    private(set) var counterPlace: Range<Int>?

    private static let scheme: StaticString = "otpauth://"
    private static let usualPeriod: UInt64 = 30
    /// The fewest letters of a bare seed. A shorter text is rather a password.
    private static let fewestLetters = 16
    private static let longestPeriod: UInt64 = 86_400

    /// Finds the parts in `text`: in the first line that is such a URI, or else in the whole text, which is a bare seed.
    init(_ text: RawSpan) throws(OneTimeCodeError) {
        var start = 0
        while start < text.byteCount {
            var end = start
            while end < text.byteCount && text.byte(at: end) != UInt8(ascii: "\n") { end += 1 }
            let line = Self.trimmed(text, start..<end)
            if text.extracting(line).starts(with: Self.scheme) {
                try read(text, line.lowerBound + Self.scheme.utf8CodeUnitCount..<line.upperBound)
                return
            }
            start = end + 1
        }
        seed = Self.trimmed(text, 0..<text.byteCount)
        // Look at the letters before the length, so that a line feed in the middle is no seed.
        guard seed.count >= Self.fewestLetters, seed.allSatisfy({ text.byte(at: $0) != UInt8(ascii: "\n") }),
            try Base32.decoded(text, seed) != nil
        else { throw .noSeed }
    }

    private static func trimmed(_ text: RawSpan, _ range: Range<Int>) -> Range<Int> {
        let blanks = Set(" \t\r\n".utf8)
        var range = range
        while let first = range.first, blanks.contains(text.byte(at: first)) { range = range.dropFirst() }
        while let last = range.last, blanks.contains(text.byte(at: last)) { range = range.dropLast() }
        return range
    }

    /// Reads what follows the scheme: the type, the label, and the parameters. Nothing of the label is used.
    private mutating func read(_ text: RawSpan, _ range: Range<Int>) throws(OneTimeCodeError) {
        func place(of byte: Character, from: Int) -> Int {
            var place = from
            while place < range.upperBound && text.byte(at: place) != byte.asciiValue { place += 1 }
            return place
        }
        let typeEnd = min(place(of: "/", from: range.lowerBound), place(of: "?", from: range.lowerBound))
        let type = Self.word(text, range.lowerBound..<typeEnd)?.lowercased()
        guard type == "totp" || type == "hotp" else { throw .unknownType }
        var (period, counter): (UInt64?, UInt64?) = (nil, nil)
        var known: Set<String> = []
        var start = min(place(of: "?", from: typeEnd) + 1, range.upperBound)
        let queryEnd = place(of: "#", from: start)
        while start < queryEnd {
            let end = min(place(of: "&", from: start), queryEnd)
            let equals = min(place(of: "=", from: start), end)
            let value = min(equals + 1, end)..<end
            let name = Self.word(text, start..<equals)?.lowercased() ?? ""
            start = end + 1
            guard ["secret", "algorithm", "digits", "period", "counter", "encoder"].contains(name) else { continue }
            if !known.insert(name).inserted { throw .twice(name) }
            if name == "secret" {
                seed = value
                continue
            }
            let word = Self.word(text, value) ?? ""
            switch name {
            case "algorithm":
                let algorithms = OneTimeSeed.Algorithm.allCases
                let plain = word.uppercased().filter { $0 != "-" }
                guard let named = algorithms.first(where: { $0.name == plain || "HMAC\($0.name)" == plain }) else {
                    throw .badValue(name, allowed: algorithms.map(\.name).joined(separator: ", "))
                }
                algorithm = named
            case "digits":
                guard let number = Int(word), (6...10).contains(number) else {
                    throw .badValue(name, allowed: "6 to 10")
                }
                digits = number
            case "period":
                guard let number = UInt64(word), (1...Self.longestPeriod).contains(number) else {
                    throw .badValue(name, allowed: "1 to \(Self.longestPeriod) seconds")
                }
                period = number
            case "counter":
                guard let number = UInt64(word), word.first != "+" else {
                    throw .badValue(name, allowed: "a number from 0 on")
                }
                counter = number
                counterPlace = value
            // Steam's codes are other letters.
            default: throw .badValue(name, allowed: "no encoder")
            }
        }
        guard known.contains("secret"), !seed.isEmpty else { throw .seedMissing }
        if type == "totp" {
            kind = .time(period: period ?? Self.usualPeriod)
            counterPlace = nil
        } else {
            guard let counter else { throw .noCounter }
            kind = .counter(counter)
        }
    }

    /// Returns the text in `range`, which is not secret; nil if it is not UTF-8 or too long for a word.
    private static func word(_ text: RawSpan, _ range: Range<Int>) -> String? {
        range.count > 32 ? nil : text.extracting(range).text()
    }
}
