import Foundation
import LinuxSystem
import SodiumKit
import Synchronization
import TestSupport
import Testing

@testable import Courier

/// Tests of answers that take long.
@Suite(.serialized) struct StreamTests {
    private static let streamHead =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"

    private static func chunk(_ text: String) -> String { String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n" }

    /// The server sends the next event when the client has the last one, so an event that is held back stops the test.
    @Test func eventsPassOneByOne() throws {
        let next = Signal()
        let server = try ScriptedServer { client, _, _ in
            client.send(Self.streamHead)
            for number in 1...5 {
                next.wait()
                client.send(Self.chunk("data: {\"n\":\(number)}\n\n"))
            }
            next.wait()
            client.send("0\r\n\r\n")
            return true
        }
        let rig = try Rig(server)
        let client = try rig.client()
        client.send(rig.get())
        #expect(client.wait(for: "\r\n\r\n") == Self.streamHead)
        for number in 1...5 {
            next.give()
            #expect(client.wait(for: "\n\n").hasSuffix("data: {\"n\":\(number)}\n\n\r\n"))
        }
        next.give()
        #expect(client.wait(for: "0\r\n\r\n") == "0\r\n\r\n")
        #expect(rig.waitForEnds() && rig.keeper.notes.last == .sent(200, 75))
    }

    /// Up to three letters that may begin a secret wait for a moment. More of them wait for the next byte.
    @Test func onlyTheBeginningOfASecretIsHeldBack() throws {
        let next = Signal()
        let server = try ScriptedServer { client, _, _ in
            client.send(Self.streamHead)
            for part in ["Is it ok? sk-", "canary", "/7f3a+91c4d2e8b6!", "sk-canary/7f3a+9", "no"] {
                next.wait()
                client.send(Self.chunk(part))
            }
            client.send("0\r\n\r\n")
            return true
        }
        let rig = try Rig(server)
        let client = try rig.client()
        client.send(rig.get())
        _ = client.wait(for: "\r\n\r\n")
        next.give()
        #expect(client.wait(for: "sk-\r\n").hasSuffix("3\r\nsk-\r\n"))
        next.give()
        next.give()
        #expect(client.wait(for: "!\r\n") == "17\r\n" + String(repeating: "*", count: 22) + "!\r\n")
        next.give()
        next.give()
        #expect(client.wait(for: "0\r\n\r\n").contains("sk-canary/7f3a+9no"))
        #expect(rig.keeper.notes.contains(.echoed))
    }

    /// Whatever the pieces are in which an echo comes, the client gets none of it.
    @Test(arguments: 1...24) func anEchoIsConcealedInPieces(size: Int) throws {
        let text = Array(
            "{\"a\": \"\(TestKeeper.canary)\", \"b\": \"\(Data(TestKeeper.canary.utf8).base64EncodedString())\"}".utf8)
        let server = try ScriptedServer { client, _, _ in
            client.send("HTTP/1.1 200 OK\r\ncontent-length: \(text.count)\r\n\r\n")
            for start in stride(from: 0, to: text.count, by: size) {
                client.send(text[start..<min(start + size, text.count)])
                // Some pieces come together, and some apart.
                if start % 3 == 0 { sched_yield() }
            }
            return true
        }
        let rig = try Rig(server)
        let answer = try rig.ask(rig.get())
        #expect(answer.utf8.count == "HTTP/1.1 200 OK\r\ncontent-length: \(text.count)\r\n\r\n".utf8.count + text.count)
        for length in 4...TestKeeper.canary.utf8.count {
            #expect(!answer.contains(String(TestKeeper.canary.suffix(length))))
        }
        #expect(rig.keeper.notes.filter { $0 == .echoed }.count == 1)
    }

    @Test func aBrokenAnswerIsNotComplete() throws {
        let broken = try Rig(ScriptedServer("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhi", closes: true))
        let client = try broken.client()
        client.send(broken.get())
        #expect(client.rest() == "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhi")
        #expect(broken.waitForEnds() && broken.keeper.notes.last == .sent(nil, 2))
        let sent = Signal()
        let chunked = try Rig(
            ScriptedServer { client, _, _ in
                client.send(Self.streamHead + Self.chunk("hi"))
                sent.wait()
                client.send("zz\r\n")
                return false
            })
        let other = try chunked.client()
        other.send(chunked.get())
        #expect(other.wait(for: "hi\r\n").hasSuffix("2\r\nhi\r\n"))
        sent.give()
        #expect(other.rest() == "")
    }

    @Test func aCutEndsEverything() throws {
        let begun = Signal()
        let server = try ScriptedServer { client, _, _ in
            begun.give()
            client.send(Self.streamHead)
            while client.send(Self.chunk("tick\n\n")) { usleep(2000) }
            return false
        }
        let rig = try Rig(server)
        let clients = try (0..<8).map { _ in try rig.client() }
        for client in clients {
            client.send(rig.get())
            #expect(client.wait(for: "tick").contains("tick"))
            begun.wait()
        }
        let idle = try rig.client()
        rig.courier.cut()
        // The memory of each exchange is wiped when this returns, unless the machine was too busy for that.
        rig.courier.holders.wait(upToMilliseconds: Patience.seconds * 1000)
        for client in clients { #expect(!client.rest().contains("0\r\n\r\n")) }
        // The courier may have accepted it before the cut, or after.
        idle.send(rig.get())
        #expect(idle.message().map { $0.hasPrefix("HTTP/1.1 403 ") } ?? true)
        #expect(Patience.wait { server.ended == 8 })
        #expect(rig.waitForEnds(8))
        #expect(rig.keeper.notes.filter { if case .sent(nil, _) = $0 { true } else { false } }.count == 8)
        // The loan is over, and its clients can read that.
        #expect(try rig.ask(rig.get()).hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
        #expect(server.requests.count == 8)
        rig.courier.end()
        #expect(throws: TestSocket.Failure.self) { try rig.client() }
    }

    /// A credential that comes after a cut goes nowhere.
    @Test func aCutWhileTheOwnerAnswersUsesNothing() throws {
        let (asked, answered) = (Signal(), Signal())
        let keeper = TestKeeper { _ throws(LoanRefusal) in
            asked.give()
            answered.wait()
        }
        let rig = try Rig(ScriptedServer("HTTP/1.1 204 No Content\r\n\r\n"), keeper: keeper)
        let client = try rig.client()
        client.send(rig.get())
        asked.wait()
        rig.courier.cut()
        #expect(client.rest() == "")
        answered.give()
        #expect(rig.waitForEnds())
        #expect(keeper.notes.last == .notSent && rig.server.accepted == 0)
    }

    @Test func anAnswerWithoutEndIsCutAtItsBound() throws {
        let piece = [UInt8](repeating: 0x78, count: 65_536)
        let server = try ScriptedServer { client, _, _ in
            client.send("HTTP/1.1 200 OK\r\n\r\n")
            while client.send(piece) {}
            return false
        }
        let rig = try Rig(server) { $0.bodyLimit = 4 << 20 }
        let client = try rig.client()
        client.send(rig.get())
        var count = 0
        while let part = client.part() { count += part.count }
        #expect(count > 3 << 20 && count < 5 << 20, "\(count)")
        #expect(rig.waitForEnds())
    }
}
