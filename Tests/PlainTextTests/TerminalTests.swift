import PlainText
import Testing

/// Tests of making texts from elsewhere safe to print.
@Suite struct TerminalTests {
    @Test(arguments: [
        ("git", "git"), ("a.b-c_d+e", "a.b-c_d+e"), ("git@bank.example", "'git@bank.example'"), ("a b", "'a b'"),
        ("", "''"), ("it's", "'it?s'"), ("...", "'...'"), ("login/a b Passcode:", "'login/a b Passcode:'"),
        ("a\nb\u{202E}\"", "'a?b?'"), ("e\u{301}", "'e\u{301}'"),
    ])
    func whatIsNotPlainlyANameIsQuoted(_ word: String, _ name: String) {
        #expect(Terminal.name(word) == name)
    }

    @Test func aQuotedNameIsCut() {
        #expect(Terminal.name("login/a", also: "/") == "login/a" && Terminal.name("login/a") == "'login/a'")
        let long = String(repeating: "a", count: 3000)
        #expect(Terminal.name(long) == "'" + String(repeating: "a", count: 40) + "...'")
        #expect(Terminal.name(long, longest: 60) == "'" + String(repeating: "a", count: 60) + "...'")
        #expect(Terminal.name(String(repeating: "a", count: 64)).utf8.count == 64)
    }

    /// Texts, each with the line that is printed.
    private static let lines: [(text: String, line: String)] = [
        // Readable characters stay as they are.
        ("", ""), ("a  b ", "a  b "), (" ~!", " ~!"), ("öffne 日記", "öffne 日記"), ("e\u{301}", "e\u{301}"),
        ("a\u{A0}b\u{3000}c", "a\u{A0}b\u{3000}c"), ("\u{2764}\u{FE0F}", "\u{2764}\u{FE0F}"),
        ("\u{1F511}", "\u{1F511}"),
        // Control characters, line breaks and characters without an agreed look are replaced.
        ("\u{1B}[31mred", "?[31mred"), ("\u{9B}2J", "?2J"), ("a\tb\nc\r\nd", "a?b?c??d"),
        ("\0\u{7}\u{8}\u{7F}", "????"),
        ("a\u{85}b\u{2028}c\u{2029}d", "a?b?c?d"), ("\u{E000}\u{F0000}\u{10FFFD}", "???"), ("\u{378}\u{FFFF}", "??"),
        // The bytes of a path that are not UTF-8 are printed as such.
        ("/a\u{10F7FF}\u{10F780}b", "/a\\xFF\\x80b"), ("\u{10F77F}\u{10F800}", "??"),
        // Invisible characters are dropped: joiners, marks, changes of direction, tags, fillers.
        ("\u{1F469}\u{200D}\u{1F52C}", "\u{1F469}\u{1F52C}"), ("a\u{AD}b\u{200B}\u{FEFF}c", "abc"),
        ("\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}a\u{2066}\u{2067}\u{2068}\u{2069}b\u{200E}\u{200F}\u{61C}", "ab"),
        ("a\u{E0041}\u{E0001}\u{E0100}b", "ab"), ("a\u{3164}\u{115F}\u{34F}\u{2065}b", "ab"),
        ("a\u{2800}b", "a\u{2800}b"),
    ]

    @Test(arguments: lines) func aLineIsSafeToPrint(text: String, line: String) {
        #expect(Terminal.line(text).unicodeScalars.elementsEqual(line.unicodeScalars))
        #expect(Terminal.line(line).unicodeScalars.elementsEqual(line.unicodeScalars), "once is enough")
    }

    @Test func everyCharacterIsPrintedReplacedOrDropped() {
        for scalar in (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init) {
            let text = String(scalar)
            let line = Terminal.line(text)
            if 0x10F780...0x10F7FF ~= scalar.value {  // a byte of a path
                #expect(line == "\\x" + String(scalar.value & 0xFF, radix: 16, uppercase: true))
                continue
            }
            #expect(line == "" || line == "?" || line.unicodeScalars.elementsEqual(text.unicodeScalars))
            let isKept = line.unicodeScalars.elementsEqual(text.unicodeScalars)
            #expect(isKept == scalar.isPrintable || scalar == "?", "U+\(String(scalar.value, radix: 16))")
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                #expect(!isKept, "U+\(String(scalar.value, radix: 16))")
            default: break
            }
        }
    }

    @Test(
        arguments: [
            ("abc", 3, "abc"), ("abcd", 3, "abc..."), ("abc", 0, "..."), ("", 0, ""), ("abc\u{200B}", 3, "abc"),
            ("\u{200B}abc", 3, "abc"), ("\u{1B}bcd", 3, "?bc..."), ("r\u{300}\u{301}", 2, "r\u{300}..."),
        ] as [(String, Int, String)])
    func whatIsTooLongIsCut(text: String, longest: Int, line: String) {
        #expect(Terminal.line(text, longest: longest) == line)
    }

    @Test func aWordIsCutWhereItIsLong() {
        #expect(Terminal.word("\u{1B}x") == "?x")
        #expect(Terminal.word(String(repeating: "w", count: 60)) == String(repeating: "w", count: 60))
        #expect(Terminal.word(String(repeating: "w", count: 61)) == String(repeating: "w", count: 60) + "...")
    }

    @Test(
        arguments: [
            ("", ""), (" \n\t", ""), (" a  b\tc\r\n\u{A0}d\u{2028}e\u{85}f ", "a b c d e f"), ("a\u{1B}\nb", "a? b"),
            ("a\u{200B}b c", "ab c"), ("\u{200B} \u{200B}", ""),
            ("a\u{2800}\u{2800} b", "a b"),
        ])
    func aSentenceHasSingleSpaces(text: String, sentence: String) {
        #expect(Terminal.sentence(text) == sentence)
        #expect(Terminal.sentence(text + "....", longest: sentence.unicodeScalars.count).hasSuffix("..."))
    }
}
