import PlainText
import TestSupport
import Testing
import ToolProtocol

/// Messages that are none, and messages without an answer.
@Suite struct MessageTests {
    @Test(arguments: [
        ("", "-32700 for null"), ("{", "-32700 for null"), ("nonsense", "-32700 for null"),
        ("\u{FEFF}{}", "-32700 for null"),
        (#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, "-32700 for null"),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping"} x"#, "-32700 for null"),
        (String(repeating: "[", count: 60_000), "-32700 for null"),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"ping","params":"# + String(repeating: #"{"a":"#, count: 30) + "1"
                + String(repeating: "}", count: 31), "-32700 for null"
        ),
        ("7", "-32600 for null"), ("null", "-32600 for null"), (#""ping""#, "-32600 for null"),
        ("{}", "-32600 for null"),
        (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, "-32600 for 1"), (#"{"id":1,"method":"ping"}"#, "-32600 for 1"),
        (#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#, "-32600 for 1"),
        (#"{"jsonrpc":"2.0","id":"a"}"#, #"-32600 for "a""#),
        (#"{"jsonrpc":"2.0","id":1,"method":["ping"]}"#, "-32600 for 1"),
        (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, "-32600 for null"),
        (#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, "-32600 for null"),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, "-32600 for null"),
        (#"{"jsonrpc":"2.0","id":1e3,"method":"ping"}"#, "-32600 for null"),
        (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, "-32600 for null"),
        (#"{"jsonrpc":"2.0","id":""# + String(repeating: "a", count: 129) + #"","method":"ping"}"#, "-32600 for null"),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, "-32602 for 1"),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#, "-32602 for 1"),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":[]}}"#, "-32602 for 1"),
        (#"{"jsonrpc":"2.0","id":-9007199254740993,"method":"nothing"}"#, "-32601 for -9007199254740993"),
        (#"{"jsonrpc":"2.0","id":"\u0000\ud83d\ude00\n","method":"nothing"}"#, "-32601 for \"\\u0000😀\\u000a\""),
        (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, "-32600 for null"), ("[]", "-32600 for null"),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"ping","x":""# + String(repeating: "x", count: 65_536) + #""}"#,
            "-32600 for null"
        ),
    ]) func aMessageThatIsNoneIsAnError(text: String, verdict: String) {
        var server = ToolServer.made(handshake: "2025-11-25")
        #expect(server.reply(text)?.verdict == verdict)
        // The server goes on.
        #expect(server.reply(#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)?.verdict == "result")
    }

    @Test func bytesThatAreNotUTF8AreAnError() {
        var server = ToolServer.made()
        #expect(server.answer([0xFF, 0xFE, 0x00]).map { Reply($0).verdict } == "-32700 for null")
        #expect(
            server.answer(Array(#"{"jsonrpc":"2.0","id":""#.utf8) + [0xC3, 0x28] + Array(#"","method":"ping"}"#.utf8))
                .map { Reply($0).verdict } == "-32700 for null")
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[1]}}"#,
        #"{"jsonrpc":"2.0","method":"unknown","params":[1]}"#,
        #"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"latchkey_request","arguments":{"service":"api","reason":"x"}}}"#,
        #"{"jsonrpc":"2.0","id":1,"result":{}}"#, #"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#,
        #"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#,
    ]) func aMessageThatAsksNothingHasNoAnswer(text: String) {
        let desk = FakeDesk()
        var server = ToolServer.made(desk, handshake: "2025-11-25")
        #expect(server.reply(text) == nil)
        #expect(desk.wishes.isEmpty)
    }

    @Test func onlyOneVersionHasBatches() {
        let batch =
            #"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},7,{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-06-18"}},{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{\#(Sample.meta())}},{"jsonrpc":"2.0","id":4,"method":"x"},[]]"#
        for version in Sample.handshakes {
            var server = ToolServer.made(handshake: version)
            let isTaken = version == "2025-03-26"
            #expect(
                server.reply(batch)?.verdict
                    == (isTaken
                        ? "result, -32600 for null, -32600 for 2, -32600 for 3, -32601 for 4, -32600 for null"
                        : "-32600 for null"))
            #expect(server.reply(#"[{"jsonrpc":"2.0","method":"x"}]"#)?.verdict == (isTaken ? nil : "-32600 for null"))
        }
    }

    @Test func aBatchIsSmallAndWaitsForNothing() {
        let desk = FakeDesk()
        var server = ToolServer.made(desk, handshake: "2025-03-26")
        let one = String(decoding: Sample.call("latchkey_status", #"{"request":"r1"}"#), as: UTF8.self)
        let most = Array(repeating: one, count: 16)
        #expect(server.reply("[" + most.joined(separator: ",") + "]")?.verdict.contains("-") == false)
        #expect(desk.states.count == 16 && desk.states.allSatisfy { $0.seconds == 0 })
        #expect(server.reply("[" + (most + [one]).joined(separator: ",") + "]")?.verdict == "-32600 for null")
        #expect(server.reply("[]")?.verdict == "-32600 for null")
        #expect(desk.states.count == 16)
    }
}

/// The lines of a stream.
@Suite struct MessageLineTests {
    @Test func linesArriveInAnyPieces() {
        let text = "{\"a\":1}\n\n \r\n{\"b\":\"ä\"}\r\n{\"c\"\nrest"
        for size in 1...text.utf8.count {
            var lines = MessageLines()
            var found: [String] = []
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += lines.add(bytes[start..<min(start + size, bytes.count)]).map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
            #expect(found == ["{\"a\":1}", "{\"b\":\"ä\"}\r", "{\"c\""])
        }
    }

    @Test func aLongLineIsCutAndRefused() {
        var lines = MessageLines()
        var found: [[UInt8]] = []
        for _ in 0..<100 { found += lines.add([UInt8](repeating: 0x20, count: 10_000)) }
        found += lines.add(Array("x\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".utf8))
        #expect(found.map { $0.count } == [65_537, 40])
        var server = ToolServer.made()
        #expect(found.compactMap { server.answer($0) }.map { Reply($0).verdict } == ["-32600 for null", "result"])
    }

    @Test func theLongestMessageIsTaken() {
        let start = #"{"jsonrpc":"2.0","id":1,"method":"ping","x":""#
        let text = start + String(repeating: "x", count: 65_536 - start.utf8.count - 2) + "\"}"
        var lines = MessageLines()
        var server = ToolServer.made()
        #expect(
            lines.add(Array((text + "\n").utf8)).compactMap { server.answer($0) }.map { Reply($0).verdict } == [
                "result"
            ])
    }
}
