import Foundation
import PlainText
import TestSupport
import Testing
import ToolProtocol

/// Laws that hold for any bytes: messages, good ones and damaged ones.
@Suite struct DamageTests {
    private static let seeds = Array(0..<4)
    private static let count = (Soak.steps ?? 10_000) / seeds.count

    private static let messages: [[UInt8]] =
        Sample.handshakes.map {
            Sample.message("initialize", #"{"protocolVersion":"\#($0)","capabilities":{"roots":{}}}"#)
        }
        + ["server/discover", "tools/list", "ping"].map { Sample.stateless($0) }
        + ["tools/list", "ping", "resources/list"].map { Sample.message($0) }
        + [
            Sample.call("latchkey_list", "{}"), Sample.call("latchkey_status", #"{"request":"r1","seconds":3}"#),
            Sample.call(
                "latchkey_request",
                #"{"service":"api","verb":"GET","uses":3,"minutes":9,"reason":"a\u202eb \ud83d\ude00"}"#),
            Sample.stateless("tools/call", #""name":"latchkey_status","arguments":{"request":"r1"}"#),
            Array(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#.utf8),
            Array(#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]"#.utf8),
        ]

    private static let pieces = [
        "{", "}", "[", "]", "\"", "\\", ",", ":", "null", "true", "-1", "1e9", "\\u0000", "\\ud800", "\u{0}", "\n", "ä",
        #""id":2,"#, #""method":"ping","#, #""params":{"#, "2026-07-28", "latchkey_request", "999999999999999999999",
        #"{"a":{"a":{"a":{"a":{"a":{"a":{"#,
    ].map { Array($0.utf8) }

    private static func damaged(_ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = generator.pick(messages)
        for _ in 0..<Int.random(in: 0...4, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &generator)
            let end = min(bytes.count, place + Int.random(in: 1...12, using: &generator))
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: generator.pick(pieces), at: place)
            case 3: bytes.replaceSubrange(place..<end, with: generator.pick(pieces))
            case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
            default: bytes = Array(bytes[..<place]) + generator.pick(messages).suffix(bytes.count - place)
            }
        }
        return bytes
    }

    /// Returns true for an answer that any client can read: one line of JSON, in which each object is a result or an error.
    private static func isAnswer(_ bytes: [UInt8]) -> Bool {
        guard !bytes.contains(UInt8(ascii: "\n")), let value = try? JSONSerialization.jsonObject(with: Data(bytes))
        else {
            return false
        }
        return (value as? [Any] ?? [value]).allSatisfy { value in
            guard let members = value as? [String: Any], members["jsonrpc"] as? String == "2.0", members["id"] != nil
            else {
                return false
            }
            return (members["result"] is [String: Any]) != ((members["error"] as? [String: Any])?["code"] is Int)
        }
    }

    @Test(arguments: seeds) func everyMessageHasAnAnswerOrNeedsNone(seed: Int) {
        var generator = SeededGenerator(seed: (Soak.isExhaustive ? Soak.seed : DaySample.seed) << 8 | UInt64(seed))
        let desk = FakeDesk()
        var server = ToolServer.made(desk)
        var results = 0
        var errors = 0
        for _ in 0..<Self.count {
            let bytes = Self.damaged(&generator)
            let fields: [(name: String, value: String)] = [
                ("content-type", "application/json"),
                ("mcp-protocol-version", generator.pick(["2026-07-28", "2025-11-25", "2025-03-26"])),
                ("mcp-method", generator.pick(["tools/list", "tools/call"])), ("mcp-name", "latchkey_list"),
            ]
            let web = server.answer(WebRequest(method: "POST", path: "/mcp", fields: fields, body: bytes))
            for answer in [server.answer(bytes), web.body.isEmpty ? nil : web.body] {
                guard let answer else { continue }
                guard Self.isAnswer(answer) else {
                    Issue.record(
                        "\(String(decoding: bytes, as: UTF8.self)): \(String(decoding: answer, as: UTF8.self))")
                    return
                }
                if Reply(answer)["result"] != nil { results += 1 } else { errors += 1 }
            }
            guard [200, 202, 400, 404].contains(web.status), (web.contentType == nil) == web.body.isEmpty else {
                Issue.record("\(String(decoding: bytes, as: UTF8.self)): \(web.status)")
                return
            }
        }
        // Both are common, or the law says little.
        #expect(results > Self.count / 10 && errors > Self.count / 10, "\(results) and \(errors) of \(Self.count)")
        // The desk was asked only for what it lends, and within the limits.
        #expect(
            desk.wishes.allSatisfy {
                ["api", "code"].contains($0.service) && !$0.reason.isEmpty && $0.reason.count <= 500
            })
        #expect(desk.states.allSatisfy { 0...20 ~= $0.seconds })
    }
}
