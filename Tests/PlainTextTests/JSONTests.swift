import Foundation
import PlainText
import TestSupport
import Testing

/// Tests of the JSON reader against the grammar and against Foundation's reader.
@Suite struct JSONTests {
    @Test(
        arguments: [
            ("null", .null), ("true", .bool(true)), (" false\t\r\n", .bool(false)), ("0", .number("0")),
            ("-0.50e+10", .number("-0.50e+10")), ("12E-3", .number("12E-3")), ("\"\"", .string("")), ("[]", .array([])),
            ("{}", .object([:])), (#"[1, "a" ,[null]]"#, .array([.number("1"), .string("a"), .array([.null])])),
            (#"{"a":{"b":[true]} , "":1}"#, .object(["a": .object(["b": .array([.bool(true)])]), "": .number("1")])),
            (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")), (#""\u00e4\u20AC\u0000""#, .string("ä€\0")),
            (#""\ud83d\ude00\uDBFF\uDFFF""#, .string("😀\u{10FFFF}")), ("\"ä😀\u{7F}\"", .string("ä😀\u{7F}")),
            (
                "[[[[[[[[1]]]]]]]]",
                .array([.array([.array([.array([.array([.array([.array([.array([.number("1")])])])])])])])])
            ),
        ] as [(String, JSON)])
    func isRead(_ text: String, as value: JSON) throws {
        #expect(try JSON(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "tru", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN", "Infinity",
        "1 2",
        "\"", "\"a", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\u+123\"", "\"\\u１234\"", "\"a\tb\"",
        "\"a\nb\"",
        "\"\u{0}\"", #""\ud83d""#, #""\ude00""#, #""\ud83d\u0041""#, #""\ud83dx""#, #""\ud83d\ud83d""#, "'a'", "[", "]",
        "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1}", "{", "}", "{a:1}", "{1:1}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
        #"{"a":1 "b":2}"#, #"{"a" 1}"#, #"{"a":1]"#, #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"a":{"b":1,"b":1}}"#,
        "{}{}", "{} x", "/* */ {}", "[[[[[[[[[1]]]]]]]]]", #"{"a":[[[[[[[[1]]]]]]]]}"#, "\u{FEFF}{}", "\u{A0}1",
        "\u{B}1",
    ])
    func isRefused(_ text: String) {
        #expect(throws: JSON.SyntaxError.self) { try JSON(Array(text.utf8)) }
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xE4, 0x22],
            [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], [0xFF], [0x5B, 0x80, 0x5D],
        ] as [[UInt8]])
    func noTextIsRefused(_ bytes: [UInt8]) {
        #expect(throws: JSON.SyntaxError.self) { try JSON(bytes) }
    }

    @Test(arguments: ["", "right index", "a\"b\\c", "\n\t\0\u{1F}\u{7F}", "ä€😀", "</script>", "\u{2028}"])
    func isWrittenAsItIsRead(_ text: String) throws {
        let written = JSON.quoted(text)
        #expect(try JSON(Array(written.utf8)) == .string(text))
        #expect(!written.utf8.contains { $0 < 0x20 })
        let other = try JSONSerialization.jsonObject(with: Data(written.utf8), options: .fragmentsAllowed)
        #expect(other as? String == text)
    }

    /// No input crashes the reader, and Foundation accepts everything that it accepts.
    @Test func randomBytesAreReadLikeElsewhere() throws {
        var random = SeededGenerator(seed: 71)
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "d83d", "\\ude00", "null", "true", "1", "-", ".", "e", "0",
            " ",
            "\"a\"", "\"b\":", "\n", "ä",
        ].map { Array($0.utf8) }
        var taken = 0
        for _ in 0..<20_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<12, using: &random) {
                bytes += random.once(in: 20) ? [UInt8.random(in: 0...255, using: &random)] : random.pick(pieces)
            }
            guard (try? JSON(bytes)) != nil else { continue }
            taken += 1
            #expect(throws: Never.self, "\(String(decoding: bytes, as: UTF8.self))") {
                try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            }
        }
        #expect(taken > 300)
    }
}
