/// The rules that a request has to satisfy before a credential is put into it.
///
///     let checked = try RequestRules().check(head, in: buffer.bytes)
///     try checked.write(to: server, own: [field], values: credential.bytes, from: buffer.bytes, into: &output)
package struct RequestRules: Hashable, Sendable {
    /// True if a path may contain `%2f`. The names of packages with a scope need it.
    package var allowsEncodedSlash = false
    /// The origins that Host may name; nil for any. The server never gets the client's Host.
    package var origins: [WireOrigin]?
    /// The most bytes of a body.
    package var bodyLimit: UInt64 = 64 << 20

    /// Creates the strictest rules, for any Host.
    package init() {}

    /// Checks a request, and finds out what of it is passed on.
    ///
    /// - Throws: ``WireRefusal`` with the first fault. No byte of the request may be passed on then.
    package func check(_ head: RequestHead, in bytes: RawSpan) throws(WireRefusal) -> CheckedRequest {
        for method in Self.refusedMethods where bytes.holds(method, at: head.method) {
            throw WireRefusal(.request, .methodRefused)
        }
        try checkPath(head.path, in: bytes, allowsEncodedSlash: allowsEncodedSlash)
        try checkHost(head.fields.first(.host), in: bytes)
        let framing = try BodyFraming.of(head, in: bytes, limit: bodyLimit)
        let connection = try ConnectionNames(head.fields, in: bytes, .request)
        var kept: [FieldLine] = []
        var credentials: [FieldLine] = []
        var expectsContinue = false
        for field in head.fields {
            switch KnownField.use(of: field, in: bytes, .request) {
            case .refused(let reason): throw WireRefusal(.request, reason)
            case .credential: credentials.append(field)
            case .dropped: break
            case .own:
                if field.known == .expect {
                    guard bytes.holds(ignoringCase: "100-continue", at: field.value) else {
                        throw WireRefusal(.request, .otherExpectation)
                    }
                    expectsContinue = true
                }
            case .passes:
                if !connection.contains(field.name, in: bytes) { kept.append(field) }
            }
        }
        return CheckedRequest(
            head: head, fields: kept, credentials: credentials, framing: framing, expectsContinue: expectsContinue,
            closes: connection.closes)
    }

    /// The methods that are never passed on. CONNECT opens a tunnel, and the other two send back what they get.
    private static let refusedMethods: [StaticString] = ["CONNECT", "TRACE", "TRACK"]

    private func checkHost(_ host: FieldLine?, in bytes: RawSpan) throws(WireRefusal) {
        guard let host else { throw WireRefusal(.request, .hostMissing) }
        guard isHostForm(host.value, in: bytes) else { throw WireRefusal(.request, .hostForm) }
        guard let origins else { return }
        for origin in origins where origin.isNamed(by: host.value, in: bytes) { return }
        throw WireRefusal(.request, .otherHost)
    }
}
