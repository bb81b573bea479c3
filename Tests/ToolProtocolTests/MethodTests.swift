import PlainText
import Testing
import ToolProtocol

/// Every method, in every version.
@Suite struct MethodTests {
    @Test(arguments: Sample.handshakes) func aHandshakeSettlesTheVersion(version: String) {
        var server = ToolServer.made()
        let parameters =
            #"{"protocolVersion":"\#(version)","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}"#
        let reply = server.answer(Sample.message("initialize", parameters)).map { Reply($0) }
        #expect(reply?["result", "protocolVersion"] == .string(version))
        #expect(reply?["result", "capabilities"] == .object(["tools": .object([:])]))
        #expect(reply?["result", "serverInfo", "name"] == .string("latchkey"))
        #expect(reply?["result", "serverInfo", "version"] == .string("1.0"))
        #expect(server.reply(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#) == nil)
        #expect(
            server.reply(#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#)?.json
                == .object(["jsonrpc": .string("2.0"), "id": .string("p"), "result": .object([:])]))
    }

    @Test(arguments: ["2026-07-28", "2027-01-01", "1.0", ""]) func anotherVersionGetsTheLatestHandshake(wanted: String)
    {
        var server = ToolServer.made()
        let reply = server.answer(Sample.message("initialize", #"{"protocolVersion":"\#(wanted)"}"#)).map { Reply($0) }
        #expect(reply?["result", "protocolVersion"] == .string("2025-11-25"))
    }

    private static let methods = [
        ("ping", "{}", "result"), ("tools/list", "{}", "result"), ("tools/list", #"{"cursor":null}"#, "result"),
        ("tools/list", #"{"cursor":"2"}"#, "-32602 for 1"),
        ("tools/call", #"{"name":"latchkey_list"}"#, "result"),
        ("tools/call", #"{"name":"latchkey_list","arguments":null}"#, "result"),
        ("tools/call", #"{"name":"latchkey_list","arguments":[]}"#, "-32602 for 1"),
        ("tools/call", #"{"name":"latchkey_get"}"#, "-32602 for 1"), ("tools/call", #"{"name":7}"#, "-32602 for 1"),
        ("tools/call", "{}", "-32602 for 1"), ("initialize", "{}", "-32602 for 1"),
        ("initialize", #"{"protocolVersion":1}"#, "-32602 for 1"), ("server/discover", "{}", "-32602 for 1"),
        ("resources/list", "{}", "-32601 for 1"), ("resources/read", "{}", "-32601 for 1"),
        ("prompts/list", "{}", "-32601 for 1"), ("completion/complete", "{}", "-32601 for 1"),
        ("logging/setLevel", "{}", "-32601 for 1"), ("subscriptions/listen", "{}", "-32601 for 1"),
        ("elicitation/create", "{}", "-32601 for 1"), ("latchkey_list", "{}", "-32601 for 1"),
        ("", "{}", "-32601 for 1"),
    ]

    @Test(arguments: Sample.handshakes) func methodsAfterAHandshake(version: String) {
        for (method, parameters, verdict) in Self.methods {
            var server = ToolServer.made(handshake: version)
            #expect(
                server.answer(Sample.message(method, parameters)).map { Reply($0).verdict } == verdict,
                "\(method) \(parameters)")
        }
    }

    @Test(arguments: [
        ("server/discover", "", "result"), ("tools/list", "", "result"),
        ("tools/list", #""cursor":"2""#, "-32602 for 1"),
        ("tools/call", #""name":"latchkey_list""#, "result"), ("tools/call", #""name":"latchkey_get""#, "-32602 for 1"),
        ("tools/call", #""name":"latchkey_list","arguments":"x""#, "-32602 for 1"),
        ("initialize", #""protocolVersion":"2025-11-25""#, "-32601 for 1"), ("ping", "", "-32601 for 1"),
        ("resources/list", "", "-32601 for 1"), ("subscriptions/listen", "", "-32601 for 1"),
    ]) func methodsWithoutAHandshake(method: String, parameters: String, verdict: String) {
        for handshake in [nil, "2025-11-25"] {
            var server = ToolServer.made(handshake: handshake)
            let reply = server.answer(Sample.stateless(method, parameters)).map { Reply($0) }
            #expect(reply?.verdict == verdict)
            guard verdict == "result" else { continue }
            #expect(reply?["result", "resultType"] == .string("complete"))
            #expect(reply?["result", "_meta", "io.modelcontextprotocol/serverInfo", "name"] == .string("latchkey"))
            let isKept = method != "tools/call"
            #expect((reply?["result", "ttlMs"] != nil) == isKept && (reply?["result", "cacheScope"] != nil) == isKept)
        }
    }

    @Test func discoveryNamesTheVersions() {
        var server = ToolServer.made()
        let reply = server.answer(Sample.stateless("server/discover")).map { Reply($0) }
        let names = (["2026-07-28"] + Sample.handshakes.reversed()).map { JSON.string($0) }
        #expect(reply?["result", "supportedVersions"] == .array(names))
        #expect(reply?["result", "capabilities", "tools"] == .object([:]))
        let unknown = server.answer(Sample.stateless("tools/list", version: "2027-01-01")).map { Reply($0) }
        #expect(unknown?.verdict == "-32022 for 1")
        #expect(unknown?["error", "data", "supported"] == .array(names))
        #expect(unknown?["error", "data", "requested"] == .string("2027-01-01"))
    }

    @Test(arguments: [
        (#"{}"#, "-32602 for 1"), (#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#, "-32602 for 1"),
        (
            #"{"io.modelcontextprotocol/protocolVersion":3,"io.modelcontextprotocol/clientCapabilities":{}}"#,
            "-32602 for 1"
        ),
        (
            #"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":[]}"#,
            "-32602 for 1"
        ),
        (
            #"{"io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/clientCapabilities":{}}"#,
            "-32022 for 1"
        ),
        (
            #"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":"x"}"#,
            "-32602 for 1"
        ),
        (
            #"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"a/b":{"c":{"d":{"e":[{"f":1}]}}}}},"traceparent":"x"}"#,
            "result"
        ),
        ("7", "-32602 for 1"),
    ]) func aRequestSaysEnoughOfItself(meta: String, verdict: String) {
        var server = ToolServer.made()
        #expect(
            server.answer(Sample.message("tools/list", #"{"_meta":\#(meta)}"#)).map { Reply($0).verdict } == verdict)
    }

    @Test func beforeAHandshakeThereAreNoTools() {
        let desk = FakeDesk()
        var server = ToolServer.made(desk)
        #expect(server.call("latchkey_request", #"{"service":"api","reason":"x"}"#).verdict == "-32602 for 1")
        #expect(server.reply(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)?.verdict == "-32602 for 1")
        #expect(server.reply(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)?.verdict == "result")
        #expect(desk.wishes.isEmpty)
    }
}
