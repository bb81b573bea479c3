import HTTPWire
import Testing

/// Tests of servers and of the places that redirects name.
@Suite struct OriginTests {
    @Test func anOriginHasAnAuthority() {
        let rows: [(WireOrigin.Scheme, String, UInt16?, String?)] = [
            (.https, "API.example.com", nil, "api.example.com"), (.https, "a", 443, "a"), (.http, "a", 443, "a:443"),
            (.http, "127.0.0.1", 80, "127.0.0.1"), (.http, "[::1]", 4711, "[::1]:4711"),
            (.https, "", nil, nil), (.https, "a b", nil, nil), (.https, "a/b", nil, nil), (.https, "user@a", nil, nil),
            (.https, "a:443", nil, nil), (.https, "a\r\nX: y", nil, nil), (.https, "::1", nil, nil),
            (.https, "[]", nil, nil),
            (.https, "[::1", nil, nil), (.https, "[g]", nil, nil), (.https, "\u{E9}", nil, nil),
            (.https, String(repeating: "a", count: 254), nil, nil),
        ]
        for (scheme, host, port, authority) in rows {
            let origin = WireOrigin(scheme, host: host, port: port)
            #expect(origin.map { $0.authority.latin } == authority, "\(host)")
        }
    }

    /// URLs that name the proxy of the tests, and URLs that only look like it.
    @Test func aRedirectNamesTheWholeOrigin() {
        for (text, isOurs) in [
            ("http://127.0.0.1:4711/", true), ("//127.0.0.1:4711", true), ("http://127.0.0.1/", false),
            ("http://127.0.0.1:4711:4711/", false), ("http://127.0.0.1:471/", false),
            ("http://127.0.0.1:04711/", false),
            ("http://127.0.0.1.:4711/", false), ("https://127.0.0.1:4711/", false), ("http://x@127.0.0.1:4711/", false),
        ] {
            let bytes = [UInt8](latin: text)
            switch Redirect(bytes.startIndex..<bytes.endIndex, from: Sample.proxy, in: bytes.span.bytes) {
            case .sameOrigin: #expect(isOurs, "\(text)")
            case .elsewhere: #expect(!isOurs, "\(text)")
            case .relative, .malformed: Issue.record("\(text)")
            }
        }
    }
}
