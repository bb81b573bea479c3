/// How a stream is read in the search for words of one kind: which bytes are letters of them, and which ones a program may have
/// put between two letters.
enum Reading: CaseIterable {
    /// Byte by byte.
    case plain
    /// Without backslashes, which quote in shells, in JSON and in many languages.
    case quoted
    /// Without line ends and the indentation behind them.
    case base64
    /// Digits of either case, without what stands between bytes, such as colons, spaces and `\x`.
    case hexadecimal

    /// The most bytes that may stand between two letters.
    static let longestGap = 18
    /// How many bytes may stand between the letters of a word for each of them, besides the longest gap.
    static let gapsPerLetter = 2

    /// True if a gap belongs to the letter behind it. Then a gap in front of a word is concealed as well.
    var ownsGapBefore: Bool { self == .quoted }

    /// The role of a byte.
    enum Part {
        case letter(UInt8)
        /// It may stand between two letters.
        case gap
        /// It may stand in a gap, and begins none.
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
