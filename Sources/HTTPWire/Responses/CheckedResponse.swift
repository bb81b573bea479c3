/// A response that satisfies ``ResponseRules``, as ranges of the buffer that was read. Only the rules create one.
package struct CheckedResponse: Hashable, Sendable {
    /// The head that was checked.
    package let head: ResponseHead
    /// The fields that are passed on, in their order.
    package let fields: [FieldLine]
    /// The length of the body.
    package let framing: BodyFraming
    /// The length of the body that does not follow: the answer to HEAD announces it.
    package let announced: UInt64?
    /// The place to which the server redirects.
    package let redirect: Redirect?
    /// True if no further request fits on this connection to the server.
    package let closes: Bool
    private let base: WireOrigin
    private let passesRedirects: Bool

    init(
        head: ResponseHead, fields: [FieldLine], framing: BodyFraming, announced: UInt64?, redirect: Redirect?,
        closes: Bool, base: WireOrigin, passesRedirects: Bool
    ) {
        self.head = head
        self.fields = fields
        self.framing = framing
        self.announced = announced
        self.redirect = redirect
        self.closes = closes
        self.base = base
        self.passesRedirects = passesRedirects
    }

    /// Writes the head for the client: status and reason, the fields that are passed on, the place of a redirect, and the framing.
    ///
    /// On an error, `output` may hold a part of the head.
    ///
    /// - Parameters:
    ///   - closing: True if you close the client's connection behind this response.
    ///   - bytes: The buffer that was checked, unchanged.
    ///   - output: The memory for the head.
    /// - Throws: ``WireRefusal`` with `outputTooSmall`.
    package func write(closing: Bool = false, from bytes: RawSpan, into output: inout OutputSpan<UInt8>)
        throws(WireRefusal)
    {
        try output.put("HTTP/1.1 ", .response)
        try output.put(UInt64(head.status), .response)
        try output.put(" ", .response)
        try output.put(bytes, head.reason, .response)
        try output.put("\r\n", .response)
        for field in fields { try output.put(field, from: bytes, .response) }
        try writeLocation(from: bytes, into: &output)
        try output.put(announced.map { .length($0) } ?? framing, .response)
        if closing { try output.put("connection: close\r\n", .response) }
        try output.put("\r\n", .response)
    }

    /// Writes the place of a redirect, unless it may not be passed on.
    private func writeLocation(from bytes: RawSpan, into output: inout OutputSpan<UInt8>) throws(WireRefusal) {
        let range: Range<Int>
        switch redirect {
        case nil, .malformed: return
        case .elsewhere where !passesRedirects: return
        case .relative(let value), .elsewhere(let value), .sameOrigin(let value): range = value
        }
        try output.put("location: ", .response)
        if case .sameOrigin = redirect {
            try output.put(base.scheme.name, .response)
            try output.put("://", .response)
            try output.put(base.authority, .response)
            if range.isEmpty || bytes.byte(range.lowerBound) != UInt8(ascii: "/") { try output.put("/", .response) }
        }
        try output.put(bytes, range, .response)
        try output.put("\r\n", .response)
    }
}
