internal import PlainText

/// A command line up to the cursor, as bash passes it to a function that completes it.
///
/// bash splits words also at such characters as colons and equals signs, and replaces only what follows the last of them.
struct BashLine {
    /// The words without quotes. The last is the one to complete.
    let words: [String]
    /// The number of the piece of bash with which each word begins.
    let starts: [Int]
    /// The beginning of the last word that bash does not replace.
    let kept: String
    /// The last word without quotes.
    private let typed: [UInt8]
    /// The quotation mark that is still open.
    private let mark: UInt8?

    private static let single = UInt8(ascii: "'")
    private static let double = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    /// The characters that a backslash quotes between double quotation marks.
    private static let special = Array("\\\"$`".utf8)

    /// Reads the arguments of the script: `COMP_WORDBREAKS`, the line up to the cursor, and the pieces of it in `COMP_WORDS`.
    init?(_ arguments: [RawText]) {
        if arguments.count < 3 { return nil }
        var rest = arguments[1].bytes[...]
        var words: [[UInt8]] = []
        var starts: [Int] = []
        for (number, piece) in arguments[2...].enumerated() {
            let bare = rest.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
            // The last piece goes on after the cursor.
            let text = number == arguments.count - 3 ? bare : bare.prefix(piece.bytes.count)
            if number > 0 && bare.count == rest.count {
                words[words.count - 1] += text
            } else {
                words.append(Array(text))
                starts.append(number)
            }
            rest = bare.dropFirst(text.count)
        }
        let read = words.map { Self.unquoted($0, arguments[0].bytes) }
        let last = read[read.count - 1]
        self.words = read.map { PathText.text($0.text) }
        self.starts = starts
        kept = PathText.text(last.text.prefix(last.kept))
        typed = last.text
        mark = last.mark
    }

    /// Returns a word without quotes, the number of its bytes that bash does not replace, and the quotation mark that is open.
    private static func unquoted(_ word: [UInt8], _ breaks: [UInt8]) -> (text: [UInt8], kept: Int, mark: UInt8?) {
        var text: [UInt8] = []
        var mark: UInt8?
        var (afterBreak, afterMark) = (0, 0)
        var rest = word[...]
        while let byte = rest.popFirst() {
            if byte == mark {
                mark = nil
            } else if mark == nil && (byte == single || byte == double) {
                (mark, afterMark) = (byte, text.count)
            } else if mark == nil && byte == backslash {
                text += rest.prefix(1)
                rest = rest.dropFirst()
            } else if mark == double && byte == backslash, let next = rest.first, special.contains(next) {
                text.append(next)
                rest = rest.dropFirst()
            } else {
                text.append(byte)
                if mark == nil && breaks.contains(byte) { afterBreak = text.count }
            }
        }
        return (text, mark == nil ? afterBreak : afterMark, mark)
    }

    /// Returns what bash inserts for an offer, quoted as the word is so far; nil if the offer does not begin with that word.
    func inserted(_ offer: String) -> String? {
        guard offer.utf8.starts(with: typed) else { return nil }
        let bytes = offer.utf8.dropFirst(PathText.bytes(kept).count).flatMap { byte -> [UInt8] in
            let isPlain: Bool
            switch mark {
            case Self.single: return byte == Self.single ? Array(#"'\''"#.utf8) : [byte]
            case Self.double: isPlain = !Self.special.contains(byte)
            default: isPlain = byte >= 0x80 || byte == UInt8(ascii: "=") || Shell.isPlain(byte)
            }
            return isPlain ? [byte] : [Self.backslash, byte]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
