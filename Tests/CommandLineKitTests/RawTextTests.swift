import CommandLineKit
import Testing

/// Tests of words as the system passes them.
@Suite struct RawTextTests {
    @Test func wordsKeepTheirBytes() throws {
        let bytes: [UInt8] = [0x66, 0xFF, 0xFE]
        let text = RawText(bytes)
        #expect(text.bytes == bytes && !text.isText && text.text == "f\u{FFFD}\u{FFFD}")
        #expect(RawText("née").isText && RawText("née").text == "née" && RawText("") == RawText([]))
    }

    @Test func theSystemGetsAndGivesThemWithAZeroByte() {
        for text in [RawText(""), RawText("née"), RawText([0x66, 0xFF])] {
            #expect(text.withCString { RawText(cString: $0) } == text)
        }
    }

    @Test(arguments: [
        ("work/token", "work/token"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("$HOME", "'$HOME'"),
    ])
    func aShellTakesThemAsOneWord(_ text: String, _ expected: String) { #expect(Shell.word(text) == expected) }
}
