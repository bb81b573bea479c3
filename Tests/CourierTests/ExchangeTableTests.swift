import Foundation
import Testing

@testable import Courier

/// An exchange as bytes: from the client, what the server gets of it, what the server answers, and what the client gets of that.
struct WireExchange: Sendable, CustomTestStringConvertible {
    let name: String
    /// The request behind its first line and Host.
    var line = "GET /v1/models?q=1"
    var request = "\r\n"
    /// The request of the server behind its first line, Host, credential; nil if none comes.
    var forwarded: String? = "accept-encoding: identity\r\n\r\n"
    var forwardedLine: String?
    var answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"
    var closes = false
    /// The answer of the client; if it does not end with a line end or the whole text, its beginning.
    var got = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"
    var status: UInt16? = 200
    var echoes = false
    var passesRedirects = false

    var testDescription: String { name }
}

/// Tests of what passes a courier, as a table of bytes.
@Suite(.serialized) struct ExchangeTableTests {
    private static let stars = String(repeating: "*", count: TestKeeper.canary.utf8.count)
    private static let canary = TestKeeper.canary
    private static let base64 = Data(canary.utf8).base64EncodedString()
    private static let percent = canary.replacing("/", with: "%2F").replacing("+", with: "%2B")

    private static func fixed(_ body: String, _ fields: String = "", status: String = "200 OK") -> String {
        "HTTP/1.1 \(status)\r\n\(fields)content-length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    static let passing: [WireExchange] = [
        WireExchange(name: "plain"),
        WireExchange(
            name: "a body of a length", line: "POST /v1/messages", request: "content-length: 5\r\n\r\nhello",
            forwarded: "accept-encoding: identity\r\ncontent-length: 5\r\n\r\nhello"),
        WireExchange(
            name: "a body in chunks", line: "POST /v1/messages",
            request: "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Late: 1\r\n\r\n",
            forwarded: "accept-encoding: identity\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
        WireExchange(
            name: "credentials of the client",
            request:
                "Authorization: Bearer lend_1\r\nX-Api-Key: lend_1\r\nCookie: a=b\r\nX-HTTP-Method-Override: DELETE\r\n"
                + "X-Forwarded-For: 1.2.3.4\r\nConnection: close-not, x-hop\r\nX-Hop: 1\r\nAccept-Encoding: gzip\r\nX-Kept: 1\r\n\r\n",
            forwarded: "X-Kept: 1\r\naccept-encoding: identity\r\n\r\n"),
        WireExchange(
            name: "a key in the query", line: "GET /v1/models?key=lend_1&q=2", forwardedLine: "GET /v1/models?q=2"),
        WireExchange(
            name: "fields of the answer that are left out",
            answer: fixed(
                "hi",
                "Set-Cookie: a=b\r\nWWW-Authenticate: Basic\r\nAlt-Svc: h3\r\nStrict-Transport-Security: max-age=1\r\nX-Kept: 1\r\n"
            ),
            got: fixed("hi", "X-Kept: 1\r\n")),
        WireExchange(
            name: "an answer in chunks",
            answer: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n3\r\nxyz\r\n0\r\n\r\n",
            got: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhixyz\r\n0\r\n\r\n"),
        WireExchange(
            name: "an answer until the end", answer: "HTTP/1.1 200 OK\r\n\r\nhello", closes: true,
            got: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
        WireExchange(
            name: "interim answers", answer: "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" + fixed("hi"),
            got: fixed("hi")),
        WireExchange(
            name: "no content", answer: "HTTP/1.1 204 No Content\r\n\r\n", got: "HTTP/1.1 204 No Content\r\n\r\n",
            status: 204),
        WireExchange(
            name: "not modified", answer: "HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n",
            got: "HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n", status: 304),
        WireExchange(
            name: "head", line: "HEAD /v1/models", answer: "HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n",
            got: "HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n"),
        WireExchange(
            name: "a redirect to the server",
            answer: fixed("", "Location: https://api.example.com/v2\r\n", status: "302 Found"),
            got: "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:PORT/v2\r\ncontent-length: 0\r\n\r\n", status: 302),
        WireExchange(
            name: "a redirect elsewhere",
            answer: fixed("", "Location: https://evil.example/\(canary)\r\n", status: "302 Found"),
            got: "HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n", status: 302),
        WireExchange(
            name: "a redirect to http",
            answer: fixed("", "Location: http://api.example.com/v2\r\n", status: "302 Found"),
            got: "HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n", status: 302),
        WireExchange(
            name: "a redirect elsewhere that is passed on",
            answer: fixed("", "Location: https://store.example/a?t=\(canary)\r\n", status: "302 Found"),
            got: "HTTP/1.1 302 Found\r\nlocation: https://store.example/a?t=\(stars)\r\ncontent-length: 0\r\n\r\n",
            status: 302,
            echoes: true, passesRedirects: true),
        WireExchange(
            name: "an echo in the head", answer: fixed("hi", "X-Echo: Bearer \(canary)\r\nX-Kept: 1\r\n"),
            got: fixed("hi", "X-Echo: Bearer \(stars)\r\nX-Kept: 1\r\n"), echoes: true),
        WireExchange(
            name: "an echo in the reason", answer: fixed("hi", status: "200 \(canary)"),
            got: fixed("hi", status: "200 \(stars)"),
            echoes: true),
        WireExchange(
            name: "an echo in the body", answer: fixed("{\"a\":\"Bearer \(canary)\"}"),
            got: fixed("{\"a\":\"Bearer \(stars)\"}"),
            echoes: true),
        WireExchange(
            name: "an echo in base64", answer: fixed("<\(base64)>"),
            got: fixed(
                "<" + String(repeating: "*", count: (canary.utf8.count * 4 + 2) / 3) + base64.filter { $0 == "=" } + ">"
            ),
            echoes: true),
        WireExchange(
            name: "an echo in a URL", answer: fixed("<\(percent)>"),
            got: fixed("<" + String(repeating: "*", count: percent.utf8.count) + ">"), echoes: true),
        WireExchange(
            name: "an echo over chunks",
            answer: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
                + canary.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n",
            got: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n19\r\n\(stars)\r\n0\r\n\r\n", echoes: true),
    ]

    @Test(arguments: passing) func passes(_ exchange: WireExchange) throws {
        let rig = try Rig(ScriptedServer(exchange.answer, closes: exchange.closes)) {
            $0.passesRedirects = exchange.passesRedirects
        }
        let answer = try rig.ask("\(exchange.line) HTTP/1.1\r\nHost: 127.0.0.1:\(rig.port)\r\n\(exchange.request)")
        #expect(answer == exchange.got.replacing("PORT", with: String(rig.port)))
        let line = exchange.forwardedLine ?? exchange.line
        let forwarded = exchange.forwarded ?? ""
        #expect(
            rig.server.requests == [
                "\(line) HTTP/1.1\r\nhost: api.example.com\r\nauthorization: Bearer \(Self.canary)\r\n\(forwarded)"
            ])
        #expect(rig.waitForEnds())
        let path = String(exchange.line.split(separator: " ")[1].split(separator: "?")[0])
        let method = String(exchange.line.split(separator: " ")[0])
        #expect(rig.keeper.notes.first == .asked(LoanUse(method: method, path: path)))
        #expect(rig.keeper.notes.filter { if case .sent(exchange.status, _) = $0 { true } else { false } }.count == 1)
        #expect(rig.keeper.notes.contains(.echoed) == exchange.echoes)
        #expect(!answer.contains(Self.canary))
    }

    /// Answers that a courier does not pass on.
    static let wrongAnswers: [(String, String)] = [
        ("compressed", "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\nhi"),
        ("no HTTP", "SSH-2.0-OpenSSH\r\n\r\n"), ("another version", "HTTP/2 200 OK\r\n\r\n"),
        ("a storm", String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 9)),
        ("switching", "HTTP/1.1 101 Switching Protocols\r\n\r\n"),
        ("an endless head", "HTTP/1.1 200 OK\r\nx: " + String(repeating: "a", count: 40_000)),
        ("two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nhi"),
        ("length and chunks", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\nhi"),
        ("two heads", "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"),
        ("wrong chunks", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"),
        ("a large body", "HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n"),
        ("a secret in the framing", "HTTP/1.1 200 OK\r\nx: c2stY2FuYXJ5LzdmM2ErOTFj\r\n NGQyZThiNg: 1\r\n\r\n"),
        ("a head without end", "HTTP/1.1 200 OK\r\nx: 1"), ("nothing", ""),
    ]

    @Test(arguments: wrongAnswers) func refusesAnswers(name: String, answer: String) throws {
        let rig = try Rig(ScriptedServer(answer, closes: true))
        let got = try rig.ask(rig.get())
        #expect(got.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"), "\(name): \(got)")
        #expect(got.contains("\r\nx-should-retry: false\r\n"))
        #expect(rig.waitForEnds())
        #expect(rig.keeper.notes.contains { if case .sent(nil, _) = $0 { true } else { false } })
        // A request is sent once, also if the server breaks the connection.
        #expect(rig.server.requests.count == 1)
    }

    /// Requests that a courier does not pass on, and their status.
    static let wrongRequests: [(String, Int)] = [
        ("GET /a/../b HTTP/1.1\r\nHost: BASE\r\n\r\n", 400), ("GET /%2e%2e/b HTTP/1.1\r\nHost: BASE\r\n\r\n", 400),
        ("GET http://evil/ HTTP/1.1\r\nHost: BASE\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
        ("GET / HTTP/1.1\r\nHost: BASE\r\nHost: BASE\r\n\r\n", 400),
        ("GET / HTTP/1.1\nHost: BASE\n\n", 400), ("GET / HTTP/1.0\r\nHost: BASE\r\n\r\n", 505),
        ("CONNECT a:1 HTTP/1.1\r\nHost: BASE\r\n\r\n", 400), ("TRACE / HTTP/1.1\r\nHost: BASE\r\n\r\n", 405),
        ("GET / HTTP/1.1\r\nHost: BASE\r\nUpgrade: websocket\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: BASE\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: BASE\r\nContent-Length: 99999999999\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: BASE\r\nExpect: cake\r\n\r\n", 417),
        ("GET /" + String(repeating: "a", count: 20_000) + " HTTP/1.1\r\n", 414),
        ("GET / HTTP/1.1\r\nHost: BASE\r\nX: " + String(repeating: "a", count: 40_000) + "\r\n\r\n", 431),
    ]

    @Test(arguments: wrongRequests) func refusesRequests(request: String, status: Int) throws {
        let rig = try Rig(ScriptedServer("HTTP/1.1 204 No Content\r\n\r\n"))
        let client = try rig.client()
        client.send(request.replacing("BASE", with: "127.0.0.1:\(rig.port)"))
        let got = client.rest()
        #expect(got.hasPrefix("HTTP/1.1 \(status) "), "\(got)")
        #expect(rig.keeper.notes.isEmpty && rig.server.accepted == 0)
    }
}
