internal import SodiumKit

/// A reader of CSV files (RFC 4180). It returns places in the bytes, so that nothing leaves wiped memory unless the caller asks.
struct CSVReader {
    struct Cell {
        /// The place of the cell, without the quotation marks around it.
        let bytes: Range<Int>
        /// True if the cell has doubled quotation marks.
        let hasDoubledMarks: Bool
    }

    private var place: Int
    /// The next line; the first is 1.
    private(set) var line = 1
    private let separator: UInt8
    private static let mark = UInt8(ascii: "\"")

    /// Creates a reader. The first line decides what separates cells: a comma, a semicolon or a tab.
    ///
    /// - Throws: `ImportError` if the bytes contain a zero byte.
    init(_ bytes: RawSpan) throws(ImportError) {
        place = bytes.starts(with: "\u{FEFF}") ? 3 : 0
        separator = Self.separator(bytes, from: place)
        // A zero byte means UTF-16, or no text file at all.
        var line = 1
        for index in 0..<bytes.byteCount {
            switch bytes.byte(at: index) {
            case 0x0A: line += 1
            case 0: throw .line(line, .zeroByte)
            default: break
            }
        }
    }

    private static func separator(_ bytes: RawSpan, from start: Int) -> UInt8 {
        let known = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
        var counts = [0, 0, 0]
        var isQuoted = false
        for place in start..<bytes.byteCount {
            let byte = bytes.byte(at: place)
            if byte == mark { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == 0x0A { break }
            if let index = known.firstIndex(of: byte) { counts[index] += 1 }
        }
        let most = counts.max() ?? 0
        return known[counts.firstIndex(of: most) ?? 0]
    }

    /// Reads the next row that is not blank into `cells`. Returns the line where it starts; nil at the end.
    mutating func next(_ bytes: RawSpan, into cells: inout [Cell]) throws(ImportError) -> Int? {
        while place < bytes.byteCount {
            let start = line
            cells.removeAll(keepingCapacity: true)
            repeat { cells.append(try cell(bytes)) } while consume(separator, bytes)
            _ = consume(0x0D, bytes)
            if consume(0x0A, bytes) { line += 1 }
            let isBlank = cells.count == 1 && cells[0].bytes.isEmpty
            if !isBlank { return start }
        }
        return nil
    }

    private mutating func consume(_ byte: UInt8, _ bytes: RawSpan) -> Bool {
        guard place < bytes.byteCount, bytes.byte(at: place) == byte else { return false }
        place += 1
        return true
    }

    private mutating func cell(_ bytes: RawSpan) throws(ImportError) -> Cell {
        let start = place
        guard consume(Self.mark, bytes) else {
            while !isEnd(bytes) { place += 1 }
            return Cell(bytes: start..<place, hasDoubledMarks: false)
        }
        let startLine = line
        var hasDoubledMarks = false
        while true {
            guard place < bytes.byteCount else { throw .line(startLine, .openQuote) }
            let byte = bytes.byte(at: place)
            place += 1
            if byte == 0x0A { line += 1 }
            guard byte == Self.mark else { continue }
            if consume(Self.mark, bytes) {
                hasDoubledMarks = true
            } else {
                guard isEnd(bytes) else { throw .line(line, .afterQuote) }
                return Cell(bytes: start + 1..<place - 1, hasDoubledMarks: hasDoubledMarks)
            }
        }
    }

    /// Returns true if a cell ends here. A carriage return ends it only before a line end, or as the last byte.
    private func isEnd(_ bytes: RawSpan) -> Bool {
        guard place < bytes.byteCount else { return true }
        let byte = bytes.byte(at: place)
        if byte == 0x0D { return place + 1 == bytes.byteCount || bytes.byte(at: place + 1) == 0x0A }
        return byte == separator || byte == 0x0A
    }
}

extension CSVReader.Cell {
    /// Returns the contents of a cell that is not secret. Throws if they are not UTF-8.
    func text(_ file: RawSpan, line: Int) throws(ImportError) -> String {
        guard let text = file.extracting(bytes).text() else { throw .line(line, .noText) }
        guard hasDoubledMarks else { return text }
        var result = ""
        var isSecond = false
        for scalar in text.unicodeScalars {
            isSecond = scalar == "\"" && !isSecond
            if !isSecond { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    /// Returns the contents of a secret cell, in wiped memory.
    func secret(_ file: RawSpan) throws(SodiumError) -> SecureBytes {
        let span = file.extracting(bytes)
        guard hasDoubledMarks else { return try SecureBytes(copying: span) }
        var count = 0
        var secret = try SecureBytes(count: span.byteCount)
        secret.withMutableBytes { target in
            var isSecond = false
            for place in 0..<span.byteCount {
                let byte = span.byte(at: place)
                isSecond = byte == UInt8(ascii: "\"") && !isSecond
                if isSecond { continue }
                target[count] = byte
                count += 1
            }
        }
        return try secret.prefix(count)
    }
}
