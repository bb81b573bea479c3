import Foundation
import SecretTools
import SodiumKit
import TestSupport
import Testing

/// The output of a masker, compared with a search over the whole text at once.
@Suite struct MaskerTests {
    private static let replacement = Array(Masker.replacement.utf8)

    private func masker(_ secrets: [[UInt8]]) throws -> Masker {
        var words = try MaskedWords()
        for bytes in secrets { _ = try words.add(secret(bytes)) }
        return try Masker(words)
    }

    private func masked(_ text: String, _ secrets: String...) throws -> String {
        var masker = try masker(secrets.map { Array($0.utf8) })
        var output: [UInt8] = []
        masker.feed(Array(text.utf8).span.bytes, to: &output)
        masker.finish(to: &output)
        return String(decoding: output, as: UTF8.self).replacing(Masker.replacement, with: "*")
    }

    /// Returns the text with one replacement for each run of bytes that secrets cover.
    private func naive(_ text: [UInt8], _ secrets: [[UInt8]]) -> [UInt8] {
        var isConcealed = [Bool](repeating: false, count: text.count)
        for secret in secrets where secret.count >= MaskedWords.fewest && secret.count <= text.count {
            for start in 0...(text.count - secret.count) where text[start...].starts(with: secret) {
                for place in start..<(start + secret.count) { isConcealed[place] = true }
            }
        }
        var output: [UInt8] = []
        for place in text.indices {
            if !isConcealed[place] {
                output.append(text[place])
            } else if place == 0 || !isConcealed[place - 1] {
                output += Self.replacement
            }
        }
        return output
    }

    /// Letters that occur in no other form of these secrets, and not in the replacement.
    private func random(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in generator.pick([UInt8(ascii: "X"), UInt8(ascii: "Y")]) }
    }

    /// A stream that keeps its length has stars at the bytes of secrets, wherever it is cut.
    @Test(arguments: DaySample.of(0..<40, oneIn: 8)) func aStreamKeepsItsLength(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<100 {
            let word = random(Int.random(in: 4...9, using: &generator), &generator)
            let text = random(Int.random(in: 0...80, using: &generator), &generator)
            var words = try MaskedWords()
            _ = try words.add(secret(word))
            var masker = try Masker(words, keepsLength: true)
            var expected = text
            for start in text.indices where text[start...].starts(with: word) {
                for place in start..<start + word.count { expected[place] = UInt8(ascii: "*") }
            }
            var output: [UInt8] = []
            var rest = text[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(Int.random(in: 1...9, using: &generator)))
                masker.feed(piece.span.bytes, to: &output)
                if Bool.random(using: &generator) {
                    #expect(output.count + masker.heldBack == text.count - rest.count + piece.count)
                }
                rest = rest.dropFirst(piece.count)
            }
            masker.finish(to: &output)
            #expect(output == expected && masker.hasConcealed == expected.contains(UInt8(ascii: "*")))
        }
    }

    @Test(arguments: DaySample.of(0..<40, oneIn: 8)) func anyCutGivesWhatTheWholeGives(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<250 {
            let secrets = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                random(Int.random(in: 1...12, using: &generator), &generator)
            }
            let text = random(Int.random(in: 0...120, using: &generator), &generator)
            var masker = try masker(secrets)
            var output: [UInt8] = []
            var place = 0
            while place < text.count {
                let end = min(text.count, place + Int.random(in: 0...9, using: &generator))
                masker.feed(text[place..<end].span.bytes, to: &output)
                place = end
                #expect(masker.heldBack < 12)
            }
            masker.finish(to: &output)
            #expect(masker.heldBack == 0)
            #expect(output == naive(text, secrets))
            for secret in secrets where secret.count >= MaskedWords.fewest {
                #expect(
                    output.count < secret.count
                        || !String(decoding: output, as: UTF8.self)
                            .contains(String(decoding: secret, as: UTF8.self))
                )
            }
        }
    }

    /// However often held-back bytes are released, at most three bytes of a secret show.
    @Test(arguments: DaySample.of(0..<20, oneIn: 5)) func timeOutsShowAtMostThreeBytes(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(1000 + seed))
        for _ in 0..<250 {
            let secret = random(Int.random(in: 4...12, using: &generator), &generator)
            let around = Array("..".utf8)
            var masker = try masker([secret])
            var output: [UInt8] = []
            for byte in around + secret + around {
                masker.feed([byte].span.bytes, to: &output)
                if !generator.once(in: 3) { masker.releaseHeldBack(to: &output) }
            }
            masker.finish(to: &output)
            let text = String(decoding: output, as: UTF8.self)
            let shown = text.replacing(Masker.replacement, with: "*")
            let start = String(decoding: secret.prefix(3), as: UTF8.self)
            #expect((0...3).contains { shown == "..\(start.prefix($0))*.." }, "\(shown) of \(secret)")
        }
    }

    @Test func aQuestionIsSeenAtOnceOrAfterTheTimeOut() throws {
        var masker = try masker([Array(": x:secret".utf8), Array("Password".utf8)])
        var output: [UInt8] = []
        masker.feed(Array("Name: ".utf8).span.bytes, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "Name")
        #expect(masker.heldBack == 2)
        masker.releaseHeldBack(to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "Name: ")
        masker.feed(Array("x:secret. Passwo".utf8).span.bytes, to: &output)
        masker.releaseHeldBack(to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "Name: \(Masker.replacement). ")
        masker.finish(to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "Name: \(Masker.replacement). Passwo")
    }

    @Test func aWholeSecretIsConcealedBeforeALongerOneIsRuledOut() throws {
        var masker = try masker([Array("pass".utf8), Array("password".utf8)])
        var output: [UInt8] = []
        masker.feed(Array("a pass".utf8).span.bytes, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "a \(Masker.replacement)")
        masker.feed(Array("word".utf8).span.bytes, to: &output)
        masker.feed(Array("!".utf8).span.bytes, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "a \(Masker.replacement)!")
    }

    @Test func tooShortOnesAreSaidToBe() throws {
        var words = try MaskedWords()
        for text in ["", "a", "abc", "abc\n", "\n\n\n\n\n", "abc\r\n"] {
            let isMasked = try words.add(secret(text))
            #expect(!isMasked, "\(text.debugDescription)")
        }
        for text in ["abcd", "abcd\n", "日本"] {
            let isMasked = try words.add(secret(text))
            #expect(isMasked, "\(text.debugDescription)")
        }
    }

    /// As in `Authorization: Basic`, after user names of any length.
    @Test(arguments: 4...12) func shortSecretsAreConcealedInsideBase64(_ count: Int) throws {
        let secret = String("p4ss#w9!Zq7/".prefix(count))
        for before in 0...8 {
            for after in ["", "\n", "\r\n", "@host"] {
                let bytes = Array("\(String(repeating: "u", count: before)):\(secret)\(after)".utf8)
                let whole = Data(bytes).base64EncodedString()
                let text = try masked("Authorization: Basic \(whole)\n", secret)
                #expect(
                    text.contains("*") && !text.contains(whole), "\(before) bytes before, \(after.debugDescription)")
                // At most the characters that belong to the bytes around it as well stay on either side.
                let shown = text.dropFirst("Authorization: Basic ".count).split(separator: "*")
                #expect(shown.count <= 2 && shown[0].count <= 4 * (before + 1) / 3 + 1, "\(text)")
            }
        }
    }

    /// Four letters of base64 are few. They have to stay rare in what programs write.
    @Test func shortSecretsLeaveOrdinaryOutputAsItIs() throws {
        let text = """
            Compiling 114 modules of the package, with debug information and optimization for size; this may take a while.
            drwxr-xr-x 3 user users 4096 Nov 28 07:12 Sources/PlainText/Terminal.swift -> ../other/Terminal.swift
            {"name":"alice","host":"db.example.org","port":5432,"tags":["primary","eu-west-1"],"uptime":123456.75}
            GET /api/v2/items?limit=100&offset=200 HTTP/1.1 200 OK 4821 bytes in 0.031 s (keep-alive, gzip)
            -----BEGIN CERTIFICATE-----
            MIIBszCCAVmgAwIBAgIUQe0yXc8mJp3v6cZk0bq9sTQ2m1kwCgYIKoZIzj0EAwIw
            DzENMAsGA1UEAwwEdGVzdDAeFw0yNjAxMDEwMDAwMDBaFw0zNjAxMDEwMDAwMDBa

            """
        var generator = SeededGenerator(seed: 41)
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#!$%&*".utf8)
        for _ in 0..<400 {
            let count = Int.random(in: 4...7, using: &generator)
            let secret = String(decoding: (0..<count).map { _ in generator.pick(letters) }, as: UTF8.self)
            #expect(try masked(text, secret) == text, "\(secret)")
        }
    }

    /// Secrets and texts, with the masked texts.
    @Test func formsAreConcealedToo() throws {
        let key = "-----BEGIN KEY-----\nMIIEvQIBADANBg\r\nshort\nkqhkiG9w0BAQ\n-----END KEY-----\n"
        let rows: [(secret: String, text: String, left: String)] = [
            ("hunter22\n", "it is hunter22\nyes", "it is *\nyes"),
            ("hunter22\r\n", "hunter22", "*"),
            (key, "a\nMIIEvQIBADANBg\nshort\nkqhkiG9w0BAQ\r\n", "a\n*\nshort\n*\r\n"),
            (key, "x\(key)y", "x*\ny"),
            ("hunter22\n==========\n          \nx", "==========\n          hunter22", "==========\n          *"),
            ("p@ss w/rd", "p%40ss%20w%2Frd p%40ss%20w%2frd p%40ss+w%2Frd", "* * *"),
            ("it's(me)", "it's(me) it%27s%28me%29 it's%28me%29", "* * it's%28me%29"),
            ("a\"b\\c/d\ne", #"{"x":"a\"b\\c/d\ne"} a\"b\\c\/d\ne"#, #"{"x":"*"} *"#),
            ("пароль🔑", #"\u043f\u0430\u0440\u043e\u043b\u044c\ud83d\udd11"#, "*"),
            ("bell\u{7}", #"bell\u0007"#, "*"),
            // echo -n, echo, and behind a user's name of each length
            ("hunter22", "aHVudGVyMjI= aHVudGVyMjIK", "*= *"),
            ("hunter22", "YTpodW50ZXIyMg== YWI6aHVudGVyMjI= YWJjOmh1bnRlcjIy", "YTp*g== YWI6*= YWJjOm*"),
            ("hunter2", "aHVudGVyMg==", "*=="),
            ("~~~???>>>", "fn5+Pz8/Pj4+ fn5-Pz8_Pj4-", "* *"),
            // wrapped in the middle, with a carriage return, and indented
            ("hunter22", "aHVudG\nVyMjI= YTpo\r\ndW50ZXIyMg==\n  aHVu\n      dGVyMjI=.", "*= YTp*g==\n  *=."),
            (
                "hunter22", "aHVu dGVyMjI= aHVu\n\(String(repeating: " ", count: 18))dGVyMjI=",
                "aHVu dGVyMjI= aHVu\n\(String(repeating: " ", count: 18))dGVyMjI="
            ),
            ("hunter22", "68756e7465723232 68756E7465723232.68:75:6e:74:65:72:32:32", "* *.*"),
            (
                "hunter22",
                "00006875 6e74 6572\n3232. \\x68\\x75\\x6e\\x74\\x65\\x72\\x32\\x32 %68%75%6E%74%65%72%32%32",
                "0000*. \\x* %*"
            ),
            (
                "it's 5$", #"'it'\''s 5$' 'it'"'"'s 5$' it\'s\ 5\$ "it's 5\$" 'it''s 5$' $'it\'s 5$'"#,
                "'*' '*' * \"*\" '*' $'*'"
            ),
            (#"a"b\c"#, #"a\"b\\c a\\\"b\\\\c "a""b\c""#, #"* * "*""#),
            ("esc\u{1B}[1m\n.", #"$'esc\E[1m\n.' 'esc\x1b[1m\n.' "esc\u001b[1m\n.""#, #"$'*' '*' "*""#),
            (
                "née.é", #"$'n\303\251e.\303\251' b'n\xc3\xa9e.\xC3\xA9' "n\u00E9e.\u00E9""#,
                #"$'*' b'n\xc3\xa9e.\xC3\xA9' "*""#
            ),
        ]
        for row in rows {
            let left = try masked(row.text, row.secret)
            #expect(left == row.left, "\(row.text)")
        }
    }

    /// Random secrets in the forms of several programs, between dots, which occur in no form and in no gap.
    @Test(arguments: 0..<20) func encodedOnesAreFoundHoweverTheStreamIsCut(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(5000 + seed))
        for _ in 0..<30 {
            let secret =
                (0..<Int.random(in: 8...200, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                } + [0]  // a line end behind it would be none of the secret
            var text: [UInt8] = []
            var expected: [UInt8] = []
            for _ in 0..<4 {
                let form = Form.allCases.randomElement(using: &generator) ?? .base64
                text += "..".utf8 + form.write(secret, &generator) + "..".utf8
                expected += "..".utf8 + Self.replacement + "..".utf8
            }
            var masker = try masker([secret])
            var output: [UInt8] = []
            var place = 0
            while place < text.count {
                let end = min(text.count, place + Int.random(in: 0...40, using: &generator))
                masker.feed(text[place..<end].span.bytes, to: &output)
                place = end
            }
            masker.finish(to: &output)
            #expect(output == expected, "\(String(decoding: text, as: UTF8.self))")
        }
    }

    /// Digits with gaps between them, compared with a search that skips the same gaps.
    @Test(arguments: 0..<20) func digitsWithGapsAreFoundAsByASearchThroughAll(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(7000 + seed))
        for _ in 0..<100 {
            // The digits of these two bytes overlap.
            let secret = (0..<Int.random(in: 4...6, using: &generator)).map { _ in
                generator.pick([0x77, 0x79] as [UInt8])
            }
            let digits = secret.flatMap { [UInt8(ascii: "7"), $0 == 0x77 ? UInt8(ascii: "7") : UInt8(ascii: "9")] }
            let text = (0..<300).map { _ in
                generator.pick(Array("777777779999 :".utf8) + (generator.once(in: 40) ? Array("\n.".utf8) : []))
            }
            var letters: [(byte: UInt8, place: Int)] = []
            var isConcealed = [Bool](repeating: false, count: text.count)
            for (place, byte) in text.enumerated() where !" :\n".utf8.contains(byte) {
                letters.append((byte, place))
                let last = letters.suffix(digits.count)
                guard last.map(\.byte) == digits, let start = last.first?.place else { continue }
                for place in start...place { isConcealed[place] = true }
            }
            var expected: [UInt8] = []
            for place in text.indices {
                if !isConcealed[place] {
                    expected.append(text[place])
                } else if place == 0 || !isConcealed[place - 1] {
                    expected += Self.replacement
                }
            }
            var masker = try masker([secret])
            var output: [UInt8] = []
            var place = 0
            while place < text.count {
                let end = min(text.count, place + Int.random(in: 0...30, using: &generator))
                masker.feed(text[place..<end].span.bytes, to: &output)
                place = end
            }
            masker.finish(to: &output)
            #expect(output == expected, "\(secret) in \(String(decoding: text, as: UTF8.self).debugDescription)")
        }
    }

    /// An endless gap is not held back, and never more than the masker has room for.
    @Test func gapsWithoutAnEndAreLetGoOf() throws {
        for gap in [" ", ":x,-", "\n", "\\"] {
            var masker = try masker([Array("hunter22".utf8)])
            var output: [UInt8] = []
            let text = Array(
                ("68756e74 aHVudG h" + String(repeating: "6" + String(repeating: gap, count: 17), count: 500)).utf8)
            for byte in text { masker.feed([byte].span.bytes, to: &output) }
            #expect(masker.heldBack < 100)
            masker.finish(to: &output)
            #expect(output == text)
        }
    }

    @Test func largeAndOddSecretsAreFound() throws {
        var generator = SeededGenerator(seed: 7)
        for count in [255, 256, 4096, 100_000] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            var masker = try masker([bytes])
            var output: [UInt8] = []
            for start in stride(from: 0, to: count, by: 777) {
                masker.feed(bytes[start..<min(count, start + 777)].span.bytes, to: &output)
            }
            masker.finish(to: &output)
            #expect(output == Self.replacement)
        }
    }

    /// Ordinary texts, and one that makes the search look at each byte as often as possible.
    @Test(arguments: [
        "2026-01-01 12:00:00 INFO request 4711 served in 13 ms from /index.html by worker three\n",
        "hunter2hunter2hunter2hunter",
    ])
    func aHundredMegabytesTakeASecond(line: String) throws {
        var masker = try masker(
            ["hunter22-and-more", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "correct horse battery"].map {
                Array($0.utf8)
            })
        let chunk = Array(String(repeating: line, count: 65_536 / line.utf8.count).utf8)
        var output: [UInt8] = []
        var count = 0
        let time = Patience.work {
            while count < 100_000_000 {
                output.removeAll(keepingCapacity: true)
                masker.feed(chunk.span.bytes, to: &output)
                count += chunk.count
            }
        }
        // A shared machine may be several times slower.
        #expect(time < .seconds(60))
    }
}

/// The forms in which programs write bytes.
private enum Form: CaseIterable {
    case raw, base64, wrapped64, wrapped76, hexadecimal, dump, colons, escapes

    func write(_ secret: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        let base64 = Self.base64(secret)
        let digits = secret.flatMap { [$0 >> 4, $0 & 15].map { Array("0123456789abcdef".utf8)[Int($0)] } }
        func pairs(_ before: String) -> [UInt8] {
            Array(
                stride(from: 0, to: digits.count, by: 2).map {
                    before + String(decoding: digits[$0..<($0 + 2)], as: UTF8.self)
                }.joined().utf8)
        }
        switch self {
        case .raw: return secret
        case .base64: return base64
        case .wrapped64: return Self.wrap(base64, at: 64, "\n")
        case .wrapped76: return Self.wrap(base64, at: 76, "\r\n")
        case .hexadecimal:
            return generator.once(in: 2) ? digits : Array(String(decoding: digits, as: UTF8.self).uppercased().utf8)
        case .dump: return Self.wrap(digits, at: 60, "\n")
        case .colons: return Array(pairs(":").dropFirst())
        case .escapes: return Array(pairs("\\x").dropFirst(2))
        }
    }

    private static func wrap(_ text: [UInt8], at width: Int, _ end: String) -> [UInt8] {
        Array(
            stride(from: 0, to: text.count, by: width).map { text[$0..<min(text.count, $0 + width)] }.joined(
                separator: end.utf8))
    }

    /// The base64 up to the padding, which reveals nothing.
    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        var (value, bits) = (0, 0)
        for byte in bytes {
            (value, bits) = (value << 8 | Int(byte), bits + 8)
            while bits >= 6 {
                bits -= 6
                text.append(letters[value >> bits & 63])
            }
            value &= 0xFF
        }
        return bits == 0 ? text : text + [letters[value << (6 - bits) & 63]]
    }
}
