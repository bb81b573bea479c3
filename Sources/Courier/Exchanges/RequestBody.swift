internal import HTTPWire

/// The body of a request, of which a beginning may have been read before the server gets it.
struct RequestBody {
    private let request: CheckedRequest
    private var reader: BodyReader
    private var wasAskedFor = false
    /// The part that was read and not sent.
    private(set) var beginning: [UInt8] = []
    /// True once all of it was read.
    private(set) var isWhole: Bool

    init(_ request: CheckedRequest, limit: UInt64) {
        self.request = request
        reader = BodyReader(request.framing, .request, limit: limit)
        isWhole = !request.hasBody
    }

    /// Tells a client that waits for it to go on.
    private mutating func askFor(_ input: borrowing ClientInput, _ connection: Connection, _ limits: CourierLimits)
        throws(ConnectionFault)
    {
        if !wasAskedFor && request.expectsContinue && !input.hasMore {
            try connection.send(Array("\(WireRefusal.continueAnswer)".utf8).span.bytes, limits)
        }
        wasAskedFor = true
    }

    /// Reads the next part of the beginning.
    mutating func readBeginning(
        _ input: inout ClientInput, _ connection: Connection, _ limits: CourierLimits
    ) throws(ConnectionFault) {
        try askFor(input, connection, limits)
        isWhole = try !input.readBody(&reader) { (payload) throws(WireRefusal) in
            payload.withUnsafeBytes { beginning += $0 }
        }
    }

    /// Adds the next part to `body`: first the beginning, and then what the client sends. Returns false at the end.
    mutating func readNext(
        _ input: inout ClientInput, into body: inout FramedBody, _ connection: Connection, _ limits: CourierLimits
    ) throws(ConnectionFault) -> Bool {
        if !beginning.isEmpty {
            do throws(WireRefusal) { try body.append(beginning.span.bytes) } catch { throw .refused(Refusal(error)) }
            beginning = []
            return true
        }
        if isWhole { return false }
        try askFor(input, connection, limits)
        isWhole = try !input.readBody(&reader) { (payload) throws(WireRefusal) in try body.append(payload) }
        return !isWhole
    }

    /// Reads the rest and forgets it, for an answer that a client awaits behind its whole body.
    mutating func skip(_ input: inout ClientInput, _ connection: Connection, _ limits: CourierLimits)
        throws(ConnectionFault)
    {
        beginning = []
        if isWhole { return }
        try askFor(input, connection, limits)
        while try input.readBody(&reader, { (_) throws(WireRefusal) in }) {}
        isWhole = true
    }
}
