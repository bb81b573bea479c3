/// Finds the lines of a head in a buffer that grows, and looks at each byte once.
///
/// It refuses wrong line ends and control characters at once, so that the same bytes are refused for the same reason however they
/// arrive.
struct HeadScanner: Sendable {
    let side: WireSide
    let limits: WireLimits
    /// The next byte to look at.
    private var place = 0
    /// The first byte of the current line.
    private var lineStart = 0
    private var isAfterReturn = false
    /// The lines so far, without their ends.
    private(set) var lines: [Range<Int>] = []

    init(_ side: WireSide, _ limits: WireLimits) {
        self.side = side
        self.limits = limits
    }

    /// True if no byte of a head has come.
    var isAtStart: Bool { lines.isEmpty && place == lineStart }

    /// Begins the next head, directly behind the last one. The bound of bytes counts both.
    mutating func beginNext() { lines.removeAll() }

    /// Looks at the bytes that came since the last call. Returns the place behind the head if it is complete.
    mutating func scan(_ bytes: RawSpan) throws(WireRefusal) -> Int? {
        while place < bytes.byteCount {
            let byte = bytes.byte(place)
            guard place < limits.head else { throw WireRefusal(side, .headTooLarge) }
            if lines.isEmpty && place - lineStart >= limits.startLine { throw WireRefusal(side, .targetTooLong) }
            if isAfterReturn {
                guard byte == 0x0A else { throw WireRefusal(side, .carriageReturnAlone) }
                isAfterReturn = false
                let line = lineStart..<(place - 1)
                place += 1
                lineStart = place
                if line.isEmpty {
                    guard !lines.isEmpty else { throw WireRefusal(side, .emptyStartLine) }
                    return place
                }
                guard lines.count <= limits.fields else { throw WireRefusal(side, .tooManyFields) }
                lines.append(line)
                continue
            }
            if byte == 0x0D {
                isAfterReturn = true
            } else if byte == 0x0A {
                throw WireRefusal(side, .lineFeedAlone)
            } else if byte.isForbiddenControl {
                throw WireRefusal(side, .controlCharacter)
            }
            place += 1
        }
        return nil
    }
}
