extension RawSpan {
    /// The byte at a place, which must be inside of the span.
    @inline(__always) func byte(_ place: Int) -> UInt8 { unsafeLoad(fromByteOffset: place, as: UInt8.self) }

    /// Returns true if the bytes of a range are exactly those of `word`.
    func holds(_ word: StaticString, at range: Range<Int>) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for offset in 0..<range.count where byte(range.lowerBound + offset) != word.utf8Start[offset] { return false }
        return true
    }

    /// Returns true if the bytes of a range are those of `word`, which is lowercase, in any case.
    func holds(ignoringCase word: StaticString, at range: Range<Int>) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for offset in 0..<range.count where byte(range.lowerBound + offset).lowercased != word.utf8Start[offset] {
            return false
        }
        return true
    }

    /// Returns true if two ranges hold the same ASCII letters, in any case.
    func agree(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        guard one.count == other.count else { return false }
        for offset in 0..<one.count
        where byte(one.lowerBound + offset).lowercased != byte(other.lowerBound + offset).lowercased { return false }
        return true
    }

    /// Returns true if the bytes of a range are `letters`, which are lowercase, in any case.
    func holds(ignoringCase letters: [UInt8], at range: Range<Int>) -> Bool {
        guard range.count == letters.count else { return false }
        for offset in 0..<range.count where byte(range.lowerBound + offset).lowercased != letters[offset] {
            return false
        }
        return true
    }

    /// Returns true if the folded bytes of a range begin with `word`, which is lowercase.
    func begins(folded word: StaticString, at range: Range<Int>) -> Bool {
        guard range.count >= word.utf8CodeUnitCount else { return false }
        for offset in 0..<word.utf8CodeUnitCount
        where byte(range.lowerBound + offset).folded != word.utf8Start[offset] { return false }
        return true
    }

    /// Returns the first place of `wanted` in a range.
    func first(_ wanted: UInt8, in range: Range<Int>) -> Int? {
        for place in range where byte(place) == wanted { return place }
        return nil
    }

    /// Returns true if each byte of a range satisfies `isFit`.
    @inline(__always) func all(in range: Range<Int>, _ isFit: (UInt8) -> Bool) -> Bool {
        for place in range where !isFit(byte(place)) { return false }
        return true
    }

    /// Returns a range without the blanks at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end && byte(start).isBlank { start += 1 }
        while end > start && byte(end - 1).isBlank { end -= 1 }
        return start..<end
    }

    /// Returns the byte that a percent sign and two digits at a place stand for; nil if these are not there.
    func percentDecoded(at place: Int, before end: Int) -> UInt8? {
        guard end - place >= 3, byte(place) == UInt8(ascii: "%"), let high = byte(place + 1).hexDigit,
            let low = byte(place + 2).hexDigit
        else { return nil }
        return high << 4 | low
    }
}
