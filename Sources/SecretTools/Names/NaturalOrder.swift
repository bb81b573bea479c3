/// The order in which people look for names: part by part, `key2` before `key10`, `a` beside `A`.
enum NaturalOrder {
    private static let slash = UInt8(ascii: "/")

    /// Returns a negative number if `left` comes first, and zero only if both have the same bytes.
    ///
    /// Parts that differ only in case or leading zeros are ordered before the next part counts, so that the contents of a folder
    /// stay together.
    static func compare(_ left: String, _ right: String) -> Int {
        var (left, right) = (left, right)
        return left.withUTF8 { left in right.withUTF8 { compare(left, $0) } }
    }

    private static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        var (here, there, tie) = (0, 0, 0)
        while true {
            let isEnd = here == left.count || left[here] == slash
            let isOtherEnd = there == right.count || right[there] == slash
            if isEnd != isOtherEnd { return isEnd ? -1 : 1 }
            if isEnd {
                if tie != 0 { return tie }
                if here == left.count || there == right.count { return (left.count - here) - (right.count - there) }
                here += 1
                there += 1
            } else if isDigit(left[here]) && isDigit(right[there]) {
                let (number, other) = (Number(left, &here), Number(right, &there))
                let order = number.compare(other)
                if order != 0 { return order }
                if tie == 0 { tie = number.zeros - other.zeros }
            } else {
                let (scalar, other) = (next(left, &here), next(right, &there))
                let (folded, otherFolded) = (fold(scalar), fold(other))
                if folded != otherFolded { return folded < otherFolded ? -1 : 1 }
                if tie == 0 && scalar != other { tie = scalar < other ? -1 : 1 }
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// A run of digits, of any length.
    private struct Number {
        let zeros: Int
        private let digits: UnsafeBufferPointer<UInt8>.SubSequence

        init(_ text: UnsafeBufferPointer<UInt8>, _ place: inout Int) {
            let start = place
            while place < text.count && text[place] == UInt8(ascii: "0") { place += 1 }
            zeros = place - start
            let first = place
            while place < text.count && isDigit(text[place]) { place += 1 }
            digits = text[first..<place]
        }

        func compare(_ other: Number) -> Int {
            if digits.count != other.digits.count { return digits.count - other.digits.count }
            for (digit, otherDigit) in zip(digits, other.digits) where digit != otherDigit {
                return Int(digit) - Int(otherDigit)
            }
            return 0
        }
    }

    private static func next(_ text: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> UInt32 {
        let first = text[place]
        let length = first < 0x80 ? 1 : (~first).leadingZeroBitCount
        var value = length == 1 ? UInt32(first) : UInt32(first) & (0x7F >> UInt32(length))
        for offset in 1..<max(1, length) { value = value << 6 | UInt32(text[place + offset] & 0x3F) }
        place += length
        return value
    }

    private static func fold(_ scalar: UInt32) -> UInt32 {
        if scalar < 0x80 { return 0x41...0x5A ~= scalar ? scalar + 0x20 : scalar }
        return Unicode.Scalar(scalar)?.properties.lowercaseMapping.unicodeScalars.first?.value ?? scalar
    }
}
