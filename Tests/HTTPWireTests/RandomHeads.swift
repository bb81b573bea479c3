import TestSupport

/// Makes heads from pieces that are good or wrong, and damages some of them.
struct RandomHeads {
    var random: SeededGenerator

    private static let methods = ["GET", "POST", "HEAD", "DELETE", "PROPFIND", "get", "CONNECT", "TRACE", ""]
    private static let segments = [
        "a", "v1", "main...x", ".git", "a%20b", "@s", "x;v=1", "..", ".", "", "%2e", "%2f", "%5C", "%00", "..;x", "a:b",
        "\u{E9}", "%", "\\",
    ]
    private static let pieces = [
        "a=1", "key=x", "access_token=y", "%6bey=1", "b", "", "a[0]=1", "x=%41", "_METHOD=PUT", "keys=1", "#", "%g",
        "a%20=\"",
    ]
    private static let lines = [
        "Host: api.example.com", "host: evil.example", "Accept: */*", "Authorization: Bearer lend_0", "x-api-key: 1",
        "X_Api_Key: 2",
        "Content-Length: 5", "Content-Length: 05", "content-length: 99999999999999999999", "Transfer-Encoding: chunked",
        "Transfer-Encoding: gzip, chunked", "Transfer_Encoding: chunked", "Transfer-Encoding : chunked",
        "Connection: close, X-Hop",
        "Connection: a b", "X-Hop: 1", "X-Forwarded-For: 1", "Proxy-Authorization: 1", "Cookie: a=b", "Cookie: c=d",
        "Expect: 100-continue",
        "Expect: x", "Upgrade: h2c", " folded: 1", "\tfolded", "X-Text: caf\u{E9}\t\u{FF}", "X: \u{1}", "no colon",
        ": empty", "TE: trailers",
        "Via: 1.1 a", "X-HTTP-Method-Override: PUT", "Set-Cookie: a=b", "WWW-Authenticate: Basic", "Alt-Svc: h3",
        "ETag: \"1\"",
        "Content-Encoding: identity", "Content-Encoding: gzip", "Content-Type: text/plain", "Location: /a/b?c#d",
        "Location: a\u{E9}",
        "Location: https://api.example.com/a?b", "Location: //api.example.com:443#x",
        "Location: http://api.example.com/",
        "Accept-Encoding: gzip", "User-Agent:   x   ", "Empty:", "Refresh: 0", "Keep-Alive: 5", "A: b\nC: d",
        "A: b\rC: d", "A: \0",
    ]
    private static let statusLines = [
        "HTTP/1.1 200 OK", "HTTP/1.1 204 No Content", "HTTP/1.1 304 Not Modified", "HTTP/1.1 404", "HTTP/1.1 302 Found",
        "HTTP/1.1 500 caf\u{E9}", "HTTP/1.0 200 OK", "HTTP/1.1 999 x", "HTTP/1.1  200 OK",
    ]

    /// Returns one of `choices`, more often one of the first.
    private mutating func pickEarly(_ choices: [String]) -> String {
        choices[
            min(Int.random(in: 0..<choices.count, using: &random), Int.random(in: 0..<choices.count, using: &random))]
    }

    private mutating func target() -> String {
        var target = ""
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            target +=
                "/" + Self.segments[Int.random(in: 0..<(random.once(in: 6) ? Self.segments.count : 7), using: &random)]
        }
        if random.once(in: 2) {
            let pieces = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Self.pieces[Int.random(in: 0..<(random.once(in: 8) ? Self.pieces.count : 10), using: &random)]
            }
            target += "?" + pieces.joined(separator: random.once(in: 4) ? ";" : "&")
        }
        return target
    }

    private mutating func fields() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            // Most lines are good, and most heads have only good ones.
            var line = random.pick(Self.lines)
            if !random.once(in: 3) {
                line = random.pick(["Accept: */*", "X-Hop: 1", "Cookie: a", "x_forwarded_host: b", "Etag: 1", "Via: a"])
            }
            text += line + "\r\n"
        }
        return text
    }

    private mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        guard random.once(in: 3) else { return bytes }
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &random)
            let strange = random.pick(
                [UInt8](latin: "\r\n\0 \t:;,%/?#_-\u{7F}\u{80}\u{FF}") + [UInt8.random(in: 0...255, using: &random)])
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(strange, at: place)
            case 3: bytes[place] = strange
            case 4: bytes.removeLast(random.once(in: 3) ? bytes.count - place : 0)
            default:
                let end = min(bytes.count, place + Int.random(in: 1...30, using: &random))
                bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
            }
        }
        return bytes
    }

    mutating func request() -> [UInt8] {
        let host =
            random.once(in: 12)
            ? random.pick(["", "Host: a b\r\n", "Host: [::1]:80\r\n", "Host: a:x\r\n"]) : "Host: 127.0.0.1:4711\r\n"
        let method = Self.methods[Int.random(in: 0..<(random.once(in: 8) ? Self.methods.count : 5), using: &random)]
        let version = random.once(in: 20) ? random.pick(["HTTP/1.0", "HTTP/2.0", "http/1.1", "HTTP/1.1 "]) : "HTTP/1.1"
        let (target, before, after) = (target(), fields(), fields())
        return damaged([UInt8](latin: "\(method) \(target) \(version)\r\n\(before)\(host)\(after)\r\nbody"))
    }

    mutating func response() -> [UInt8] {
        let line = pickEarly(Self.statusLines)
        let fields = fields()
        return damaged([UInt8](latin: "\(line)\r\n\(fields)\r\nbody"))
    }

    /// Returns a chunked body, good or damaged.
    mutating func chunks() -> [UInt8] {
        var text = ""
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let count = Int.random(in: 1...20, using: &random)
            text +=
                String(count, radix: 16) + "\r\n"
                + String(repeating: random.pick(["a", "\r\n", "0"]), count: count).prefix(count) + "\r\n"
        }
        return damaged([UInt8](latin: text + "0\r\n" + (random.once(in: 3) ? "A: b\r\n" : "") + "\r\nGET"))
    }

    /// Returns places at which bytes are cut into pieces.
    mutating func cuts(_ count: Int) -> [Int] {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in Int.random(in: 0...count, using: &random) }.sorted()
    }

    /// Returns bytes that no grammar made.
    mutating func noise() -> [UInt8] {
        let letters = random.once(in: 2) ? [UInt8](latin: "GET / HTTP/1.1\r\n:aA0;,") : Array(0...255)
        return (0..<Int.random(in: 0...80, using: &random)).map { _ in random.pick(letters) }
    }
}
