/// A way to read a stream in search of words: it decides which bytes are letters, and which a program may have put between
/// two letters.
enum Reading: CaseIterable {
    /// Every byte is a letter.
    case plain
    /// Backslashes are skipped: they quote in shells, in JSON and in many languages.
    case quoted
    /// Line ends are skipped, with the indentation after them.
    case base64
    /// Digits of either case are letters; separators such as colons, spaces and `\x` are skipped.
    case hexadecimal

    /// The most bytes in one gap between two letters.
    static let longestGap = 18
    /// The most gap bytes in a word for each of its letters, besides the longest gap.
    static let gapsPerLetter = 2

    /// True if a gap belongs to the letter after it. Then the gap before a word is concealed, too.
    var ownsGapBefore: Bool { self == .quoted }

    /// The role of a byte.
    enum Part {
        case letter(UInt8)
        /// The byte may be in a gap.
        case gap
        /// The byte may be in a gap, but cannot begin one.
        case laterGap
    }

    func part(_ byte: UInt8) -> Part {
        switch (self, byte) {
        case (.quoted, UInt8(ascii: "\\")), (.base64, 0x0A), (.base64, 0x0D): .gap
        case (.base64, 0x20), (.base64, 0x09): .laterGap
        case (.hexadecimal, 0x41...0x46): .letter(byte | 0x20)
        case (.hexadecimal, _) where Self.betweenDigits.withUTF8Buffer { $0.contains(byte) }: .gap
        default: .letter(byte)
        }
    }

    private static let betweenDigits: StaticString = " \t\r\n:,-%\\x"
}
