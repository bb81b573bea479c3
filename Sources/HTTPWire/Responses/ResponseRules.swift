/// The rules for what a client gets of the answer of a server.
///
///     let rules = ResponseRules(from: server, toClientsAt: proxy)
///     let checked = try rules.check(head, isHead: request.head.isHead, in: buffer.bytes)
///     try checked.write(from: buffer.bytes, into: &output)
package struct ResponseRules: Hashable, Sendable {
    /// The server.
    package var origin: WireOrigin
    /// The address at which the client reaches the proxy. A redirect to the server leads there.
    package var base: WireOrigin
    /// True if a redirect to another server is passed on. The client follows it without the credential.
    package var passesRedirects = false
    /// The most bytes of a body.
    package var bodyLimit: UInt64 = 64 << 20

    /// Creates the strictest rules.
    package init(from origin: WireOrigin, toClientsAt base: WireOrigin) {
        self.origin = origin
        self.base = base
    }

    /// Checks a response, and finds out what of it is passed on.
    ///
    /// - Parameter isHead: True if the response answers a request with the method HEAD.
    /// - Throws: ``WireRefusal`` with the first fault. No byte of the response may be passed on then.
    package func check(_ head: ResponseHead, isHead: Bool, in bytes: RawSpan) throws(WireRefusal) -> CheckedResponse {
        let framing = try BodyFraming.of(head, isHead: isHead, in: bytes, limit: bodyLimit)
        let connection = try ConnectionNames(head.fields, in: bytes, .response)
        var kept: [FieldLine] = []
        var redirect: Redirect?
        for field in head.fields {
            switch KnownField.use(of: field, in: bytes, .response) {
            case .refused(let reason): throw WireRefusal(.response, reason)
            case .credential, .dropped: break
            case .own:
                if field.known == .contentEncoding && !bytes.holds(ignoringCase: "identity", at: field.value) {
                    throw WireRefusal(.response, .contentEncoding)
                }
                if field.known == .location && field.isExact {
                    redirect = Redirect(field.value, from: origin, in: bytes)
                }
            case .passes:
                if !connection.contains(field.name, in: bytes) { kept.append(field) }
            }
        }
        return CheckedResponse(
            head: head, fields: kept, framing: framing,
            announced: framing == .none ? try announced(head, in: bytes) : nil, redirect: redirect,
            closes: connection.closes || framing == .untilClose, base: base, passesRedirects: passesRedirects)
    }

    /// Returns the length that the answer to HEAD and status 304 announce for a body that does not follow.
    private func announced(_ head: ResponseHead, in bytes: RawSpan) throws(WireRefusal) -> UInt64? {
        guard head.status != 204,
            case .length(let count) = try BodyFraming.announced(head.fields, in: bytes, limit: .max, .response)
        else { return nil }
        return count
    }
}
