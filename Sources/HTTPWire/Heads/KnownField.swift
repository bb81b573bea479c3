/// The fields that the rules treat in a special way. Any other field is passed on as it is (a choice: clients of many services send
/// fields of their own).
package enum KnownField: UInt8, Hashable, Sendable, CaseIterable {
    // The proxy writes its own.
    case host, contentLength, transferEncoding, acceptEncoding, connection, expect, location, contentEncoding
    // For one connection only.
    case keepAlive, te, trailer, upgrade, http2Settings
    // Credentials.
    case authorization, xAPIKey, apiKey, xGoogAPIKey, privateToken, jobToken, deployToken, xAuthToken, xVaultToken
    case xAmzSecurityToken, cookie, cookie2
    // Words about the way to the proxy.
    case forwarded, via, xRealIP, xOriginalHost, xHost
    // Another method or path than the one that was checked.
    case xHTTPMethodOverride, xHTTPMethod, xMethodOverride, xOriginalURL, xRewriteURL
    // Answers about authentication, and lasting settings of a browser.
    case setCookie, setCookie2, wwwAuthenticate, authenticationInfo, altSvc, strictTransportSecurity, refresh

    /// The use of a field on one side.
    package enum Use: Hashable, Sendable {
        /// The field is passed on.
        case passes
        /// The field is read and checked, and the proxy writes its own.
        case own
        /// The field is left out.
        case dropped
        /// The field is left out, and reported as a credential of the client.
        case credential
        /// The message is refused.
        case refused(RefusalReason)
    }

    /// A row of the table: a name, and its use in each direction. A message has a `single` field once at most.
    private struct Row {
        let name: StaticString
        let request, response: Use
        let isSingle: Bool

        init(_ name: StaticString, _ request: Use, _ response: Use, single: Bool = false) {
            self.name = name
            self.request = request
            self.response = response
            isSingle = single
        }
    }

    private var row: Row {
        switch self {
        case .host: Row("host", .own, .dropped, single: true)
        case .contentLength: Row("content-length", .own, .own, single: true)
        case .transferEncoding: Row("transfer-encoding", .own, .own, single: true)
        case .acceptEncoding: Row("accept-encoding", .own, .passes)
        case .connection: Row("connection", .own, .own)
        case .expect: Row("expect", .own, .dropped, single: true)
        case .location: Row("location", .passes, .own, single: true)
        case .contentEncoding: Row("content-encoding", .passes, .own, single: true)

        case .keepAlive: Row("keep-alive", .dropped, .dropped)
        case .te: Row("te", .dropped, .dropped)
        case .trailer: Row("trailer", .dropped, .dropped)
        case .upgrade: Row("upgrade", .refused(.upgradeRefused), .dropped)
        case .http2Settings: Row("http2-settings", .dropped, .dropped)

        case .authorization: Row("authorization", .credential, .dropped, single: true)
        case .xAPIKey: Row("x-api-key", .credential, .dropped)
        case .apiKey: Row("api-key", .credential, .dropped)
        case .xGoogAPIKey: Row("x-goog-api-key", .credential, .dropped)
        case .privateToken: Row("private-token", .credential, .dropped)
        case .jobToken: Row("job-token", .credential, .dropped)
        case .deployToken: Row("deploy-token", .credential, .dropped)
        case .xAuthToken: Row("x-auth-token", .credential, .dropped)
        case .xVaultToken: Row("x-vault-token", .credential, .dropped)
        case .xAmzSecurityToken: Row("x-amz-security-token", .credential, .dropped)
        case .cookie: Row("cookie", .credential, .dropped)
        case .cookie2: Row("cookie2", .credential, .dropped)

        case .forwarded: Row("forwarded", .dropped, .passes)
        case .via: Row("via", .dropped, .passes)
        case .xRealIP: Row("x-real-ip", .dropped, .passes)
        case .xOriginalHost: Row("x-original-host", .dropped, .passes)
        case .xHost: Row("x-host", .dropped, .passes)

        case .xHTTPMethodOverride: Row("x-http-method-override", .dropped, .passes)
        case .xHTTPMethod: Row("x-http-method", .dropped, .passes)
        case .xMethodOverride: Row("x-method-override", .dropped, .passes)
        case .xOriginalURL: Row("x-original-url", .dropped, .passes)
        case .xRewriteURL: Row("x-rewrite-url", .dropped, .passes)

        case .setCookie: Row("set-cookie", .passes, .dropped)
        case .setCookie2: Row("set-cookie2", .passes, .dropped)
        case .wwwAuthenticate: Row("www-authenticate", .passes, .dropped)
        case .authenticationInfo: Row("authentication-info", .passes, .dropped)
        case .altSvc: Row("alt-svc", .passes, .dropped)
        case .strictTransportSecurity: Row("strict-transport-security", .passes, .dropped)
        case .refresh: Row("refresh", .passes, .dropped)
        }
    }

    /// The beginnings of names that are left out, whatever follows.
    private static func isDroppedByPrefix(_ name: Range<Int>, in bytes: RawSpan, _ side: WireSide) -> Bool {
        let prefixes: [StaticString] =
            switch side {
            case .request: ["proxy-", "x-forwarded-", "sec-websocket-"]
            case .response: ["proxy-"]
            }
        for prefix in prefixes where bytes.begins(folded: prefix, at: name) { return true }
        return false
    }

    /// The name, in lowercase.
    package var name: StaticString { row.name }

    /// Returns true if a message of this side is refused when it has the field twice.
    func isSingle(_ side: WireSide) -> Bool {
        switch use(side) {
        case .own, .credential: row.isSingle
        case .passes, .dropped, .refused: false
        }
    }

    /// Returns the use of this field in a message of one side.
    package func use(_ side: WireSide) -> Use {
        switch side {
        case .request: row.request
        case .response: row.response
        }
    }

    /// Returns the use of any field in a message of one side.
    static func use(of field: FieldLine, in bytes: RawSpan, _ side: WireSide) -> Use {
        if let known = field.known { return known.use(side) }
        return isDroppedByPrefix(field.name, in: bytes, side) ? .dropped : .passes
    }

    /// The known fields by the length of their names.
    private static let byLength: [[(KnownField, StaticString)]] = {
        var found: [[(KnownField, StaticString)]] = []
        for field in allCases {
            let length = field.name.utf8CodeUnitCount
            while found.count <= length { found.append([]) }
            found[length].append((field, field.name))
        }
        return found
    }()

    /// Returns the field of a name in any case, with any other sign for its hyphens.
    static func named(_ name: Range<Int>, in bytes: RawSpan) -> KnownField? {
        guard name.count < byLength.count else { return nil }
        for (field, spelling) in byLength[name.count] where bytes.begins(folded: spelling, at: name) {
            return field
        }
        return nil
    }
}
