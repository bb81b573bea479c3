/// The length of a body, as the head announces it. Every ambiguous head is refused.
package enum BodyFraming: Hashable, Sendable {
    /// No body follows.
    case none
    /// Exactly so many bytes follow.
    case length(UInt64)
    /// Chunks follow.
    case chunked
    /// The body of a response ends with the connection.
    case untilClose

    /// Returns the framing of a request's body.
    ///
    /// - Throws: ``WireRefusal`` for a body larger than `limit`, and for a length that two readers could understand differently.
    package static func of(_ head: RequestHead, in bytes: RawSpan, limit: UInt64) throws(WireRefusal) -> BodyFraming {
        try announced(head.fields, in: bytes, limit: limit, .request) ?? .none
    }

    /// Returns the framing of a response's body.
    ///
    /// - Parameter isHead: True if the response answers a request with the method HEAD.
    /// - Throws: ``WireRefusal`` for a body larger than `limit`, and for a length that two readers could understand differently.
    package static func of(_ head: ResponseHead, isHead: Bool, in bytes: RawSpan, limit: UInt64) throws(WireRefusal)
        -> BodyFraming
    {
        // A response without a body may announce the length that the body would have, so no bound counts.
        let hasNone = isHead || head.status == 204 || head.status == 304
        let announced = try announced(head.fields, in: bytes, limit: hasNone ? .max : limit, .response)
        if head.status == 204, let announced, announced != .length(0) {
            throw WireRefusal(.response, .bodyWhereNone)
        }
        return hasNone ? .none : announced ?? .untilClose
    }

    /// Returns the framing that the fields announce; nil if they announce none.
    static func announced(_ fields: [FieldLine], in bytes: RawSpan, limit: UInt64, _ side: WireSide) throws(WireRefusal)
        -> BodyFraming?
    {
        let length = fields.first(.contentLength)
        let encoding = fields.first(.transferEncoding)
        for field in fields where !field.isExact {
            if field.known == .contentLength || field.known == .transferEncoding {
                throw WireRefusal(side, .lookalikeField)
            }
        }
        if length != nil && encoding != nil { throw WireRefusal(side, .lengthAndEncoding) }
        if let encoding {
            guard bytes.holds(ignoringCase: "chunked", at: encoding.value) else {
                throw WireRefusal(side, .transferEncoding)
            }
            return .chunked
        }
        guard let length else { return nil }
        let count = try number(length.value, in: bytes, side)
        guard count <= limit else { throw WireRefusal(side, .bodyTooLarge) }
        return .length(count)
    }

    /// Reads a decimal number. A number of more than 64 bits is a body that is too large.
    private static func number(_ digits: Range<Int>, in bytes: RawSpan, _ side: WireSide) throws(WireRefusal) -> UInt64
    {
        guard !digits.isEmpty, bytes.all(in: digits, { $0.decimalDigit != nil }),
            digits.count == 1 || bytes.byte(digits.lowerBound) != UInt8(ascii: "0")
        else { throw WireRefusal(side, .lengthForm) }
        var number: UInt64 = 0
        for place in digits {
            let (product, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflowsAgain) = product.addingReportingOverflow(UInt64(bytes.byte(place) - 0x30))
            if overflows || overflowsAgain { throw WireRefusal(side, .bodyTooLarge) }
            number = sum
        }
        return number
    }
}
