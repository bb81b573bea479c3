import Testing
import UserPresence

/// The lines of the Assuan protocol, as a pinentry may send them.
@Suite struct PinentryLineTests {
    private func line(_ text: String) -> PinentryLine { Array(text.utf8).withUnsafeBytes { PinentryLine($0) } }

    @Test func eachLineIsWhatTheProtocolSays() {
        let table: [(text: String, line: PinentryLine)] = [
            ("OK", .done), ("OK Pleased to meet you", .done), ("OKAY", .malformed), ("ok", .malformed),
            ("ERR 83886179 Operation cancelled <Pinentry>", .failed(83_886_179)), ("ERR 7", .failed(7)),
            ("ERR", .malformed), ("ERR ", .malformed), ("ERR x", .malformed), ("ERR 12x", .malformed),
            ("ERR -1", .malformed), ("ERR 4294967295 most", .failed(.max)), ("ERR 4294967296 more", .malformed),
            ("ERR 99999999999999999999", .malformed), ("D", .data), ("D ", .data), ("D s3cret", .data),
            ("DATA", .malformed), ("S PIN_REPEATED", .remark), ("S", .remark), ("# a comment", .remark),
            ("#", .remark), ("INQUIRE QUALITY s3cret", .malformed), ("END", .malformed), ("", .malformed),
            (" OK", .malformed), ("BYE", .malformed), ("\u{0}", .malformed),
            ("D " + String(repeating: "x", count: 998), .data),
            ("D " + String(repeating: "x", count: 999), .malformed),
        ]
        for (text, expected) in table { #expect(line(text) == expected, "\(text.prefix(40))") }
    }

    private func decoded(_ text: String, room: Int) -> (PinentryLine.Decoded, [UInt8]) {
        var bytes = [UInt8](repeating: 0xEE, count: room)
        let result = Array(text.utf8).withUnsafeBytes { line in
            bytes.withUnsafeMutableBytes { PinentryLine.decode(line, into: $0) }
        }
        return (result, bytes)
    }

    @Test func whatIsTypedIsDecodedIntoItsRoom() {
        let table: [(text: String, typed: String)] = [
            ("D", ""), ("D ", ""), ("D s3cret", "s3cret"), ("D  two  spaces ", " two  spaces "),
            ("D 100%25", "100%"), ("D %0A%0D%25", "\n\r%"), ("D a%2fb%2F", "a/b/"), ("D %C3%A4", "ä"), ("D ä", "ä"),
            ("D %2525", "%25"),
        ]
        for (text, typed) in table {
            let (result, bytes) = decoded(text, room: 40)
            #expect(result == .whole(typed.utf8.count), "\(text)")
            #expect(bytes.prefix(typed.utf8.count).elementsEqual(typed.utf8), "\(text)")
            // Nothing behind the text is touched.
            #expect(bytes.dropFirst(typed.utf8.count).allSatisfy { $0 == 0xEE }, "\(text)")
        }
    }

    @Test func whatDoesNotFitOrIsNoEncodingIsRefused() {
        #expect(decoded("D abc", room: 3).0 == .whole(3))
        #expect(decoded("D abcd", room: 3).0 == .tooLong)
        #expect(decoded("D %41", room: 0).0 == .tooLong)
        #expect(decoded("D ", room: 0).0 == .whole(0))
        for text in ["D %", "D %4", "D %G1", "D %1G", "D a%%b", "D % 1", "D %\u{E4}"] {
            #expect(decoded(text, room: 40).0 == .malformed, "\(text)")
        }
    }

    @Test func noArgumentCanBeginACommandOfItsOwn() {
        let table = [
            ("a\nGETPIN", "SETDESC a%0AGETPIN"), ("100%", "SETDESC 100%25"), ("\r\u{0}\u{7F}", "SETDESC %0D%00%7F"),
            ("ä \u{1F511}", "SETDESC ä \u{1F511}"), ("", "SETDESC"),
        ]
        for (argument, line) in table { #expect(PinentryLine.command("SETDESC", argument) == line) }
        for value in UInt8.min...127 {
            let line = PinentryLine.command("SETDESC", String(UnicodeScalar(value)))
            #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "\(value)")
        }
    }
}
