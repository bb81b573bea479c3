import HTTPWire
import Testing

/// Tests of the head that a server gets.
@Suite struct ForwardedRequestTests {
    /// Fields that never reach a server, whatever their case.
    static let dropped = [
        "Authorization", "x-api-key", "api-key", "x-goog-api-key", "private-token", "Cookie", "Cookie2", "Job-Token",
        "Deploy-Token", "X-Auth-Token", "X-Vault-Token", "X-Amz-Security-Token", "Proxy-Authorization",
        "Proxy-Connection",
        "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Via", "X-Real-IP", "X-Original-Host",
        "X-Host",
        "Trailer", "TE", "Keep-Alive", "HTTP2-Settings", "X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override",
        "X-Original-URL", "X-Rewrite-URL", "Accept-Encoding", "Sec-WebSocket-Key", "Connection",
    ]

    private func forwarded(_ text: String, _ credential: String = "Bearer real") throws -> String {
        let bytes = [UInt8](latin: text)
        let outcome = Sample.request(bytes)
        let checked = try #require(outcome.checked, "\(outcome)")
        return try Sample.written(checked, bytes, credential: credential).latin
    }

    @Test func onlyCheckedPartsAreWritten() throws {
        let text =
            "POST /v1/messages?a=1&key=lend_1&b=2 HTTP/1.1\r\nHost: 127.0.0.1:4711\r\nUser-Agent:  curl \r\n"
            + "Authorization: Bearer lend_0\r\nConnection: keep-alive, X-Secret\r\nX-Secret: 1\r\nanthropic-version: 2\r\n"
            + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc"
        let expected =
            "POST /v1/messages?a=1&b=2 HTTP/1.1\r\nhost: api.example.com\r\nauthorization: Bearer real\r\nUser-Agent: curl\r\n"
            + "anthropic-version: 2\r\naccept-encoding: identity\r\ncontent-length: 3\r\n\r\n"
        #expect(try forwarded(text) == expected)
        let checked = try #require(Sample.request([UInt8](latin: text)).checked)
        #expect(checked.expectsContinue && !checked.closes)
        #expect(checked.credentials.map { [UInt8](latin: text).latin($0.value) } == ["Bearer lend_0"])
    }

    @Test(arguments: dropped) func aFieldIsLeftOut(name: String) throws {
        for spelling in [
            name, name.lowercased(), name.uppercased(), name.replacing("-", with: "_"), name.replacing("-", with: "."),
        ] {
            let head = try forwarded("GET / HTTP/1.1\r\nHost: a\r\n\(spelling): canary\r\n\r\n")
            #expect(!head.contains("canary"), "\(spelling)")
        }
    }

    @Test func theTableOfTheTestsHasEachFieldThatIsLeftOut() {
        let listed = Set(Self.dropped.map { $0.lowercased() })
        for field in KnownField.allCases {
            let name = "\(field.name)"
            switch field.use(.request) {
            case .dropped, .credential: #expect(listed.contains(name), "\(name)")
            case .passes: #expect(!listed.contains(name), "\(name)")
            case .own, .refused: break
            }
        }
        #expect(KnownField.allCases.count <= 64)
    }

    /// The query of the client, and what of it is passed on.
    static let queries = [
        ("", ""), ("?", "?"), ("?a", "?a"), ("?a=1&b=2", "?a=1&b=2"), ("?key=1", ""), ("?key", ""), ("?key=1&a", "?a"),
        ("?a&key=1", "?a"), ("?a&KEY=1&b", "?a&b"), ("?a;key=1;b", "?a;b"), ("?%6bey=1&a", "?a"), ("?%6B%65%79", ""),
        ("?access_token=1&a", "?a"), ("?access%5Ftoken=1&a", "?a"), ("?_method=DELETE&a", "?a"),
        ("?keys=1&monkey=2", "?keys=1&monkey=2"),
        ("?a=key=1", "?a=key=1"), ("?&&", "?&&"), ("?key=1&key=2&key=3", ""), ("?%256bey=1", "?%256bey=1"),
        ("?ke=1", "?ke=1"),
    ]

    @Test(arguments: queries) func aQueryLosesItsCredentials(query: String, kept: String) throws {
        let head = try forwarded("GET /a\(query) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(head.hasPrefix("GET /a\(kept) HTTP/1.1\r\n"))
    }

    @Test func theClientsFieldOfTheSameNameIsReplaced() throws {
        let bytes = [UInt8](latin: "GET / HTTP/1.1\r\nHost: a\r\nX_Team-Key: client\r\nX-Other: 1\r\n\r\n")
        let checked = try #require(Sample.request(bytes).checked)
        let values = [UInt8](latin: "--real--")
        let head = try Sample.written { (output) throws(WireRefusal) in
            try checked.write(
                to: Sample.server, own: [OwnField("x-team-key", 2..<6)], values: values.span.bytes,
                from: bytes.span.bytes, into: &output)
        }.latin
        #expect(head.contains("\r\nx-team-key: real\r\n") && head.contains("X-Other: 1") && !head.contains("client"))
    }

    @Test(arguments: ["", "a\r\nX: y", "a\nb", "a\rb", "a\0b", "a\u{7F}", " a", "a ", "\u{1B}"])
    func aCredentialIsOneLine(value: String) {
        #expect(throws: WireRefusal(.request, .ownFieldForm)) {
            try forwarded("GET / HTTP/1.1\r\nHost: a\r\n\r\n", value)
        }
    }

    @Test(arguments: [
        "", "a b", "a:", "host", "Content-Length", "transfer_encoding", "connection", "upgrade", "\u{E9}",
    ])
    func anOwnFieldHasAFitName(name: String) throws {
        let bytes = [UInt8](latin: "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let checked = try #require(Sample.request(bytes).checked)
        #expect(throws: WireRefusal(.request, .ownFieldForm)) {
            try Sample.written { (output) throws(WireRefusal) in
                try checked.write(
                    to: Sample.server, own: [OwnField(name, 0..<3)], values: bytes.span.bytes, from: bytes.span.bytes,
                    into: &output)
            }
        }
    }

    @Test func aHeadThatDoesNotFitIsRefusedAtEachSize() throws {
        let bytes = [UInt8](latin: "GET /a?b&key&c HTTP/1.1\r\nHost: a\r\nX: y\r\nContent-Length: 12\r\n\r\n")
        let checked = try #require(Sample.request(bytes).checked)
        let whole = try Sample.written(checked, bytes)
        for capacity in 0..<whole.count {
            #expect(throws: WireRefusal(.request, .outputTooSmall)) {
                try Sample.written(capacity) { (output) throws(WireRefusal) in
                    let value = [UInt8](latin: "Bearer real")
                    try checked.write(
                        to: Sample.server, own: [OwnField("authorization", 0..<11)], values: value.span.bytes,
                        from: bytes.span.bytes,
                        into: &output)
                }
            }
        }
    }
}
