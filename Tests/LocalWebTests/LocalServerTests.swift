import Foundation
import LocalWeb
import Synchronization
import TestSupport
import Testing

/// The server answers proper requests, and no other reaches its program.
@Suite(.waitsForProcesses) struct LocalServerTests {
    /// A server that notes the requests which reach it.
    private final class Noting: Sendable {
        private let noted: Notes
        let server: LocalServer

        private final class Notes: Sendable {
            let requests = Mutex<[LocalRequest]>([])
        }

        init(_ change: (inout LocalServer.Limits) -> Void = { _ in }) throws {
            var limits = LocalServer.Limits()
            change(&limits)
            let notes = Notes()
            noted = notes
            server = try LocalServer(limits) { request in
                notes.requests.withLock { $0.append(request) }
                return LocalReply(json: "[\"\(request.path)\",\(request.body.count)]")
            }
        }

        var requests: [LocalRequest] { noted.requests.withLock { $0 } }
    }

    @Test func aProperRequestIsAnswered() throws {
        let noting = try Noting()
        let answer = try noting.server.get("state")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n[\"state\",0]"))
        for field in [
            "Connection: close", "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
            "Referrer-Policy: no-referrer",
            "Cross-Origin-Resource-Policy: same-origin", "Cross-Origin-Opener-Policy: same-origin",
            "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ] {
            #expect(answer.contains("\r\n\(field)\r\n"), "\(field)")
        }
        let (server, token) = (noting.server, noting.server.token)
        let posted = try server.answer(
            to: """
                POST /\(token)/steps HTTP/1.1\r
                Host: 127.0.0.1:\(server.port)\r
                Origin: http://127.0.0.1:\(server.port)\r
                Sec-Fetch-Site: same-origin\r
                Content-Type: application/json; charset=utf-8\r
                Content-Length: 4\r
                \r
                [1]

                """)
        #expect(posted.hasSuffix("[\"steps\",4]"))
        #expect(noting.requests.map(\.method) == [.get, .post])
        #expect(String(decoding: noting.requests[1].body, as: UTF8.self) == "[1]\n")
    }

    /// The sockets of this process that listen at a port, as the system lists them.
    private func listeners(_ list: String, at port: UInt16) throws -> [String] {
        let folder = "/proc/self/fd"
        let own = Set(
            try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            })
        // A machine without IPv6 has no list of it.
        guard let text = try? String(contentsOfFile: "/proc/self/net/\(list)", encoding: .utf8) else { return [] }
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let words = line.split(separator: " ")
            let place = words[1].split(separator: ":")
            guard words[3] == "0A", UInt16(place[1], radix: 16) == port, own.contains("socket:[\(words[9])]") else {
                return nil
            }
            return String(place[0])
        }
    }

    @Test func itListensForThisMachineAlone() throws {
        let noting = try Noting()
        // The list has the address in the byte order of the processor.
        let loopback = UInt32(0x7F00_0001).bigEndian
        let found = try listeners("tcp", at: noting.server.port).map { UInt32($0, radix: 16) }
        #expect(found == [loopback])
        #expect(try listeners("tcp6", at: noting.server.port).isEmpty)
    }

    @Test func theUsualLimitsAreThoseOfThePage() {
        let limits = LocalServer.Limits()
        #expect(limits.connections == 64 && limits.body == 1 << 20 && limits.arrival == 20_000)
    }

    @Test func everyServerHasItsOwnSecret() throws {
        let (first, second) = (try Noting().server, try Noting().server)
        #expect(first.token != second.token)
        #expect(first.token.count == 32 && first.token.allSatisfy(\.isHexDigit))
        #expect(first.address == "http://127.0.0.1:\(first.port)/\(first.token)/")
    }

    @Test func noImproperRequestReachesTheProgram() throws {
        let noting = try Noting()
        let (server, token) = (noting.server, noting.server.token)
        let host = "Host: 127.0.0.1:\(server.port)\r\n"
        let json = "Content-Type: application/json\r\nContent-Length: 2\r\n"
        func get(_ path: String, _ fields: String) -> String { "GET \(path) HTTP/1.1\r\n\(fields)\r\n" }
        func post(_ fields: String, _ body: String = "[]") -> String {
            "POST /\(token)/steps HTTP/1.1\r\n\(fields)\r\n\(body)"
        }
        let almost = String(token.dropLast()) + (token.last == "0" ? "1" : "0")
        let attacks: [(what: String, text: String, status: String)] = [
            ("no token", get("/", host), "403"),
            ("a wrong token", get("/\(almost)/state", host), "403"),
            ("a part of the token", get("/\(token.dropLast())/state", host), "403"),
            ("the token and more", get("/\(token)0/state", host), "403"),
            (
                "the token in capitals", get("/\(token.uppercased() == token ? "x" : token.uppercased())/state", host),
                "403"
            ),
            ("the token without a slash", get("/\(token)", host), "403"),
            ("a second slash", get("//\(token)/state", host), "403"),
            ("dots before the token", get("/x/../\(token)/state", host), "403"),
            (
                "an escaped token", get("/%\(String(token.utf8.first!, radix: 16))\(token.dropFirst())/state", host),
                "403"
            ),
            ("a whole address", get("http://evil.example/\(token)/state", host), "403"),
            ("another host", get("/\(token)/state", "Host: evil.example:\(server.port)\r\n"), "403"),
            ("another name of this machine", get("/\(token)/state", "Host: localhost:\(server.port)\r\n"), "403"),
            ("another port", get("/\(token)/state", "Host: 127.0.0.1:1\r\n"), "403"),
            ("no port", get("/\(token)/state", "Host: 127.0.0.1\r\n"), "403"),
            ("no host", get("/\(token)/state", ""), "400"),
            ("two hosts", get("/\(token)/state", host + "Host: evil.example\r\n"), "403"),
            ("a foreign origin", get("/\(token)/state", host + "Origin: http://evil.example\r\n"), "403"),
            ("an origin without a name", get("/\(token)/state", host + "Origin: null\r\n"), "403"),
            ("the origin of another port", get("/\(token)/state", host + "Origin: http://127.0.0.1:1\r\n"), "403"),
            (
                "another name's origin", get("/\(token)/state", host + "Origin: http://localhost:\(server.port)\r\n"),
                "403"
            ),
            ("a page elsewhere", get("/\(token)/state", host + "Sec-Fetch-Site: cross-site\r\n"), "403"),
            ("a page of another port", get("/\(token)/state", host + "Sec-Fetch-Site: same-site\r\n"), "403"),
            ("an old version", "GET /\(token)/state HTTP/1.0\r\n\(host)\r\n", "403"),
            ("a question", get("/\(token)/state?a=b", host), "404"),
            ("another method", "DELETE /\(token)/state HTTP/1.1\r\n\(host)\r\n", "405"),
            ("what a browser asks before a foreign request", "OPTIONS /\(token)/steps HTTP/1.1\r\n\(host)\r\n", "405"),
            ("a read with a body", get("/\(token)/state", host + "Content-Length: 2\r\n") + "[]", "400"),
            ("a form", post(host + "Content-Type: text/plain\r\nContent-Length: 2\r\n"), "415"),
            ("no type", post(host + "Content-Length: 2\r\n"), "415"),
            ("a body without a length", post(host + "Content-Type: application/json\r\n"), "411"),
            ("a body in parts", post(host + json + "Transfer-Encoding: chunked\r\n", "2\r\n[]\r\n0\r\n\r\n"), "4"),
            (
                "too large a body", post(host + "Content-Type: application/json\r\nContent-Length: 9999999\r\n", ""),
                "413"
            ),
            ("a negative length", post(host + "Content-Type: application/json\r\nContent-Length: -1\r\n", ""), "4"),
            ("a foreign form", post(host + json + "Origin: http://evil.example\r\n"), "403"),
            ("a huge field", get("/\(token)/state", host + "X: \(String(repeating: "x", count: 100_000))\r\n"), "4"),
            ("no HTTP", "\u{1}\u{2}\u{3}\r\n\r\n", ""),
        ]
        for attack in attacks {
            let answer = try server.answer(to: attack.text)
            #expect(
                answer.isEmpty || answer.hasPrefix("HTTP/1.1 \(attack.status)"), "\(attack.what): \(answer.prefix(200))"
            )
            #expect(!answer.contains(token), "\(attack.what)")
        }
        #expect(noting.requests.map(\.path) == [], "none of them reached the program")
        #expect(try server.get("state").hasPrefix("HTTP/1.1 200 "), "the server lives on")
    }

    @Test func aTrickInThePathBelowTheTokenReachesTheProgramAsItIs() throws {
        let noting = try Noting()
        for path in ["../state", "%73tate", "./state", "state/", "state%00"] { _ = try noting.server.get(path) }
        #expect(noting.requests.map(\.path) == ["../state", "%73tate", "./state", "state/", "state%00"])
    }

    @Test func aConnectionCarriesOneRequest() throws {
        let noting = try Noting()
        let request = "GET /\(noting.server.token)/state HTTP/1.1\r\nHost: 127.0.0.1:\(noting.server.port)\r\n\r\n"
        let answer = try noting.server.answer(to: String(repeating: request, count: 5))
        #expect(answer.ranges(of: "HTTP/1.1 ").count == 1)
        #expect(noting.requests.count == 1)
    }

    @Test func whoSendsSlowlyIsCutOff() throws {
        let noting = try Noting { $0.arrival = 1000 }
        let server = noting.server
        // A letter at a time: the connection is never idle, and its header never ends.
        let slow = try LoopbackClient(port: server.port)
        slow.send("GET /\(server.token)/state HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nX: ")
        #expect(Patience.wait(everyMilliseconds: 50) { !slow.send("x") })
        // The same for a body, and for a client that says nothing.
        let body = try LoopbackClient(port: server.port)
        body.send(
            "POST /\(server.token)/steps HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Type: application/json\r\n"
                + "Content-Length: 1000\r\n\r\n[")
        #expect(Patience.wait(everyMilliseconds: 50) { !body.send(" ") })
        #expect(!(try LoopbackClient(port: server.port).rest()).contains(" 200 "))
        #expect(noting.requests.isEmpty)
        #expect(try Patience.wait { try server.get("state").hasPrefix("HTTP/1.1 200 ") }, "the server lives on")
    }

    @Test func manyIdleConnectionsDoNotLastAndKeepNobodyOut() throws {
        let noting = try Noting {
            $0.arrival = 1000
            $0.connections = 16
        }
        let idle = try (0..<60).map { _ in try LoopbackClient(port: noting.server.port) }
        #expect(try Patience.wait { try noting.server.get("state").hasPrefix("HTTP/1.1 200 ") })
        withExtendedLifetime(idle) {}
    }

    @Test func eventsArriveAsTheyAreSentAndEndWithTheServer() throws {
        let stream = EventStream()
        let server = try LocalServer { _ in LocalReply(stream) }
        stream.send("first", "{}")
        let client = try LoopbackClient(port: server.port)
        client.send("GET /\(server.token)/events HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
        let answer = client.wait(for: "event: first\ndata: {}\n\n")
        #expect(answer.contains("Content-Type: text/event-stream"))
        #expect(answer.contains("event: first\ndata: {}\n\n"))
        stream.send("second", "[1]")
        #expect(client.wait(for: "[1]\n\n").contains("event: second\ndata: [1]\n\n"))
        server.stop()
        #expect(!client.rest().contains("event"), "the connection ends")
        #expect(stream.isClosed)
        // Another test may get the port at once, but its server knows another token.
        #expect((try? server.get("events"))?.hasPrefix("HTTP/1.1 200 ") != true)
    }

    @Test func onlySoManyStreamsAreOpenAtATime() throws {
        let server = try {
            var limits = LocalServer.Limits()
            limits.streams = 2
            return try LocalServer(limits) { _ in
                let stream = EventStream()
                stream.send("hello", "{}")
                return LocalReply(stream)
            }
        }()
        let open = try (0..<2).map { _ in
            let client = try LoopbackClient(port: server.port)
            client.send("GET /\(server.token)/events HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
            _ = client.wait(for: "hello")
            return client
        }
        #expect(try server.get("events").hasPrefix("HTTP/1.1 503 "))
        withExtendedLifetime(open) {}
    }
}
