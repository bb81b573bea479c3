import Foundation
import HTTPWire
import LinuxSystem
import SodiumKit
import Synchronization
import TestSupport
import Testing

@testable import Courier

/// A courier that answers requests itself.
@Suite struct PortAnswerTests {
    /// Sends the request back, and counts what was not sent.
    private final class Answerer: PortAnswerer {
        let asked = Mutex<[RequestFacts]>([])
        let unsent = Mutex(0)
        /// Runs before each answer.
        private let wait: @Sendable () -> Void

        init(_ wait: @escaping @Sendable () -> Void = {}) { self.wait = wait }

        func answer(_ request: RequestFacts, body: RawSpan) -> PortAnswer {
            asked.withLock { $0.append(request) }
            wait()
            switch request.path {
            case "/":
                do {
                    return PortAnswer(guarded: try SecureBytes(copying: body), "application/octet-stream") { [self] in
                        unsent.withLock { $0 += 1 }
                    }
                } catch { return PortAnswer(refusing: 503, "No guarded memory is left.") }
            case "/fields":
                let fields = request.fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                return PortAnswer(200, "text/plain", Array(fields.joined(separator: "&").utf8))
            case "/accepted": return PortAnswer(202, nil, [], fields: [("x-own", "a\r\nx-other: b")])
            default: return PortAnswer(refusing: 404, "There is nothing at this path.")
            }
        }
    }

    private final class Port {
        let courier: Courier
        let number: UInt16
        let answerer: Answerer

        init(_ answerer: Answerer = Answerer(), limits: CourierLimits = CourierLimits()) throws {
            let (listening, port) = try TestSocket.listen()
            let base = try #require(WireOrigin(.http, host: "127.0.0.1", port: port))
            courier = try Courier(
                answeredBy: answerer, name: "codes", listener: listening, base: base, limits: limits)
            (number, self.answerer) = (port, answerer)
            courier.start()
        }

        deinit { courier.end() }

        func client() throws -> TestSocket { try TestSocket(port: number) }

        func request(_ line: String, _ fields: String = "", _ body: String? = nil) -> String {
            let length = body.map { "Content-Length: \($0.utf8.count)\r\n" } ?? ""
            return "\(line) HTTP/1.1\r\nHost: localhost:\(number)\r\n\(fields)\(length)\r\n\(body ?? "")"
        }

        func ask(_ line: String, _ fields: String = "", _ body: String? = nil) throws -> String {
            let client = try client()
            client.send(request(line, fields, body))
            return client.message(isHead: line.hasPrefix("HEAD")) ?? ""
        }
    }

    @Test func aPortAnswersItself() throws {
        let port = try Port()
        let client = try port.client()
        for body in ["", "hi", String(repeating: "0123456789abcdef", count: 4096)] {
            client.send(port.request("POST /", "", body))
            #expect(
                client.message()
                    == "HTTP/1.1 200 OK\r\ncache-control: no-store\r\ncontent-type: application/octet-stream\r\n"
                    + "content-length: \(body.utf8.count)\r\n\r\n\(body)")
        }
        client.send(port.request("POST /", "Transfer-Encoding: chunked\r\n") + "2\r\nhi\r\n1\r\n!\r\n0\r\n\r\n")
        #expect(client.message()?.hasSuffix("\r\ncontent-length: 3\r\n\r\nhi!") == true)
        client.send(port.request("POST /", "Expect: 100-continue\r\nContent-Length: 2\r\n"))
        #expect(client.wait(for: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("ok")
        #expect(client.message()?.hasSuffix("\r\n\r\nok") == true)
        // Two requests at once are answered in their order.
        client.send(port.request("POST /", "", "one") + port.request("HEAD /x") + port.request("POST /", "", "two"))
        let both = client.wait(for: "two")
        #expect(both.contains("\r\n\r\none") && both.contains("HTTP/1.1 404 Not Found\r\n"), "\(both)")
        #expect(!both.contains("There is nothing"), "the answer to HEAD has no body")
        client.send(port.request("POST /", "Connection: close\r\n", "bye"))
        #expect(client.rest().contains("connection: close\r\n\r\nbye"))
    }

    /// What clients say of types, origins and versions reaches the answerer. Credentials and matters of the connection do not.
    @Test func theAnswererHasTheFields() throws {
        let port = try Port()
        let fields = [
            "Content-Type: application/json", "Accept: text/event-stream, application/json", "Origin: http://evil.test",
            "MCP-Protocol-Version: 2025-11-25", "Mcp_Session_Id: 7", "Authorization: Bearer mine", "Cookie: a=b",
            "X-Api-Key: k", "Connection: x-hop", "X-Hop: 1", "Forwarded: for=a", "Accept: a/b",
        ]
        let answer = try port.ask("POST /fields?q=1", fields.map { "\($0)\r\n" }.joined(), "x")
        #expect(
            answer.hasSuffix(
                "\r\n\r\naccept=text/event-stream, application/json, a/b&content-type=application/json"
                    + "&mcp-protocol-version=2025-11-25&mcp-session-id=7&origin=http://evil.test"), "\(answer)")
        let asked = port.answerer.asked.withLock { $0 }
        #expect(asked.map(\.query) == ["q=1"] && asked.map(\.method) == ["POST"] && asked.map(\.path) == ["/fields"])
        #expect(
            try port.ask("GET /accepted")
                == "HTTP/1.1 202 Accepted\r\ncache-control: no-store\r\nx-own: ax-other: b\r\ncontent-length: 0\r\n\r\n"
        )
    }

    /// The rules of a proxy hold here too. Nothing of these reaches the answerer.
    @Test(arguments: [
        ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n", 421),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 421),
        ("GET / HTTP/1.1\r\nHost: localhost:PORT.evil.test\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost:PORT\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET / HTTP/1.0\r\nHost: localhost:PORT\r\n\r\n", 505),
        ("GET http://a/ HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("TRACE / HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 405),
        ("CONNECT a:1 HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET /../ HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET //a HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost:PORT\r\nUpgrade: websocket\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: 65537\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: localhost:PORT\r\nTransfer-Encoding: chunked\r\n\r\n10001\r\n", 413),
        ("GET / HTTP/1.1\r\nHost: localhost:PORT\r\nX: \(String(repeating: "a", count: 40_000))\r\n\r\n", 431),
    ])
    func ambiguousRequestsAreRefused(request: String, status: Int) throws {
        let port = try Port()
        let client = try port.client()
        client.send(request.replacing("PORT", with: "\(port.number)"))
        let answer = client.rest()
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request.prefix(60)): \(answer)")
        #expect(port.answerer.asked.withLock { $0.isEmpty })
    }

    /// A flood of connections is turned away, and what comes later is served.
    @Test func aFloodDoesNotHurt() throws {
        let port = try Port()
        let clients = try (0..<80).map { _ in try port.client() }
        for client in clients { client.send("GET / HT") }
        let turned = clients.last?.rest() ?? ""
        #expect(turned.hasPrefix("HTTP/1.1 503 "), "\(turned)")
        for client in clients { client.close() }
        #expect(try Patience.wait { try port.ask("POST /", "", "hi").hasSuffix("\r\n\r\nhi") })
    }

    /// A cut ends answers that wait, and none comes later. Uses whose answers were not sent are given back.
    @Test(arguments: [true, false]) func nothingLeavesAfterACut(isLast: Bool) throws {
        let (asked, may) = (Signal(), Signal())
        let port = try Port(
            Answerer {
                asked.give()
                may.wait()
            })
        let client = try port.client()
        client.send(port.request("POST /", "", "the answer"))
        #expect(asked.wait(upTo: Patience.seconds * 1000))
        if isLast { port.courier.cut() } else { port.courier.interrupt() }
        may.give()
        #expect(client.rest() == "")
        #expect(Patience.wait { port.answerer.unsent.withLock { $0 } == 1 })
        may.give()
        let later = try port.ask("POST /", "", "later")
        if isLast {
            #expect(
                later.hasPrefix("HTTP/1.1 403 ") && later.hasSuffix("codes has ended. Ask the owner to lend again.\n"))
        } else {
            #expect(later.hasSuffix("\r\n\r\nlater"), "\(later)")
        }
    }

    @Test func aClientThatLeavesGetsNothingAndUsesNothing() throws {
        let (asked, may) = (Signal(), Signal())
        let port = try Port(
            Answerer {
                asked.give()
                may.wait()
            })
        let client = try port.client()
        client.send(port.request("POST /", "", "hi"))
        #expect(asked.wait(upTo: Patience.seconds * 1000))
        client.close()
        // When the next client is served, the courier has seen that the first one has left.
        let next = try port.client()
        next.send(port.request("POST /", "", "next"))
        #expect(asked.wait(upTo: Patience.seconds * 1000))
        may.give()
        may.give()
        #expect(next.message()?.hasSuffix("\r\n\r\nnext") == true)
        #expect(Patience.wait { port.answerer.unsent.withLock { $0 } == 1 })
    }

    @Test func slowClientsAreNotWaitedFor() throws {
        var limits = CourierLimits()
        limits.idleMilliseconds = 1500
        let port = try Port(limits: limits)
        let client = try port.client()
        client.send(port.request("POST /", "Content-Length: 9\r\n") + "hi")
        #expect(client.rest().hasPrefix("HTTP/1.1 408 "))
        #expect(port.answerer.asked.withLock { $0.isEmpty })
    }
}
