extension RawSpan {
    @inline(__always)
    func byte(at place: Int) -> UInt8 { unsafeLoad(fromByteOffset: place, as: UInt8.self) }

    /// Returns the character that starts at this place; nil if the bytes there are not UTF-8.
    func scalar(at place: Int) -> Unicode.Scalar? {
        let end = Swift.min(byteCount, place + 4)
        return extracting(place..<end).withUnsafeBytes { bytes in
            var decoder = UTF8()
            var rest = bytes.makeIterator()
            guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
            return scalar
        }
    }

    /// Returns the bytes as a text; nil if they are not UTF-8.
    func text() -> String? { withUnsafeBytes { String(validating: $0, as: UTF8.self) } }

    func starts(with text: StaticString, at place: Int = 0) -> Bool {
        guard byteCount - place >= text.utf8CodeUnitCount else { return false }
        for offset in 0..<text.utf8CodeUnitCount where byte(at: place + offset) != text.utf8Start[offset] {
            return false
        }
        return true
    }
}
