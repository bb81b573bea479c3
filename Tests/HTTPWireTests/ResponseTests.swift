import HTTPWire
import Testing

/// Tests of what a client gets of an answer.
@Suite struct ResponseTests {
    static let startLines: [(String, RefusalReason?)] = [
        ("HTTP/1.1 200 OK", nil), ("HTTP/1.1 200 ", nil), ("HTTP/1.1 200", nil), ("HTTP/1.1 404 Nicht da: \u{E9}", nil),
        ("HTTP/1.1 599 x", nil), ("HTTP/1.0 200 OK", .otherVersion), ("HTTP/2.0 200 OK", .otherVersion),
        ("HTTP/2 200 OK", .startLineForm), ("ICY 200 OK", .startLineForm), ("http/1.1 200 OK", .startLineForm),
        (" HTTP/1.1 200 OK", .startLineForm), ("HTTP/1.1", .startLineForm), ("HTTP/1.1  200 OK", .statusForm),
        ("HTTP/1.1 20 OK", .statusForm), ("HTTP/1.1 20", .statusForm), ("HTTP/1.1 2000 OK", .statusForm),
        ("HTTP/1.1 600 OK", .statusForm), ("HTTP/1.1 099 OK", .statusForm), ("HTTP/1.1 200OK", .statusForm),
        ("HTTP/1.1 +20 OK", .statusForm), ("HTTP/1.1 ", .statusForm),
        ("HTTP/1.1 101 Switching Protocols", .switchedProtocol),
        ("HTTP/1.1 200 O\0K", .controlCharacter), ("HTTP/1.1 200 O\nK", .lineFeedAlone),
    ]

    @Test(arguments: startLines) func aStatusLine(line: String, reason: RefusalReason?) {
        #expect(Sample.response([UInt8](latin: line + "\r\nA: b\r\n\r\n")).reason == reason)
    }

    @Test func onlyCheckedPartsAreWritten() throws {
        let bytes = [UInt8](
            latin:
                "HTTP/1.1 201 Created\r\nDate: now\r\nSet-Cookie: a=1\r\nset_cookie: b=2\r\nWWW-Authenticate: Basic\r\nAlt-Svc: h3\r\n"
                + "Strict-Transport-Security: max-age=1\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: 5\r\nTrailer: X\r\n"
                + "Proxy-Authenticate: Basic\r\nRefresh: 0;url=//evil.example\r\nContent-Encoding: Identity\r\nUpgrade: h2\r\n"
                + "Transfer-Encoding: chunked\r\nETag: 1\r\n\r\n")
        let checked = try #require(Sample.response(bytes).checked)
        #expect(checked.closes)
        #expect(
            try Sample.written(checked, bytes).latin
                == "HTTP/1.1 201 Created\r\nDate: now\r\nETag: 1\r\ntransfer-encoding: chunked\r\n\r\n")
    }

    /// Locations, what a client gets of them, and what it gets if redirects are passed on.
    static let locations: [(String, String?, String?)] = [
        ("/a?b#c", "/a?b#c", "/a?b#c"), ("a/b", "a/b", "a/b"), ("", "", ""), ("?x", "?x", "?x"), ("#f", "#f", "#f"),
        ("https://api.example.com/a", "http://127.0.0.1:4711/a", "http://127.0.0.1:4711/a"),
        ("HTTPS://API.example.com:443/a", "http://127.0.0.1:4711/a", "http://127.0.0.1:4711/a"),
        ("https://api.example.com", "http://127.0.0.1:4711/", "http://127.0.0.1:4711/"),
        ("https://api.example.com?a", "http://127.0.0.1:4711/?a", "http://127.0.0.1:4711/?a"),
        ("//api.example.com/a", "http://127.0.0.1:4711/a", "http://127.0.0.1:4711/a"),
        ("http://api.example.com/a", nil, "http://api.example.com/a"),
        ("https://api.example.com:444/a", nil, "https://api.example.com:444/a"),
        ("https://api.example.com.evil.example/a", nil, "https://api.example.com.evil.example/a"),
        ("https://api.example.com@evil.example/a", nil, "https://api.example.com@evil.example/a"),
        ("//evil.example/a", nil, "//evil.example/a"),
        ("https://evil.example/?X-Amz-Signature=1", nil, "https://evil.example/?X-Amz-Signature=1"),
        ("javascript:alert(1)", nil, nil), ("https:evil.example", nil, nil), ("https:/evil.example", nil, nil),
        ("https:///evil.example", nil, nil), ("///evil.example", nil, nil), ("/\\evil.example", nil, nil),
        ("https://evil.example\\@api.example.com/", nil, nil), ("/a b", nil, nil), ("/\u{E9}", nil, nil),
        ("/\ta", nil, nil),
    ]

    @Test(arguments: locations) func aLocation(value: String, strict: String?, passed: String?) throws {
        let bytes = [UInt8](latin: "HTTP/1.1 302 Found\r\nLocation: \(value)\r\nContent-Length: 0\r\n\r\n")
        for (passesRedirects, expected) in [(false, strict), (true, passed)] {
            let checked = try #require(Sample.response(bytes, passesRedirects: passesRedirects).checked)
            let line = expected.map { "location: \($0)\r\n" } ?? ""
            #expect(
                try Sample.written(checked, bytes).latin == "HTTP/1.1 302 Found\r\n\(line)content-length: 0\r\n\r\n",
                "\(passesRedirects)")
        }
    }

    @Test func twoLocationsAreRefused() {
        let bytes = [UInt8](latin: "HTTP/1.1 302 Found\r\nLocation: /a\r\nlocation: /b\r\n\r\n")
        #expect(Sample.response(bytes).reason == .duplicateField)
    }

    @Test(arguments: ["gzip", "br", "identity, gzip", "x", ""]) func anEncodedBodyIsRefused(encoding: String) {
        let bytes = [UInt8](latin: "HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\n\r\n")
        #expect(Sample.response(bytes).reason == .contentEncoding)
    }

    /// Fields of an answer, and the length of its body for GET, for HEAD, and for the statuses 204 and 304.
    @Test func aBodyHasTheLengthThatItsStatusAllows() {
        func framing(_ status: Int, _ field: String, isHead: Bool = false) -> BodyFraming? {
            Sample.response([UInt8](latin: "HTTP/1.1 \(status) x\r\n\(field)\r\n"), isHead: isHead).checked?.framing
        }
        let length = "Content-Length: 5\r\n"
        let chunked = "Transfer-Encoding: chunked\r\n"
        #expect(
            framing(200, "") == .untilClose && framing(200, length) == .length(5) && framing(200, chunked) == .chunked)
        for field in ["", length, chunked] {
            #expect(framing(200, field, isHead: true) == BodyFraming.none && framing(304, field) == BodyFraming.none)
        }
        #expect(framing(204, "") == BodyFraming.none && framing(204, "Content-Length: 0\r\n") == BodyFraming.none)
        #expect(framing(204, length) == nil && framing(204, chunked) == nil)
    }

    @Test func anAnswerToHeadKeepsTheLengthOfItsBody() throws {
        // The object may be larger than any body that would be passed on.
        let bytes = [UInt8](latin: "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
        let checked = try #require(Sample.response(bytes, isHead: true).checked)
        #expect(try Sample.written(checked, bytes).latin.contains("content-length: 99999999999\r\n"))
        #expect(Sample.response(bytes).reason == .bodyTooLarge)
    }

    @Test func interimAnswersAreSkippedUpToABound() throws {
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        let final = "HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody"
        for count in 0...8 {
            let bytes = [UInt8](latin: String(repeating: interim, count: count) + final)
            let checked = try #require(Sample.response(bytes).checked)
            #expect(bytes.latin(checked.head.end..<bytes.count) == "body" && checked.fields.count == 1)
        }
        #expect(Sample.response([UInt8](latin: String(repeating: interim, count: 9))).reason == .tooManyInterimAnswers)
        let large = "HTTP/1.1 100 x\r\nA: " + String(repeating: "a", count: 20_000) + "\r\n\r\n"
        #expect(Sample.response([UInt8](latin: large + large)).reason == .headTooLarge)
    }

    @Test func nothingFollowsACompleteAnswer() throws {
        let bytes = [UInt8](latin: "HTTP/1.1 204 x\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")
        var reader = ResponseReader()
        #expect(throws: WireRefusal(.response, .endsEarly)) { try reader.finish() }
        guard case .head(let head) = try reader.read(bytes.span.bytes) else { throw WireRefusal(.response, .endsEarly) }
        #expect(throws: WireRefusal(.response, .headIsComplete)) { try reader.read(bytes.span.bytes) }
        var body = BodyReader(.none, .response, limit: 10)
        var place = head.end
        #expect(throws: WireRefusal(.response, .bytesAfterEnd)) { try body.next(in: bytes.span.bytes, at: &place) }
    }

    @Test func theReasonsHaveTheirStatuses() throws {
        let statuses: [UInt16: [RefusalReason]] = [
            403: [.notAllowed], 405: [.methodRefused], 408: [.tooSlow], 413: [.bodyTooLarge], 414: [.targetTooLong],
            415: [.contentEncoding], 417: [.otherExpectation], 421: [.otherHost],
            431: [.headTooLarge, .tooManyFields, .trailerTooLarge],
            500: [.outputTooSmall, .ownFieldForm, .bodyOtherLength], 501: [.transferEncoding, .upgradeRefused],
            502: [.unreachable],
            505: [.otherVersion],
        ]
        for reason in RefusalReason.allCases {
            let expected = statuses.first { $0.value.contains(reason) }?.key ?? 400
            #expect(reason.status == expected, "\(reason.sentence)")
            #expect(WireRefusal(.response, reason).status == (reason == .tooSlow ? 504 : 502))
            #expect(reason.sentence.hasSuffix(".") && reason.sentence.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
        }
        #expect(Set(RefusalReason.allCases.map(\.sentence)).count == RefusalReason.allCases.count)
    }

    @Test func theAnswerOfARefusalIsAnAnswer() throws {
        for side in WireSide.allCases {
            for reason in RefusalReason.allCases {
                let refusal = WireRefusal(side, reason)
                let bytes = try Sample.written(512) { (output) throws(WireRefusal) in try refusal.write(into: &output) }
                let checked = try #require(Sample.response(bytes).checked)
                #expect(checked.head.status == refusal.status && bytes.latin(checked.head.reason) != "Refused")
                #expect(
                    Sample.body(Array(bytes[checked.head.end...]), checked.framing, .response).checked
                        == Array("\(refusal)\n|".utf8))
            }
        }
    }
}
