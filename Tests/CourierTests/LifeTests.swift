import Foundation
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import Courier

/// Tests of connections: how long they live, and how they end.
@Suite struct LifeTests {
    private static let small = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"

    @Test func bothSidesKeepTheirConnections() throws {
        let rig = try Rig(ScriptedServer(Self.small))
        let client = try rig.client()
        for _ in 0..<20 {
            client.send(rig.get())
            #expect(client.message() == Self.small)
        }
        // Two requests at once are answered in their order.
        client.send(rig.get("/1") + rig.get("/2"))
        #expect(client.wait(for: Self.small + Self.small) == Self.small + Self.small)
        // The connection to the server is free then.
        #expect(rig.waitForEnds(22))
        let other = try rig.client()
        other.send(rig.get())
        #expect(other.message() == Self.small)
        #expect(rig.server.accepted == 1 && rig.server.requests.count == 23)
        #expect(rig.server.requests.allSatisfy { $0.components(separatedBy: TestKeeper.canary).count == 2 })
    }

    @Test func aConnectionEndsWhenTheClientWants() throws {
        let rig = try Rig(ScriptedServer(Self.small))
        let client = try rig.client()
        client.send(rig.get("/", "Connection: close\r\n"))
        #expect(client.rest() == "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi")
    }

    /// A server closes an idle connection in the moment in which the next request leaves.
    @Test func aRequestIsSentOnceMoreIfAnIdleConnectionWasClosed() throws {
        let server = try ScriptedServer { client, request, number in
            if number == 2 { return false }
            client.send(Self.small)
            return true
        }
        let rig = try Rig(server)
        let client = try rig.client()
        for _ in 0..<2 {
            client.send(rig.get())
            #expect(client.message() == Self.small)
        }
        #expect(server.requests.count == 3 && server.accepted == 2)
        #expect(rig.waitForEnds(2))
        let asked = rig.keeper.notes.filter { if case .asked = $0 { true } else { false } }
        #expect(asked.count == 2 && !rig.keeper.notes.contains(.notSent))
    }

    /// The server may have done what these ask for, and one use is one request.
    @Test(arguments: [
        "POST / HTTP/1.1\r\nContent-Length: 2\r\n", "POST / HTTP/1.1\r\nContent-Length: 0\r\n", "DELETE / HTTP/1.1\r\n",
    ])
    func aRequestThatChangesSomethingIsNotSentOnceMore(head: String) throws {
        let server = try ScriptedServer { client, request, number in
            if number == 2 { return false }
            client.send(Self.small)
            return true
        }
        let rig = try Rig(server)
        let client = try rig.client()
        client.send(rig.get())
        #expect(client.message() == Self.small)
        client.send("\(head)Host: localhost:\(rig.port)\r\n\r\n\(head.contains(": 2") ? "hi" : "")")
        #expect(client.message()?.hasPrefix("HTTP/1.1 502 ") == true)
        #expect(server.requests.count == 2)
    }

    /// An answer that comes before its request would be taken for the answer to it.
    @Test func bytesOfAnIdleConnectionAreNoAnswer() throws {
        let (free, sent) = (Signal(), Signal())
        let server = try ScriptedServer { client, _, number in
            client.send(Self.small)
            if number == 1 {
                free.wait()
                client.send("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil")
                sent.give()
            }
            return true
        }
        let rig = try Rig(server)
        #expect(try rig.ask(rig.get()) == Self.small)
        #expect(rig.waitForEnds())
        free.give()
        sent.wait()
        #expect(try rig.ask(rig.get()) == Self.small)
        #expect(server.accepted == 2)
    }

    @Test func aClientThatLeavesEndsTheExchange() throws {
        let begun = Signal()
        let server = try ScriptedServer { client, _, _ in
            begun.give()
            return client.part() != nil
        }
        let rig = try Rig(server)
        let client = try rig.client()
        client.send(rig.get())
        #expect(begun.wait(upTo: Patience.seconds * 1000))
        client.close()
        #expect(Patience.wait { server.ended == 1 })
        #expect(rig.waitForEnds())
        #expect(rig.keeper.notes.last == .sent(nil, 0))
    }

    @Test func aClientThatLeavesBeforeTheAnswerOfTheOwnerUsesNothing() throws {
        let (asked, answered) = (Signal(), Signal())
        let keeper = TestKeeper { _ throws(LoanRefusal) in
            asked.give()
            answered.wait()
        }
        let rig = try Rig(ScriptedServer(Self.small), keeper: keeper)
        let client = try rig.client()
        client.send(rig.get())
        asked.wait()
        client.close()
        // When the next client is served, the courier has seen that the first one has left.
        let next = try rig.client()
        next.send(rig.get())
        asked.wait()
        answered.give()
        answered.give()
        #expect(next.message() == Self.small)
        #expect(rig.waitForEnds(2))
        #expect(keeper.notes.contains(.notSent) && rig.server.requests.count == 1)
    }

    @Test func aRefusedUseKeepsTheConnection() throws {
        let keeper = TestKeeper { _ throws(LoanRefusal) in
            throw LoanRefusal(.notAllowed, "The rules do not allow this.\nAsk the owner.")
        }
        let rig = try Rig(ScriptedServer(Self.small), keeper: keeper)
        let client = try rig.client()
        for _ in 0..<2 {
            client.send(rig.get())
            let answer = client.message() ?? ""
            #expect(answer.hasPrefix("HTTP/1.1 403 Forbidden\r\n") && answer.contains("\r\nx-should-retry: false\r\n"))
            #expect(answer.hasSuffix("\r\n\r\nThe rules do not allow this. Ask the owner.\n"))
        }
        client.send(rig.get("/", "Accept: application/json\r\n"))
        let object =
            #"{"type":"error","error":{"type":"refused","message":"The rules do not allow this. Ask the owner."}}"#
        #expect(client.message()?.hasSuffix("\r\ncontent-length: \(object.utf8.count + 1)\r\n\r\n\(object)\n") == true)
        client.send("HEAD / HTTP/1.1\r\nHost: localhost:\(rig.port)\r\nConnection: close\r\n\r\n")
        #expect(client.rest().hasSuffix("\r\n\r\n"))
        #expect(rig.server.accepted == 0)
    }

    @Test func theClientMaySendItsBodyWhenTheUseIsGranted() throws {
        let rig = try Rig(ScriptedServer(Self.small))
        let client = try rig.client()
        client.send(
            "POST / HTTP/1.1\r\nHost: localhost:\(rig.port)\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(client.wait(for: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("hi")
        #expect(client.message() == Self.small)
        #expect(rig.server.requests.first?.contains("100-continue") == false)
    }

    @Test func slowSidesAreNotWaitedFor() throws {
        var limits = CourierLimits()
        limits.idleMilliseconds = 1500
        let rig = try Rig(ScriptedServer { client, _, _ in client.part() != nil }, limits: limits) {
            $0.headMilliseconds = 1500
        }
        let clients = try (0..<4).map { _ in try rig.client() }
        clients[0].send("GET / HT")
        clients[1].send("POST / HTTP/1.1\r\nHost: localhost:\(rig.port)\r\nContent-Length: 9\r\n\r\nhi")
        clients[2].send(rig.get())
        #expect(clients[0].rest().hasPrefix("HTTP/1.1 408 "))
        #expect(clients[1].rest().hasPrefix("HTTP/1.1 408 "))
        #expect(clients[2].rest().hasPrefix("HTTP/1.1 504 "))
        // A connection without a request ends without a word.
        #expect(clients[3].rest() == "")
    }

    /// A server that refuses a body, and either closes the connection or leaves the body where it is.
    @Test(arguments: [true, false]) func anEarlyAnswerIsPassedOn(closes: Bool) throws {
        let server = try ScriptedServer(readsBodies: false) { client, _, _ in
            client.send("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\n\r\n")
            // The courier closes the connection.
            while !closes, client.part() != nil { usleep(1000) }
            return false
        }
        let rig = try Rig(server)
        let client = try rig.client()
        client.send("POST / HTTP/1.1\r\nHost: localhost:\(rig.port)\r\nContent-Length: 20000000\r\n\r\n")
        let sender = Background { client.send([UInt8](repeating: 0x61, count: 20_000_000)) }
        #expect(client.message()?.hasPrefix("HTTP/1.1 413 Content Too Large\r\n") == true)
        client.end()
        _ = try sender.value
        #expect(rig.waitForEnds() && rig.keeper.notes.last == .sent(413, 0))
    }

    @Test func theLastConnectionIsTurnedAway() throws {
        let rig = try Rig(ScriptedServer(Self.small))
        let clients = try (0..<32).map { _ in try rig.client() }
        for client in clients {
            client.send(rig.get())
            #expect(client.message() == Self.small)
        }
        let last = try rig.client()
        #expect(last.rest().hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        clients[7].close()
        #expect(
            try Patience.wait {
                let next = try rig.client()
                next.send(rig.get())
                return next.message() == Self.small
            })
    }

    @Test func aServerThatCannotBeReachedUsesNothing() throws {
        let server = try ScriptedServer(Self.small)
        let rig = try Rig(server)
        server.end()
        let answer = try rig.ask(rig.get())
        #expect(answer.hasPrefix("HTTP/1.1 502 ") && answer.contains("nothing listens there"))
        #expect(rig.waitForEnds() && rig.keeper.notes.last == .notSent)
    }

    /// curl is a client that others wrote. It talks to a Unix socket, and sends a Host as it likes.
    @Test(.enabled(if: access("/usr/bin/curl", X_OK) == 0, "skipped: needs curl"))
    func curlIsServedAtAUnixSocket() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("model")
        let rig = try Rig(
            ScriptedServer("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"), at: path)
        let uses = [
            ["http://api.example.com/a"], ["-d", "x=1", "http://localhost/b"],
            ["-d", "x=1", "-H", "Expect: 100-continue", "-H", "Transfer-Encoding: chunked", "http://localhost/c"],
        ]
        var number = 0
        for use in uses {
            var curl = try SpawnedProgram(
                path: "/usr/bin/curl", ["-sS", "-m", "100", "-w", "\\n", "--unix-socket", path] + use)
            #expect(curl.line() == "hi")
            curl.end()
            number += 1
            // The connection to the server is free then.
            #expect(rig.waitForEnds(number))
        }
        #expect(rig.server.accepted == 1 && rig.server.requests.count == 3)
    }

    @Test func aSecretThatIsTooShortIsNotLent() throws {
        let rig = try Rig(ScriptedServer(Self.small), keeper: TestKeeper(value: "abc", secret: "abc"))
        #expect(try rig.ask(rig.get()).hasPrefix("HTTP/1.1 403 "))
        let other = try Rig(ScriptedServer(Self.small), keeper: TestKeeper(value: "a\r\nX: b", secret: "a\r\nX: b"))
        #expect(try other.ask(other.get()).hasPrefix("HTTP/1.1 500 "))
        #expect(rig.keeper.notes.last == .notSent && other.keeper.notes.last == .notSent)
        #expect(rig.server.requests.isEmpty && other.server.requests.isEmpty)
    }
}
