import HTTPWire
import Testing

/// Requests, each with the reason for which it is refused.
@Suite struct RequestTableTests {
    /// A row: what stands in place of a part of a good request, and what comes of it.
    struct Row: Sendable, CustomStringConvertible {
        let text: String
        let reason: RefusalReason?

        var description: String { String(text.prefix(60)).debugDescription }
    }

    static let startLines: [Row] = [
        Row(text: "GET / HTTP/1.1", reason: nil),
        Row(text: "VERSION-CONTROL /a HTTP/1.1", reason: nil),
        Row(text: "GET  / HTTP/1.1", reason: .startLineForm),
        Row(text: "GET  HTTP/1.1", reason: .startLineForm),
        Row(text: "GET / HTTP/1.1 ", reason: .startLineForm),
        Row(text: " GET / HTTP/1.1", reason: .startLineForm),
        Row(text: "GET\t/\tHTTP/1.1", reason: .startLineForm),
        Row(text: "GET /", reason: .startLineForm),
        Row(text: "GET / http/1.1", reason: .startLineForm),
        Row(text: "GET / HTTP/1.1.1", reason: .startLineForm),
        Row(text: "GET / HTTP/1.10", reason: .startLineForm),
        Row(text: "GET / HTTP/1.0", reason: .otherVersion),
        Row(text: "GET / HTTP/0.9", reason: .otherVersion),
        Row(text: "PRI * HTTP/2.0", reason: .otherVersion),
        Row(text: "get / HTTP/1.1", reason: .methodForm),
        Row(text: "Head / HTTP/1.1", reason: .methodForm),
        Row(text: "G@T / HTTP/1.1", reason: .methodForm),
        Row(text: String(repeating: "A", count: 33) + " / HTTP/1.1", reason: .methodForm),
        Row(text: "CONNECT /api HTTP/1.1", reason: .methodRefused),
        Row(text: "CONNECT api.example.com:443 HTTP/1.1", reason: .targetForm),
        Row(text: "TRACE / HTTP/1.1", reason: .methodRefused),
        Row(text: "TRACK / HTTP/1.1", reason: .methodRefused),
        Row(text: "OPTIONS * HTTP/1.1", reason: .targetForm),
        Row(text: "GET http://evil.example/ HTTP/1.1", reason: .targetForm),
        Row(text: "GET evil.example/ HTTP/1.1", reason: .targetForm),
        Row(text: "GET ?a HTTP/1.1", reason: .targetForm),
        Row(text: "GET /" + String(repeating: "a", count: 16_384) + " HTTP/1.1", reason: .targetTooLong),
    ]

    static let targets: [Row] = [
        Row(text: "/", reason: nil),
        Row(text: "/a/b/?x=1&y", reason: nil),
        Row(text: "/a?", reason: nil),
        Row(text: "/compare/main...feature", reason: nil),
        Row(text: "/.well-known/x", reason: nil),
        Row(text: "/...", reason: nil),
        Row(text: "/a..b/.c/d.", reason: nil),
        Row(text: "/%20%C3%A9", reason: nil),
        Row(text: "/a?u=../..//b\\", reason: .targetCharacter),
        Row(text: "/a?u=../..//b%2e%2f%00", reason: nil),
        Row(text: "/@scope/x:y;v=1,2", reason: nil),
        Row(text: "/..", reason: .pathDots),
        Row(text: "/.", reason: .pathDots),
        Row(text: "/a/../b", reason: .pathDots),
        Row(text: "/a/./b", reason: .pathDots),
        Row(text: "/a/..;v=1/b", reason: .pathDots),
        Row(text: "/a/.;/b", reason: .pathDots),
        Row(text: "//evil.example/", reason: .pathEmptySegment),
        Row(text: "/a//b", reason: .pathEmptySegment),
        Row(text: "/a//", reason: .pathEmptySegment),
        Row(text: "/a/;x/b", reason: .pathEmptySegment),
        Row(text: "/a\\..\\b", reason: .pathBackslash),
        Row(text: "/%2e%2e/b", reason: .pathEncodedDot),
        Row(text: "/a%2Etxt", reason: .pathEncodedDot),
        Row(text: "/a%5cb", reason: .pathEncodedBackslash),
        Row(text: "/a%5Cb", reason: .pathEncodedBackslash),
        Row(text: "/a%00", reason: .pathEncodedControl),
        Row(text: "/a%0d%0ax", reason: .pathEncodedControl),
        Row(text: "/a%7F", reason: .pathEncodedControl),
        Row(text: "/a%2fb", reason: .pathEncodedSlash),
        Row(text: "/a%2Fb", reason: .pathEncodedSlash),
        Row(text: "/%c0%ae%c0%ae/b", reason: .pathOverlong),
        Row(text: "/a%C1%9Cb", reason: .pathOverlong),
        Row(text: "/%e0%80%ae", reason: .pathOverlong),
        Row(text: "/%F0%80%80%AE", reason: .pathOverlong),
        Row(text: "/%e0%a0%80%f0%90%80%80%c3%bc%ff", reason: nil),
        Row(text: "/a%", reason: .percentForm),
        Row(text: "/a%2", reason: .percentForm),
        Row(text: "/a%2?g", reason: .percentForm),
        Row(text: "/a%zz", reason: .percentForm),
        Row(text: "/a?b=%", reason: .percentForm),
        Row(text: "/a#b", reason: .targetCharacter),
        Row(text: "/a?b#c", reason: .targetCharacter),
        Row(text: "/a\u{E9}", reason: .targetCharacter),
        Row(text: "/a\"b", reason: .targetCharacter),
        Row(text: "/a<b>", reason: .targetCharacter),
        Row(text: "/a[0]", reason: .targetCharacter),
        Row(text: "/a?b[0]={|}^`", reason: nil),
        Row(text: "/a\tb", reason: .targetCharacter),
    ]

    static let fields: [Row] = [
        Row(text: "Accept: */*\r\n", reason: nil),
        Row(text: "Accept:\r\n", reason: nil),
        Row(text: "X-Text: caf\u{E9}\t1\r\n", reason: nil),
        Row(text: "Accept : */*\r\n", reason: .spaceBeforeColon),
        Row(text: "Accept\t: */*\r\n", reason: .spaceBeforeColon),
        Row(text: ": x\r\n", reason: .fieldNameForm),
        Row(text: "Acc ept: x\r\n", reason: .spaceBeforeColon),
        Row(text: "Acc(ept: x\r\n", reason: .fieldNameForm),
        Row(text: "Acc\u{E9}pt: x\r\n", reason: .fieldNameForm),
        Row(text: "Accept\r\n", reason: .fieldWithoutColon),
        Row(text: "A: b\r\n c\r\n", reason: .foldedField),
        Row(text: "A: b\r\n\tTransfer-Encoding: chunked\r\n", reason: .foldedField),
        Row(text: " A: b\r\n", reason: .foldedField),
        Row(text: "A: b\nB: c\r\n", reason: .lineFeedAlone),
        Row(text: "A: b\rB: c\r\n", reason: .carriageReturnAlone),
        Row(text: "A: b\r\rB: c\r\n", reason: .carriageReturnAlone),
        Row(text: "A: b\0c\r\n", reason: .controlCharacter),
        Row(text: "A\0: c\r\n", reason: .controlCharacter),
        Row(text: "A: \u{1B}[0m\r\n", reason: .controlCharacter),
        Row(text: "A: \u{7F}\r\n", reason: .controlCharacter),
        Row(text: "Host: evil.example\r\n", reason: .duplicateField),
        Row(text: "hOST: api.example.com\r\n", reason: .duplicateField),
        Row(text: "Authorization: a\r\nauthorization: a\r\n", reason: .duplicateField),
        Row(text: "Content-Length: 1\r\nContent-Length: 1\r\n", reason: .duplicateField),
        Row(text: "Content-Length: 1\r\nContent_Length: 2\r\n", reason: .duplicateField),
        Row(text: "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", reason: .duplicateField),
        Row(text: "Upgrade: websocket\r\nConnection: Upgrade\r\n", reason: .upgradeRefused),
        Row(text: "Upgrade: h2c\r\n", reason: .upgradeRefused),
        Row(text: "Expect: 100-Continue\r\n", reason: nil),
        Row(text: "Expect: 200-ok\r\n", reason: .otherExpectation),
        Row(text: "Connection: keep-alive, ,close\r\n", reason: nil),
        Row(text: "Connection: a b\r\n", reason: .connectionForm),
        Row(text: "Connection: \"a\"\r\n", reason: .connectionForm),
        Row(text: "Connection: " + String(repeating: "a,", count: 33) + "\r\n", reason: .connectionForm),
        Row(text: String(repeating: "A: b\r\n", count: 99), reason: nil),
        Row(text: String(repeating: "A: b\r\n", count: 100), reason: .tooManyFields),
        Row(text: "A: " + String(repeating: "b", count: 32_800) + "\r\n", reason: .headTooLarge),
    ]

    static let hosts: [Row] = [
        Row(text: "api.example.com", reason: nil),
        Row(text: "127.0.0.1:4711", reason: nil),
        Row(text: "[::1]:80", reason: nil),
        Row(text: "", reason: .hostForm),
        Row(text: "a b", reason: .hostForm),
        Row(text: "a,b", reason: .hostForm),
        Row(text: "user@a", reason: .hostForm),
        Row(text: "a/b", reason: .hostForm),
        Row(text: "a:", reason: .hostForm),
        Row(text: "a:8o", reason: .hostForm),
        Row(text: "a:123456", reason: .hostForm),
        Row(text: "[::1", reason: .hostForm),
        Row(text: "[]", reason: .hostForm),
        Row(text: "[x]", reason: .hostForm),
        Row(text: "[::1]x", reason: .hostForm),
        Row(text: "a\u{E9}", reason: .hostForm),
    ]

    @Test(arguments: startLines) func aStartLine(row: Row) {
        #expect(Sample.request([UInt8](latin: row.text + "\r\nHost: a\r\n\r\n")).reason == row.reason)
    }

    @Test(arguments: targets) func aTarget(row: Row) {
        #expect(Sample.request([UInt8](latin: "GET \(row.text) HTTP/1.1\r\nHost: a\r\n\r\n")).reason == row.reason)
    }

    @Test(arguments: fields) func aField(row: Row) {
        #expect(Sample.request([UInt8](latin: "GET / HTTP/1.1\r\nHost: a\r\n\(row.text)\r\n")).reason == row.reason)
    }

    @Test(arguments: hosts) func aHost(row: Row) {
        #expect(Sample.request([UInt8](latin: "GET / HTTP/1.1\r\nHost: \(row.text)\r\n\r\n")).reason == row.reason)
    }

    @Test func aRequestWithoutHostIsRefused() {
        #expect(Sample.request([UInt8](latin: "GET / HTTP/1.1\r\nA: b\r\n\r\n")).reason == .hostMissing)
    }

    /// The bounds count each byte of a head, with its line ends.
    @Test func theBoundsAreExact() {
        func head(line: Int, whole: Int) -> [UInt8] {
            let start = "GET /" + String(repeating: "a", count: line - 16) + " HTTP/1.1\r\nHost: a\r\nX: "
            return [UInt8](latin: start + String(repeating: "x", count: whole - start.utf8.count - 4) + "\r\n\r\n")
        }
        #expect(head(line: 100, whole: 200).count == 200)
        #expect(Sample.request(head(line: 16_384, whole: 32_768)).reason == nil)
        #expect(Sample.request(head(line: 16_385, whole: 32_768)).reason == .targetTooLong)
        #expect(Sample.request(head(line: 16_384, whole: 32_769)).reason == .headTooLarge)
    }

    @Test func aRuleMayNameTheHosts() throws {
        var rules = RequestRules()
        rules.origins = [Sample.proxy, try #require(WireOrigin(.http, host: "localhost"))]
        for (host, reason) in [
            ("127.0.0.1:4711", nil), ("LocalHost", nil), ("localhost:80", nil), ("127.0.0.1", .otherHost),
            ("evil.example:4711", .otherHost), ("localhost:4711", .otherHost),
        ] as [(String, RefusalReason?)] {
            let bytes = [UInt8](latin: "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(Sample.request(bytes, rules).reason == reason, "\(host)")
        }
    }

    @Test func aRuleMayAllowEncodedSlashes() {
        var rules = RequestRules()
        rules.allowsEncodedSlash = true
        let bytes = [UInt8](latin: "GET /@scope%2fname HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(Sample.request(bytes, rules).reason == nil)
        #expect(
            Sample.request([UInt8](latin: "GET /%2e%2e%2fname HTTP/1.1\r\nHost: a\r\n\r\n"), rules).reason
                == .pathEncodedDot)
    }

    @Test(arguments: ["", "\r\n", "\n", "\r\nGET / HTTP/1.1\r\n\r\n", "\0"]) func theFirstByteCounts(text: String) {
        let reasons: [RefusalReason?] = [nil, .emptyStartLine, .lineFeedAlone, .controlCharacter]
        let reason = Sample.request([UInt8](latin: text)).reason
        #expect(reasons.contains(reason) && (reason == nil) == text.isEmpty)
    }

    @Test func anEndInsideOfAHeadIsRefused() throws {
        var reader = RequestReader()
        try reader.finish()
        _ = try reader.read([UInt8](latin: "G").span.bytes)
        #expect(throws: WireRefusal(.request, .endsEarly)) { try reader.finish() }
    }
}
