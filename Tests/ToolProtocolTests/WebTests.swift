import PlainText
import Testing
import ToolProtocol

/// The tools over HTTP.
@Suite struct WebTests {
    private static let json = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")]
    private static let july = json + [("mcp-protocol-version", "2026-07-28")]

    private func post(
        _ body: [UInt8], _ fields: [(String, String)] = json, method: String = "POST", path: String = "/mcp",
        desk: FakeDesk = FakeDesk()
    ) -> WebResponse {
        ToolServer.made(desk).answer(
            WebRequest(method: method, path: path, fields: fields.map { (name: $0.0, value: $0.1) }, body: body))
    }

    /// Returns the status, and the answer in a word.
    private func verdict(_ response: WebResponse) -> String {
        if response.body.isEmpty { return "\(response.status)" }
        #expect(response.contentType == "application/json")
        return "\(response.status) \(Reply(response.body).verdict)"
    }

    private static let ping = Sample.message("ping")

    @Test(arguments: [
        ("POST", "/mcp", "200 result"), ("GET", "/mcp", "405"), ("DELETE", "/mcp", "405"), ("OPTIONS", "/mcp", "405"),
        ("PUT", "/mcp", "405"), ("HEAD", "/mcp", "405"), ("post", "/mcp", "405"), ("POST", "/", "404"),
        ("POST", "/mcp/", "404"), ("POST", "/MCP", "404"), ("GET", "/sse", "404"), ("POST", "/v1/messages", "404"),
    ]) func onlyOnePlaceIsServed(method: String, path: String, expected: String) {
        let response = post(Self.ping, method: method, path: path)
        #expect(verdict(response) == expected)
        #expect(response.fields.map { "\($0.name): \($0.value)" } == (response.status == 405 ? ["Allow: POST"] : []))
    }

    @Test(arguments: [
        ("http://localhost", true), ("http://localhost:6274", true), ("https://127.0.0.1:1", true),
        ("http://[::1]:80", true),
        ("http://[::1]", true), ("null", false), ("", false), ("http://localhost:", false),
        ("http://localhost:123456", false),
        ("http://localhost:80/", false), ("http://localhost.example.com", false),
        ("http://localhost@example.com", false),
        ("http://127.0.0.1.example.com", false), ("https://example.com", false), ("http://example.com:80", false),
        ("file://", false), ("localhost", false), ("http://LOCALHOST", false),
        ("http://localhost:80, http://a.example", false),
    ]) func onlyPagesOfThisMachineGetIn(origin: String, isIn: Bool) {
        let desk = FakeDesk()
        let call = Sample.call("latchkey_request", #"{"service":"api","reason":"x"}"#)
        #expect(verdict(post(call, Self.json + [("origin", origin)], desk: desk)) == (isIn ? "200 result" : "403"))
        #expect(desk.wishes.count == (isIn ? 1 : 0))
        #expect(post(call, Self.json + [("origin", "http://localhost"), ("origin", origin)]).status == 400)
    }

    @Test(arguments: [
        (["application/json, text/event-stream"], true), (["*/*"], true), (["application/*;q=0.5"], true), ([], true),
        (["text/event-stream", "Application/JSON"], true), (["text/html, application/json ; q=1.0"], true),
        (["text/event-stream"], false), (["application/json;q=0"], false),
        (["application/json; q=0.000, text/html"], false),
        (["application/jsonp"], false), ([""], false),
    ]) func theClientTakesJSON(accept: [String], isTaken: Bool) {
        let fields = [("content-type", "application/json")] + accept.map { ("accept", $0) }
        #expect(verdict(post(Self.ping, fields)) == (isTaken ? "200 result" : "406 -32600 for null"))
    }

    @Test(arguments: [
        ("application/json", true), ("Application/JSON; charset=UTF-8", true),
        ("application/json;charset=\"utf-8\"", true),
        ("text/plain", false), ("application/x-www-form-urlencoded", false),
        ("application/json; charset=utf-16", false),
        ("application/json-rpc", false), ("", false),
    ]) func theBodyIsJSON(type: String, isTaken: Bool) {
        #expect(verdict(post(Self.ping, [("content-type", type)])) == (isTaken ? "200 result" : "415 -32600 for null"))
        #expect(post(Self.ping, []).status == 415)
    }

    @Test(arguments: [
        (nil, "200 result"), ("2024-11-05", "200 result"), ("2025-03-26", "200 result"), ("2025-06-18", "200 result"),
        ("2025-11-25", "200 result"), ("2026-07-28", "400 -32020 for 1"), ("2027-01-01", "400 -32022 for 1"),
        ("", "400 -32022 for 1"), ("2025-11-25 ", "400 -32022 for 1"),
    ]) func aRequestAfterAHandshakeSaysItsVersionInAField(version: String?, expected: String) {
        let fields = Self.json + (version.map { [("mcp-protocol-version", $0)] } ?? [])
        for method in ["ping", "tools/list"] { #expect(verdict(post(Sample.message(method), fields)) == expected) }
        let isKnown = expected == "200 result"
        let initialize = Sample.message("initialize", #"{"protocolVersion":"2025-11-25"}"#)
        #expect(verdict(post(initialize, fields)) == expected)
        // A method that is unknown is an error in an answer, as before.
        if isKnown { #expect(verdict(post(Sample.message("resources/list"), fields)) == "200 -32601 for 1") }
        // Notifications are taken, and answers that nothing asked for too, up to 2025.
        let notification = Array(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.utf8)
        #expect(verdict(post(notification, fields)) == (isKnown || version == "2026-07-28" ? "202" : "400"))
        #expect(
            verdict(post(Array(#"{"jsonrpc":"2.0","id":1,"result":{}}"#.utf8), fields)) == (isKnown ? "202" : "400"))
        // Only one version has batches, which is also that of a request without the field.
        let batch = Array(#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#.utf8)
        let hasBatches = version == nil || version == "2025-03-26"
        #expect(verdict(post(batch, fields)) == (hasBatches ? "200 result" : "400 -32600 for null"))
        if hasBatches { #expect(verdict(post(Array(#"[{"jsonrpc":"2.0","method":"x"}]"#.utf8), fields)) == "202") }
    }

    private static let call = Sample.stateless("tools/call", #""name":"latchkey_list","arguments":{}"#)

    @Test(
        arguments: [
            (july + [("mcp-method", "tools/call"), ("mcp-name", "latchkey_list")], "200 result"),
            (july + [("mcp-method", "tools/call"), ("mcp-name", "=?base64?bGF0Y2hrZXlfbGlzdA==?=")], "200 result"),
            (
                july + [("mcp-method", "tools/call"), ("mcp-name", "=?base64?bGF0Y2hrZXlfbGlzdB==?=")],
                "400 -32020 for 1"
            ),
            (july + [("mcp-method", "tools/call"), ("mcp-name", "latchkey_status")], "400 -32020 for 1"),
            (july + [("mcp-method", "tools/call")], "400 -32020 for 1"),
            (july + [("mcp-method", "tools/list"), ("mcp-name", "latchkey_list")], "400 -32020 for 1"),
            (july + [("mcp-name", "latchkey_list")], "400 -32020 for 1"),
            (
                july + [("mcp-method", "tools/call"), ("mcp-method", "tools/call"), ("mcp-name", "latchkey_list")],
                "400 -32020 for 1"
            ),
            (
                july + [
                    ("mcp-method", "tools/call"), ("mcp-name", "latchkey_list"), ("mcp-protocol-version", "2026-07-28"),
                ], "400 -32020 for null"
            ),
            (json + [("mcp-method", "tools/call"), ("mcp-name", "latchkey_list")], "400 -32020 for 1"),
            (json + [("mcp-protocol-version", "2025-11-25"), ("mcp-method", "tools/call")], "400 -32020 for 1"),
        ] as [([(String, String)], String)]) func fieldsAndRequestAgree(fields: [(String, String)], expected: String)
    {
        #expect(verdict(post(Self.call, fields)) == expected)
    }

    @Test(arguments: [
        ("server/discover", "", "200 result"), ("tools/list", "", "200 result"),
        ("resources/list", "", "404 -32601 for 1"),
        ("initialize", #""protocolVersion":"2025-11-25""#, "404 -32601 for 1"), ("ping", "", "404 -32601 for 1"),
        ("tools/list", #""cursor":"x""#, "400 -32602 for 1"),
    ]) func requestsThatSayTheirVersionHaveStatuses(method: String, parameters: String, expected: String) {
        let fields = Self.july + [("mcp-method", method)]
        #expect(verdict(post(Sample.stateless(method, parameters), fields)) == expected)
        // Without `_meta` they say too little.
        #expect(verdict(post(Sample.message(method), fields)) == "400 -32602 for 1")
    }

    @Test func aVersionThatComesIsUnsupported() {
        let fields = Self.json + [("mcp-protocol-version", "2027-01-01"), ("mcp-method", "tools/list")]
        let response = post(Sample.stateless("tools/list", version: "2027-01-01"), fields)
        #expect(verdict(response) == "400 -32022 for 1")
        #expect(Reply(response.body)["error", "data", "supported", "0"] == .string("2026-07-28"))
        let old = Self.json + [("mcp-protocol-version", "2025-11-25"), ("mcp-method", "tools/list")]
        #expect(verdict(post(Sample.stateless("tools/list", version: "2025-11-25"), old)) == "400 -32022 for 1")
    }

    @Test func wrongBodiesAreErrors() {
        #expect(verdict(post(Array("{".utf8))) == "400 -32700 for null")
        #expect(verdict(post([])) == "400 -32700 for null")
        #expect(verdict(post([UInt8](repeating: 0x20, count: 65_537))) == "413 -32600 for null")
        #expect(verdict(post(Array(#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#.utf8))) == "400 -32600 for null")
    }

    @Test func nothingIsRememberedFromOneRequestToTheNext() {
        let desk = FakeDesk()
        let server = ToolServer.made(desk)
        func answer(_ body: [UInt8]) -> WebResponse {
            server.answer(
                WebRequest(
                    method: "POST", path: "/mcp",
                    fields: [(name: "content-type", value: "application/json"), (name: "mcp-session-id", value: "x")],
                    body: body))
        }
        let reply = answer(Sample.call("latchkey_status", #"{"request":"r1","seconds":3}"#))
        #expect(Reply(reply.body).structured?.text == #"{"seconds_left":90,"state":"approved","uses_left":3}"#)
        #expect(desk.states.map { $0.seconds } == [3])
        #expect(reply.fields.isEmpty)
    }
}
