/// The bytes of a file, and the places in them.
struct SourceBytes {
    let all: UnsafeBufferPointer<UInt8>
    let file: String
    /// The number of lines, by the line breaks of YAML.
    private let lineCount: Int

    /// Throws at input that libyaml would accept but scenarios do not use: UTF-16, and `%TAG`. libyaml compares each `%TAG` with all
    /// before it, which takes quadratic time.
    init(_ all: UnsafeBufferPointer<UInt8>, of file: String) throws(ScenarioError) {
        self.all = all
        self.file = file
        if all.starts(with: [0xFF, 0xFE]) || all.starts(with: [0xFE, 0xFF]) {
            throw ScenarioError(
                position: Position(file: file, line: 1, column: 1), message: "the file is UTF-16: save it as UTF-8")
        }
        var line = 1
        for place in all.indices {
            switch all[place] {
            case UInt8(ascii: "%") where all[place...].starts(with: "%TAG".utf8):
                // Only a printed ASCII character before it shows that this is not the beginning of a line.
                if place > 0 && (0x20...0x7E).contains(all[place - 1]) { continue }
                throw ScenarioError(
                    position: Position(file: file, line: line, column: 1),
                    message: "tags are not supported: remove this line")
            case UInt8(ascii: "\r"):
                if place + 1 == all.count || all[place + 1] != UInt8(ascii: "\n") { line += 1 }
            case UInt8(ascii: "\n"): line += 1
            case 0x85 where place > 0 && all[place - 1] == 0xC2: line += 1
            case 0xA8, 0xA9: if place > 1 && all[place - 1] == 0x80 && all[place - 2] == 0xE2 { line += 1 }
            default: break
            }
        }
        lineCount = line
    }

    /// Returns the place for libyaml's line and column, which count from zero. libyaml puts the end of a file on an extra line.
    func position(line: Int, column: Int) -> Position {
        line < lineCount ? Position(file: file, line: line + 1, column: column + 1) : position(ofByte: all.count)
    }

    /// Returns the place of a byte. Invalid UTF-8 counts byte by byte.
    func position(ofByte offset: Int) -> Position {
        let before = String(decoding: all[..<min(offset, all.count)], as: UTF8.self).unicodeScalars
        var (line, column) = (1, 1)
        var former: Unicode.Scalar?
        for scalar in before {
            switch scalar {
            case "\n" where former == "\r": break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": (line, column) = (line + 1, 1)
            case "\u{FEFF}" where former == nil: break
            default: column += 1
            }
            former = scalar
        }
        return Position(file: file, line: line, column: column)
    }

    /// Returns true if the character there, counted from zero, is a tab.
    func isTab(atCharacter index: Int) -> Bool {
        var left = index
        for byte in all where byte & 0xC0 != 0x80 {
            if left == 0 { return byte == UInt8(ascii: "\t") }
            left -= 1
        }
        return false
    }
}
