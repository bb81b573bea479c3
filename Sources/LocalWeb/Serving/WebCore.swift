internal import CMicroHTTPD
internal import Glibc
internal import PlainText
internal import SodiumKit
internal import Synchronization

/// The state of a server that its threads share, and the checks of requests.
final class WebCore: Sendable {
    let port: UInt16
    /// 128 random bits in hexadecimal digits.
    let token: String
    let limits: LocalServer.Limits
    let arrivals: Arrivals
    let answer: @Sendable (LocalRequest) -> LocalReply
    private let streams = Mutex<[EventStream]>([])
    private let isOver = Mutex(false)

    init(_ limits: LocalServer.Limits, _ port: UInt16, _ answer: @escaping @Sendable (LocalRequest) -> LocalReply) {
        self.limits = limits
        self.port = port
        self.answer = answer
        arrivals = Arrivals(milliseconds: limits.arrival)
        let digits = Array("0123456789abcdef")
        token = String(Sodium.randomBytes(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    /// Ends the streams and the watch over arrivals.
    func stop() {
        isOver.withLock { $0 = true }
        for stream in streams.withLock({ $0 }) { stream.close() }
        arrivals.stop()
    }

    /// Notes a stream that begins. Returns false if there are too many.
    func begin(_ stream: EventStream) -> Bool {
        let hasRoom = streams.withLock { streams in
            streams.removeAll { $0.isClosed }
            if streams.count >= limits.streams { return false }
            streams.append(stream)
            return true
        }
        if isOver.withLock({ $0 }) { stream.close() }
        return hasRoom
    }

    // MARK: - Checks

    /// A request that is not answered, with the status and the reason.
    struct Refusal: Error {
        let status: UInt32
        let what: String
    }

    /// A request whose header has passed the checks, and whose body arrives.
    struct Accepted {
        let method: LocalRequest.Method
        let path: String
        /// The size of the body that the client announced.
        let size: Int
    }

    /// Checks everything that is known before the body.
    ///
    /// - Throws: ``Refusal`` if any check fails.
    func check(_ head: WebHead) throws(Refusal) -> Accepted {
        // These answers are the same for all reasons, so that they reveal nothing.
        let stranger = Refusal(
            status: 403, what: "This address gives no access. Use the whole address that the program printed.")
        guard head.version == "HTTP/1.1", let host = head.only("Host"), host == printedHost else { throw stranger }
        if let origin = head.first("Origin") {
            guard head.only("Origin") == origin, origin == "http://\(host)" else { throw stranger }
        }
        for site in head.all("Sec-Fetch-Site") where site != "same-origin" && site != "none" { throw stranger }
        guard let path = path(below: head.path) else { throw stranger }
        if head.hasQuery { throw Refusal(status: 404, what: "There is no such path: leave out everything from ? on.") }
        guard let method = LocalRequest.Method(rawValue: head.method) else {
            throw Refusal(status: 405, what: "Only GET and POST are known here.")
        }
        guard head.first("Transfer-Encoding") == nil else {
            throw Refusal(status: 411, what: "Send the body whole, with a Content-Length.")
        }
        switch method {
        case .get:
            guard head.first("Content-Length").map({ $0 == "0" }) ?? true else {
                throw Refusal(status: 400, what: "A GET has no body.")
            }
            return Accepted(method: method, path: path, size: 0)
        case .post:
            guard let length = head.only("Content-Length"), let size = Int(length), size >= 0 else {
                throw Refusal(status: 411, what: "Send the body whole, with a Content-Length.")
            }
            if size > limits.body {
                throw Refusal(status: 413, what: "The body is larger than \(limits.body >> 10) KiB: split it.")
            }
            // A page of another origin cannot send this type without asking, and it asks in vain.
            guard let type = head.only("Content-Type"), type.prefix(while: { $0 != ";" }) == "application/json" else {
                throw Refusal(status: 415, what: "Send JSON, with the Content-Type application/json.")
            }
            return Accepted(method: method, path: path, size: size)
        }
    }

    /// The host of the address that the program prints. Any other name for this machine is refused.
    private var printedHost: String { "127.0.0.1:\(port)" }

    /// Returns the part of a path that follows the token; nil if the token is wrong.
    private func path(below path: String) -> String? {
        let bytes = Array(path.utf8)
        let count = token.utf8.count
        guard bytes.count >= count + 2, bytes[0] == UInt8(ascii: "/"), bytes[count + 1] == UInt8(ascii: "/") else {
            return nil
        }
        let given = Array(bytes[1...count])
        guard Sodium.areEqual(given.span.bytes, Array(token.utf8).span.bytes) else { return nil }
        return String(decoding: bytes[(count + 2)...], as: UTF8.self)
    }

    // MARK: - Answers

    /// Returns the answer to a whole request.
    func reply(to accepted: Accepted, _ body: [UInt8]) -> LocalReply {
        answer(LocalRequest(method: accepted.method, path: accepted.path, body: body))
    }

    static func reply(to refusal: Refusal) -> LocalReply {
        LocalReply(json: "{\"error\":\(JSON.quoted(refusal.what))}", status: refusal.status)
    }
}

/// The head of a request.
struct WebHead {
    let method: String
    let version: String
    let path: String
    let hasQuery: Bool
    let fields: [(name: String, value: String)]

    /// Returns every value of a field.
    func all(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map { $0.value }
    }

    /// Returns the first value of a field; nil if there is none.
    func first(_ name: String) -> String? { all(name).first }

    /// Returns the value of a field that is there once; nil otherwise.
    func only(_ name: String) -> String? {
        let all = all(name)
        return all.count == 1 ? all[0] : nil
    }
}
