import HTTPWire

/// The result of giving bytes to a reader and to the rules, in values that can be compared.
enum WireOutcome<Checked: Hashable & Sendable>: Hashable, Sendable {
    case needsMore
    case checked(Checked)
    case refused(RefusalReason)

    var reason: RefusalReason? {
        if case .refused(let reason) = self { reason } else { nil }
    }

    var checked: Checked? {
        if case .checked(let checked) = self { checked } else { nil }
    }
}

extension [UInt8] {
    /// The bytes of a text in which each character is one byte, up to U+00FF.
    init(latin text: String) { self = text.unicodeScalars.map { UInt8($0.value) } }

    /// The text of a range, one character a byte.
    func latin(_ range: Range<Int>) -> String {
        String(String.UnicodeScalarView(self[range].map { Unicode.Scalar($0) }))
    }

    /// The text of all bytes.
    var latin: String { latin(indices) }
}

/// The proxy of the tests.
enum Sample {
    static let server = WireOrigin(.https, host: "api.example.com")!
    static let proxy = WireOrigin(.http, host: "127.0.0.1", port: 4711)!

    /// Reads and checks a request. The buffer grows by the pieces, which end at `cuts`.
    static func request(_ bytes: [UInt8], cuts: [Int] = [], _ rules: RequestRules = RequestRules()) -> WireOutcome<
        CheckedRequest
    > {
        var reader = RequestReader()
        do {
            for end in cuts + [bytes.count] {
                if case .head(let head) = try reader.read(Array(bytes[..<end]).span.bytes) {
                    return .checked(try rules.check(head, in: bytes.span.bytes))
                }
            }
            return .needsMore
        } catch {
            return .refused(error.reason)
        }
    }

    /// Reads and checks a response, likewise.
    static func response(
        _ bytes: [UInt8], cuts: [Int] = [], isHead: Bool = false, passesRedirects: Bool = false,
        from origin: WireOrigin = server
    ) -> WireOutcome<CheckedResponse> {
        var rules = ResponseRules(from: origin, toClientsAt: proxy)
        rules.passesRedirects = passesRedirects
        var reader = ResponseReader()
        do {
            for end in cuts + [bytes.count] {
                if case .head(let head) = try reader.read(Array(bytes[..<end]).span.bytes) {
                    return .checked(try rules.check(head, isHead: isHead, in: bytes.span.bytes))
                }
            }
            return .needsMore
        } catch {
            return .refused(error.reason)
        }
    }

    /// Returns the payload of a body and the bytes behind it, or the reason why it is refused.
    static func body(
        _ bytes: [UInt8], cuts: [Int] = [], _ framing: BodyFraming = .chunked, _ side: WireSide = .request,
        limit: UInt64 = 1 << 20
    ) -> WireOutcome<[UInt8]> {
        var reader = BodyReader(framing, side, limit: limit)
        var payload: [UInt8] = []
        var place = 0
        do {
            for end in cuts + [bytes.count] {
                reading: while true {
                    switch try reader.next(in: Array(bytes[..<end]).span.bytes, at: &place) {
                    case .payload(let range): payload += bytes[range]
                    case .needsMore: break reading
                    case .end: return .checked(payload + [UInt8](latin: "|") + bytes[place...])
                    }
                }
            }
            try reader.finish()
            return .checked(payload)
        } catch {
            return .refused(error.reason)
        }
    }

    /// Returns the bytes that `write` puts into a buffer of `capacity` bytes.
    static func written(
        _ capacity: Int = 40_000, _ write: (inout OutputSpan<UInt8>) throws(WireRefusal) -> Void
    ) throws(WireRefusal) -> [UInt8] {
        try [UInt8](capacity: capacity) { (output: inout OutputSpan<UInt8>) throws(WireRefusal) in try write(&output) }
    }

    /// Returns the head that a checked request becomes, with a credential.
    static func written(_ checked: CheckedRequest, _ bytes: [UInt8], credential: String = "Bearer real") throws
        -> [UInt8]
    {
        let values = Array(credential.utf8)
        return try written { (output) throws(WireRefusal) in
            try checked.write(
                to: server, own: [OwnField("authorization", 0..<values.count)], values: values.span.bytes,
                from: bytes.span.bytes,
                into: &output)
        }
    }

    /// Returns the head that a checked response becomes.
    static func written(_ checked: CheckedResponse, _ bytes: [UInt8]) throws -> [UInt8] {
        try written { (output) throws(WireRefusal) in try checked.write(from: bytes.span.bytes, into: &output) }
    }
}
