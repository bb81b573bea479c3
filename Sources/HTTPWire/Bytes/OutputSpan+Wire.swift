extension OutputSpan<UInt8> {
    /// Appends the bytes of a range. Throws ``RefusalReason/outputTooSmall`` if they do not fit.
    mutating func put(_ bytes: RawSpan, _ range: Range<Int>, _ side: WireSide) throws(WireRefusal) {
        guard range.count <= freeCapacity else { throw WireRefusal(side, .outputTooSmall) }
        for place in range { append(bytes.byte(place)) }
    }

    /// Appends a word. Throws ``RefusalReason/outputTooSmall`` if it does not fit.
    mutating func put(_ word: StaticString, _ side: WireSide) throws(WireRefusal) {
        guard word.utf8CodeUnitCount <= freeCapacity else { throw WireRefusal(side, .outputTooSmall) }
        for place in 0..<word.utf8CodeUnitCount { append(word.utf8Start[place]) }
    }

    /// Appends letters. Throws ``RefusalReason/outputTooSmall`` if they do not fit.
    mutating func put(_ letters: [UInt8], _ side: WireSide) throws(WireRefusal) {
        guard letters.count <= freeCapacity else { throw WireRefusal(side, .outputTooSmall) }
        for letter in letters { append(letter) }
    }

    /// Appends a number. Throws ``RefusalReason/outputTooSmall`` if it does not fit.
    mutating func put(_ number: UInt64, radix: UInt64 = 10, _ side: WireSide) throws(WireRefusal) {
        var divisor: UInt64 = 1
        while number / divisor >= radix { divisor *= radix }
        while divisor > 0 {
            guard freeCapacity > 0 else { throw WireRefusal(side, .outputTooSmall) }
            let digit = UInt8(number / divisor % radix)
            append(digit < 10 ? 0x30 + digit : 0x57 + digit)
            divisor /= radix
        }
    }
}
