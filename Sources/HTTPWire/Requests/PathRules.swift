/// Checks that a server cannot understand a path in another way than a rule that was matched with its bytes.
func checkPath(_ path: Range<Int>, in bytes: RawSpan, allowsEncodedSlash: Bool) throws(WireRefusal) {
    var start = path.lowerBound + 1
    while start <= path.upperBound {
        let end = bytes.first(UInt8(ascii: "/"), in: start..<path.upperBound) ?? path.upperBound
        try checkSegment(start..<end, isLast: end == path.upperBound, in: bytes)
        start = end + 1
    }
    for place in path {
        guard let decoded = bytes.percentDecoded(at: place, before: path.upperBound) else { continue }
        switch decoded {
        case UInt8(ascii: "."): throw WireRefusal(.request, .pathEncodedDot)
        case UInt8(ascii: "\\"): throw WireRefusal(.request, .pathEncodedBackslash)
        case 0...0x1F, 0x7F: throw WireRefusal(.request, .pathEncodedControl)
        case UInt8(ascii: "/") where !allowsEncodedSlash: throw WireRefusal(.request, .pathEncodedSlash)
        // Some servers read these as the character that they stand for, such as a dot.
        case 0xC0, 0xC1: throw WireRefusal(.request, .pathOverlong)
        case 0xE0, 0xF0:
            guard let next = bytes.percentDecoded(at: place + 3, before: path.upperBound) else { break }
            if next < (decoded == 0xE0 ? 0xA0 : 0x90) { throw WireRefusal(.request, .pathOverlong) }
        default: break
        }
    }
}

/// Checks a segment of a path. Some servers cut off parameters (`..;v=1`) before they look at dots, so those do not count. The last
/// segment may be empty.
private func checkSegment(_ segment: Range<Int>, isLast: Bool, in bytes: RawSpan) throws(WireRefusal) {
    let name = segment.lowerBound..<(bytes.first(UInt8(ascii: ";"), in: segment) ?? segment.upperBound)
    if name.isEmpty && !(isLast && segment.isEmpty) { throw WireRefusal(.request, .pathEmptySegment) }
    if 1...2 ~= name.count && bytes.all(in: name, { $0 == UInt8(ascii: ".") }) {
        throw WireRefusal(.request, .pathDots)
    }
}
