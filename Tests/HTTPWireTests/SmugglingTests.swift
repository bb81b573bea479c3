import HTTPWire
import Testing

/// Heads that two servers could cut in two ways. Each is refused on both sides, with the status of its side.
@Suite struct SmugglingTests {
    static let fields: [(String, RefusalReason)] = [
        // Both lengths, in both orders and in disguises.
        ("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", .lengthAndEncoding),
        ("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", .lengthAndEncoding),
        ("Content-Length: 0\r\nTransfer-Encoding: chunked\r\n", .lengthAndEncoding),
        ("Content-Length: 4\r\nTransfer-Encoding: identity\r\n", .lengthAndEncoding),
        ("content-length: 4\r\nTRANSFER-ENCODING: chunked\r\n", .lengthAndEncoding),
        // Encodings that only one of two servers understands.
        ("Transfer-Encoding: xchunked\r\n", .transferEncoding),
        ("Transfer-Encoding: chunked, chunked\r\n", .transferEncoding),
        ("Transfer-Encoding: gzip, chunked\r\n", .transferEncoding),
        ("Transfer-Encoding: chunked, identity\r\n", .transferEncoding),
        ("Transfer-Encoding: identity\r\n", .transferEncoding),
        ("Transfer-Encoding: chunked;q=1\r\n", .transferEncoding),
        ("Transfer-Encoding: \"chunked\"\r\n", .transferEncoding),
        ("Transfer-Encoding: chunked,\r\n", .transferEncoding),
        ("Transfer-Encoding: ,chunked\r\n", .transferEncoding),
        ("Transfer-Encoding: chu\tnked\r\n", .transferEncoding),
        ("Transfer-Encoding:\r\n", .transferEncoding),
        ("Transfer-Encoding: \u{E9}chunked\r\n", .transferEncoding),
        ("Transfer-Encoding : chunked\r\n", .spaceBeforeColon),
        ("Transfer-Encoding\t: chunked\r\n", .spaceBeforeColon),
        (" Transfer-Encoding: chunked\r\n", .foldedField),
        ("X: x\r\n Transfer-Encoding: chunked\r\n", .foldedField),
        ("Transfer-Encoding:\r\n chunked\r\n", .foldedField),
        ("X: x\nTransfer-Encoding: chunked\r\n", .lineFeedAlone),
        ("X: x\rTransfer-Encoding: chunked\r\n", .carriageReturnAlone),
        ("Transfer-Encoding: chunked\u{B}\r\n", .controlCharacter),
        ("Transfer-Encoding: \0chunked\r\n", .controlCharacter),
        ("Transfer-Encoding\0: chunked\r\n", .controlCharacter),
        ("Transfer_Encoding: chunked\r\n", .lookalikeField),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", .duplicateField),
        ("Transfer-Encoding: chunked\r\ntransfer-encoding: chunked\r\n", .duplicateField),
        // Lengths that are not one number.
        ("Content-Length: 4\r\nContent-Length: 4\r\n", .duplicateField),
        ("Content-Length: 4\r\nContent-Length: 5\r\n", .duplicateField),
        ("Content-Length: 4, 4\r\n", .lengthForm),
        ("Content-Length: +4\r\n", .lengthForm),
        ("Content-Length: -4\r\n", .lengthForm),
        ("Content-Length: 0x4\r\n", .lengthForm),
        ("Content-Length: 04\r\n", .lengthForm),
        ("Content-Length: 4.0\r\n", .lengthForm),
        ("Content-Length: 4e1\r\n", .lengthForm),
        ("Content-Length: 4 4\r\n", .lengthForm),
        ("Content-Length: \u{B2}\r\n", .lengthForm),
        ("Content-Length:\r\n", .lengthForm),
        ("Content_Length: 4\r\n", .lookalikeField), ("Content.Length: 4\r\n", .lookalikeField),
        ("Content-Length: 18446744073709551616\r\n", .bodyTooLarge),
        ("Content-Length: 18446744073709551615\r\n", .bodyTooLarge),
        ("Content-Length: 99999999999999999999999999999999999\r\n", .bodyTooLarge),
        ("Content-Length: 67108865\r\n", .bodyTooLarge),
    ]

    @Test(arguments: fields) func aRequestWithTwoReadings(text: String, reason: RefusalReason) {
        let bytes = [UInt8](latin: "POST / HTTP/1.1\r\nHost: a\r\n\(text)\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n")
        #expect(Sample.request(bytes).reason == reason)
    }

    @Test(arguments: fields) func aResponseWithTwoReadings(text: String, reason: RefusalReason) {
        #expect(Sample.response([UInt8](latin: "HTTP/1.1 200 OK\r\n\(text)\r\n")).reason == reason)
        #expect(WireRefusal(.response, reason).status == 502)
    }

    @Test func goodLengthsAreRead() {
        for (text, framing) in [
            ("", .none), ("Content-Length: 0\r\n", .length(0)), ("content-length:67108864\r\n", .length(1 << 26)),
            ("Content-Length: \t7 \t\r\n", .length(7)), ("Transfer-Encoding: Chunked \r\n", .chunked),
        ] as [(String, BodyFraming)] {
            let bytes = [UInt8](latin: "POST / HTTP/1.1\r\nHost: a\r\n\(text)\r\n")
            #expect(Sample.request(bytes).checked?.framing == framing, "\(text)")
        }
    }

    @Test func theHeadEndsExactlyWhereTheBodyBegins() throws {
        let bytes = [UInt8](latin: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n\r\n\r\nGET")
        let checked = try #require(Sample.request(bytes).checked)
        #expect(bytes.latin(checked.head.end..<bytes.count) == "\r\n\r\nGET")
    }
}
