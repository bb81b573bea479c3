import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Courier

/// A service whose uses stand at the beginning of the body.
@Suite struct UseReaderTests {
    /// Reads a use up to a full stop. The word `no` is refused, and `nothing` is no use.
    private struct Reader: UseReader, BodyUseReader {
        func read(_ request: RequestFacts) -> UseReading {
            if request.fields["content-encoding"] != nil {
                return .refused(LoanRefusal(.notAllowed, "It is in another encoding."), nil)
            }
            return request.method == "GET"
                ? .use(LoanUse(method: "look", path: request.query ?? ""), refusal: nil) : .needsMore
        }

        func body(of request: RequestFacts) -> any BodyUseReader { self }

        func read(_ beginning: [UInt8], isWhole: Bool) -> UseReading {
            let writer: RefusalWriter = { OwnAnswer(contentType: "text/x-own", body: Array("own: \($0)".utf8)) }
            let words = String(decoding: beginning, as: UTF8.self)
            guard let end = words.firstIndex(of: ".") else {
                return isWhole ? .answer(OwnAnswer(contentType: "text/x-own", body: Array("nothing".utf8))) : .needsMore
            }
            let verb = String(words[..<end])
            if verb == "no" { return .refused(LoanRefusal(.notAllowed, "No such thing."), writer) }
            return .use(LoanUse(method: verb, path: "/", part: .last), refusal: writer)
        }
    }

    private static func rig(_ keeper: TestKeeper = TestKeeper()) throws -> Rig {
        try Rig(ScriptedServer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), keeper: keeper) {
            $0.reader = Reader()
        }
    }

    private static func post(_ rig: Rig, _ body: String, _ fields: String = "") -> String {
        "POST /v1 HTTP/1.1\r\nHost: 127.0.0.1:\(rig.port)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// The server gets the whole body, however it came.
    @Test func theBodyIsPassedOnUnchanged() throws {
        let rig = try Self.rig()
        let body = "push. " + String(repeating: "0123456789", count: 20_000)
        let whole = Self.post(rig, body)
        let client = try rig.client()
        for cut in [whole.utf8.count - body.utf8.count, whole.utf8.count - body.utf8.count + 3, whole.utf8.count / 2] {
            client.send(String(whole.prefix(cut)))
            Thread.sleep(forTimeInterval: 0.01)
            client.send(String(whole.dropFirst(cut)))
            #expect(client.message()?.hasSuffix("ok") == true)
        }
        client.send(
            "POST /v1 HTTP/1.1\r\nHost: 127.0.0.1:\(rig.port)\r\nTransfer-Encoding: chunked\r\n\r\n2\r\npu\r\n5\r\nsh. x\r\n1\r\ny\r\n0\r\n\r\n"
        )
        #expect(client.message()?.hasSuffix("ok") == true)
        client.send(rig.get("/v1?now"))
        #expect(client.message()?.hasSuffix("ok") == true)
        let requests = rig.server.requests
        #expect(requests.prefix(3).allSatisfy { $0.hasSuffix("\r\n\r\n" + body) } && requests.count == 5)
        #expect(requests.allSatisfy { $0.contains("Bearer \(TestKeeper.canary)") && !$0.contains("127.0.0.1:") })
        let asked = rig.keeper.notes.compactMap { note in if case .asked(let use) = note { use } else { nil } }
        let push = LoanUse(method: "push", path: "/", part: .last)
        #expect(asked == [push, push, push, push, LoanUse(method: "look", path: "now")])
    }

    /// A refusal is said in the words of the client, which may go on. The server gets nothing, and the keeper is not asked.
    @Test func aRefusalHasTheWordsOfTheClient() throws {
        let rig = try Self.rig()
        let client = try rig.client()
        client.send(Self.post(rig, "no. " + String(repeating: "x", count: 100_000)))
        let refused = try #require(client.message())
        #expect(
            refused.hasPrefix("HTTP/1.1 200 OK\r\ncontent-type: text/x-own\r\n")
                && refused.hasSuffix("own: No such thing."))
        client.send(Self.post(rig, "0000"))
        #expect(client.message()?.hasSuffix("\r\n\r\nnothing") == true)
        client.send(Self.post(rig, "no.", "Content_Encoding: gzip\r\n"))
        #expect(client.message()?.hasPrefix("HTTP/1.1 403") == true)
        #expect(rig.keeper.notes == [] && rig.server.accepted == 0)
    }

    @Test func theKeepersRefusalHasThemToo() throws {
        let rig = try Self.rig(
            TestKeeper { (_) throws(LoanRefusal) in throw LoanRefusal(.notGranted, "The owner said no.") })
        let client = try rig.client()
        for _ in 0..<2 {
            client.send(Self.post(rig, "push. x"))
            #expect(client.message()?.hasSuffix("own: The owner said no.") == true)
        }
        #expect(rig.server.accepted == 0)
    }
}
