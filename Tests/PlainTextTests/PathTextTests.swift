import PlainText
import TestSupport
import Testing

/// Tests of paths as texts.
@Suite struct PathTextTests {
    /// Paths, each with its text.
    private static let paths: [(path: [UInt8], text: String)] = [
        ([], ""), (Array("/home/née/日記".utf8), "/home/née/日記"), ([0x2F, 0xFF], "/\u{10F7FF}"),
        ([0xC3, 0x2F, 0xA9], "\u{10F7C3}/\u{10F7A9}"), (Array("e\u{301}".utf8), "e\u{301}"),
        // A surrogate, a character that is too long, one beyond Unicode, and one that is cut off.
        ([0xED, 0xA0, 0x80], "\u{10F7ED}\u{10F7A0}\u{10F780}"), ([0xC0, 0xAF], "\u{10F7C0}\u{10F7AF}"),
        ([0xF4, 0x90, 0x80, 0x80], "\u{10F7F4}\u{10F790}\u{10F780}\u{10F780}"),
        ([0xE2, 0x82], "\u{10F7E2}\u{10F782}"),
        // A path that already has such a character.
        (Array("\u{10F7FF}".utf8), "\u{10F7F4}\u{10F78F}\u{10F79F}\u{10F7BF}"),
        (Array("\u{10F77F}\u{10F800}".utf8), "\u{10F77F}\u{10F800}"),
    ]

    @Test(arguments: paths) func aTextStandsForOnePath(path: [UInt8], text: String) {
        #expect(PathText.text(path).unicodeScalars.elementsEqual(text.unicodeScalars))
        #expect(PathText.bytes(text) == path)
        #expect(PathText.hasRawBytes(text) == !path.elementsEqual(text.utf8))
        let string = path.map { CChar(bitPattern: $0) } + [0]
        #expect(PathText.text(cString: string).unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test func everyPathComesBack() {
        var random = SeededGenerator(seed: 17)
        // Bytes that begin, continue and break characters, those that are kept for bytes among them.
        let parts: [UInt8] = [0x2F, 0x61, 0x80, 0x9E, 0x9F, 0xBF, 0x8F, 0xC3, 0xE0, 0xED, 0xF0, 0xF4, 0xF5, 0xFF]
        for _ in 0..<20_000 {
            let path = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? parts[Int.random(in: 0..<parts.count, using: &random)] : UInt8.random(in: 1...255, using: &random)
            }
            let text = PathText.text(path)
            #expect(PathText.bytes(text) == path)
            let isPlain = String(validating: path, as: UTF8.self).map { !PathText.hasRawBytes($0) } ?? false
            #expect(PathText.hasRawBytes(text) != isPlain && (!isPlain || path.elementsEqual(text.utf8)))
        }
    }
}
