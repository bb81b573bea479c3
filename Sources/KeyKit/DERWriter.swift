internal import SodiumKit

/// An element of DER to write. It consists of fixed bytes and of places in a source, so that the source can be in
/// guarded memory and its bytes go directly from there to where they belong.
struct DERElement {
    private enum Piece {
        case fixed([UInt8])
        case place(Range<Int>)
    }

    private var pieces: [Piece]
    private var count: Int

    private init(_ pieces: [Piece]) {
        self.pieces = pieces
        count = pieces.reduce(0) { sum, piece in
            switch piece {
            case .fixed(let bytes): sum + bytes.count
            case .place(let place): sum + place.count
            }
        }
    }

    private init(_ tag: UInt8, _ inner: [Piece]) {
        let content = DERElement(inner)
        self.init([.fixed([tag] + Self.length(content.count))] + inner)
    }

    /// A part of the source as it is.
    static func bytes(_ place: Range<Int>) -> DERElement { DERElement([.place(place)]) }

    static func fixed(_ bytes: [UInt8]) -> DERElement { DERElement([.fixed(bytes)]) }

    /// An element with other elements inside.
    static func element(_ tag: UInt8, _ inner: DERElement...) -> DERElement {
        DERElement(tag, inner.flatMap(\.pieces))
    }

    static func sequence(_ inner: [DERElement]) -> DERElement {
        DERElement(DERTag.sequence, inner.flatMap(\.pieces))
    }

    static func set(_ inner: [DERElement]) -> DERElement { DERElement(DERTag.set, inner.flatMap(\.pieces)) }

    /// A bit string of whole bytes.
    static func bits(_ inner: DERElement) -> DERElement {
        DERElement(DERTag.bitString, [.fixed([0])] + inner.pieces)
    }

    /// A small number.
    static func number(_ value: UInt8) -> DERElement { .fixed([DERTag.integer, 1, value]) }

    /// The number at a place of the source, without leading zeros. The time reveals their count.
    static func number(_ place: Range<Int>, of source: RawSpan) -> DERElement {
        let digits = place.drop { source.byte($0) == 0 }
        let needsSign = digits.isEmpty || source.byte(digits.lowerBound) >= 0x80
        return DERElement(DERTag.integer, (needsSign ? [.fixed([0])] : []) + [.place(digits)])
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        let bytes = withUnsafeBytes(of: count.bigEndian) { Array($0.drop { $0 == 0 }) }
        return [0x80 | UInt8(bytes.count)] + bytes
    }

    private func write(_ source: RawSpan, to target: UnsafeMutableRawBufferPointer) {
        var place = 0
        source.withUnsafeBytes { source in
            for piece in pieces {
                let rest = UnsafeMutableRawBufferPointer(rebasing: target[place...])
                switch piece {
                case .fixed(let bytes):
                    rest.copyBytes(from: bytes)
                    place += bytes.count
                case .place(let range):
                    rest.copyBytes(from: source[range])
                    place += range.count
                }
            }
        }
    }

    /// Returns the element in guarded memory.
    func encodedSecretly(from source: RawSpan) throws(KeyError) -> SecureBytes {
        var target = try KeyError.guarding(SecureBytes(count: count))
        target.withMutableBytes { write(source, to: $0) }
        return target
    }

    /// Returns the element in ordinary memory.
    func encoded(from source: RawSpan = RawSpan()) -> [UInt8] {
        var target = [UInt8](repeating: 0, count: count)
        target.withUnsafeMutableBytes { write(source, to: $0) }
        return target
    }
}
