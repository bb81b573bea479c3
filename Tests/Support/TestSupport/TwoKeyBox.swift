/// A box of XChaCha20-Poly1305 that opens under two keys.
///
/// Poly1305 is a polynomial over a prime field, so one linear equation for a block of the ciphertext makes two tags
/// equal.
/// Everything here follows the specification and uses nothing of the library that is tested.
public enum TwoKeyBox: Sendable {
    /// Returns a box (nonce, two blocks of ciphertext, tag) that opens under both keys with `context`, each time to
    /// another key.
    public static func make(_ first: [UInt8], _ second: [UInt8], context: [UInt8]) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        let nonce = (0..<24).map { _ in UInt8.random(in: 0...255, using: &random) }
        let one = Polynomial(first, nonce)
        let two = Polynomial(second, nonce)
        while true {
            let filler = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
            if let (block, tag) = one.meet(two, context, filler) { return nonce + filler + block + tag }
        }
    }
}

/// Poly1305 with the key that follows from a nonce.
private struct Polynomial {
    let point: Field
    let mask: UInt128

    init(_ key: [UInt8], _ nonce: [UInt8]) {
        let block = ChaCha.block(ChaCha.subkey(key, Array(nonce[..<16])), [0, 0, 0, 0] + nonce[16...])
        let clamp: UInt128 = 0x0FFF_FFFC_0FFF_FFFC_0FFF_FFFC_0FFF_FFFF
        point = Field(UInt128(littleEndian: block[..<16]) & clamp)
        mask = UInt128(littleEndian: block[16..<32])
    }

    /// Returns the sum over everything but the second block of the ciphertext.
    private func rest(_ context: [UInt8], _ filler: [UInt8]) -> Field {
        let padded = context + [UInt8](repeating: 0, count: (16 - context.count % 16) % 16)
        var sum = Field(0)
        for start in stride(from: 0, to: padded.count, by: 16) {
            sum = (sum + Field(block: padded[start..<(start + 16)])) * point
        }
        sum = (sum + Field(block: filler[...])) * point
        sum = sum * point  // the free block, as nothing
        return (sum + Field(block: (UInt64(context.count).bytes + UInt64(32).bytes)[...])) * point
    }

    /// Returns the second block and the tag for which both sums are equal; nil if this filler has none.
    func meet(_ other: Polynomial, _ context: [UInt8], _ filler: [UInt8]) -> (block: [UInt8], tag: [UInt8])? {
        let mine = rest(context, filler)
        let theirs = other.rest(context, filler)
        let myWeight = (point * point).inverse
        let theirWeight = (other.point * other.point).inverse
        let slope = (myWeight - theirWeight).inverse
        for myLift in 0..<5 {
            for theirLift in 0..<5 {
                // tag = value + mask - lift * 2^128, and value = rest + block / weight, for both.
                let left = (mine + Field(mask) - Field(lift: myLift)) * myWeight
                let right = (theirs + Field(other.mask) - Field(lift: theirLift)) * theirWeight
                let tag = (left - right) * slope
                guard tag.high == 0 else { continue }
                let block = (tag - Field(mask) + Field(lift: myLift) - mine) * myWeight
                guard block.high == 1 else { continue }  // a block counts with a bit above its own
                let values = (block * myWeight.inverse + mine, block * theirWeight.inverse + theirs)
                guard values.0.low &+ mask == tag.low, values.1.low &+ other.mask == tag.low else { continue }
                return (block.low.bytes, tag.low.bytes)
            }
        }
        return nil
    }
}

/// A number modulo 2^130 - 5.
private struct Field {
    private(set) var high: UInt128
    private(set) var low: UInt128

    private static let prime = (high: 3 as UInt128, low: UInt128.max - 4)

    init(_ low: UInt128) { (high, self.low) = (0, low) }

    /// Creates the number of a block, with the bit above it set.
    init(block: ArraySlice<UInt8>) { (high, low) = (1, UInt128(littleEndian: block)) }

    /// Creates a multiple of 2^128.
    init(lift: Int) {
        self.init(0)
        high = UInt128(lift)
        reduce()
    }

    private mutating func reduce() {
        while high > Self.prime.high || (high == Self.prime.high && low >= Self.prime.low) {
            let (difference, borrows) = low.subtractingReportingOverflow(Self.prime.low)
            (high, low) = (high - Self.prime.high - (borrows ? 1 : 0), difference)
        }
    }

    static func + (left: Self, right: Self) -> Self {
        var sum = left
        let (low, carries) = left.low.addingReportingOverflow(right.low)
        (sum.high, sum.low) = (left.high + right.high + (carries ? 1 : 0), low)
        sum.reduce()
        return sum
    }

    static func - (left: Self, right: Self) -> Self {
        var negative = right
        let (low, borrows) = prime.low.subtractingReportingOverflow(right.low)
        (negative.high, negative.low) = (prime.high - right.high - (borrows ? 1 : 0), low)
        negative.reduce()
        return left + negative
    }

    static func * (left: Self, right: Self) -> Self {
        var product = Field(0)
        for word in [right.high, right.low] {
            for bit in (0..<128).reversed() {
                product = product + product
                if word >> UInt128(bit) & 1 == 1 { product = product + left }
            }
        }
        return product
    }

    /// The inverse by Fermat's theorem: the power to the prime less two.
    var inverse: Self {
        var power = Field(1)
        for word in [Self.prime.high, Self.prime.low - 2] {
            for bit in (0..<128).reversed() {
                power = power * power
                if word >> UInt128(bit) & 1 == 1 { power = power * self }
            }
        }
        return power
    }
}

/// ChaCha20 as RFC 8439 describes it, and HChaCha20.
private enum ChaCha {
    private static let constants: [UInt32] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]

    static func subkey(_ key: [UInt8], _ nonce: [UInt8]) -> [UInt8] {
        let state = mixed(constants + words(key) + words(nonce))
        return (state[..<4] + state[12...]).flatMap(\.bytes)
    }

    /// Returns the first block of the stream.
    static func block(_ key: [UInt8], _ nonce: [UInt8]) -> [UInt8] {
        let state = constants + words(key) + [0] + words(nonce)
        return zip(state, mixed(state)).flatMap { ($0 &+ $1).bytes }
    }

    private static func words(_ bytes: [UInt8]) -> [UInt32] {
        stride(from: 0, to: bytes.count, by: 4).map { start in
            bytes[start..<(start + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    private static func mixed(_ state: [UInt32]) -> [UInt32] {
        var state = state
        func turn(_ place: Int, _ other: Int, _ third: Int, _ bits: UInt32) {
            state[place] = state[place] &+ state[other]
            let mixed = state[third] ^ state[place]
            state[third] = mixed << bits | mixed >> (32 - bits)
        }
        func quarter(_ a: Int, _ b: Int, _ c: Int, _ d: Int) {
            turn(a, b, d, 16)
            turn(c, d, b, 12)
            turn(a, b, d, 8)
            turn(c, d, b, 7)
        }
        for _ in 0..<10 {
            for column in 0..<4 { quarter(column, column + 4, column + 8, column + 12) }
            for column in 0..<4 {
                quarter(column, (column + 1) % 4 + 4, (column + 2) % 4 + 8, (column + 3) % 4 + 12)
            }
        }
        return state
    }
}

extension FixedWidthInteger {
    /// The bytes in little-endian order.
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}

extension UInt128 {
    fileprivate init(littleEndian bytes: ArraySlice<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | UInt128($1) }
    }
}
