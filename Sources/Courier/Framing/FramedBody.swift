internal import HTTPWire

/// Collects the parts of a body with the framing around them, so that they leave in one piece.
struct FramedBody: ~Copyable {
    /// The room for the framing of one part.
    private static let framing = 32

    private var writer: BodyWriter
    private var outgoing: [UInt8] = []

    init(_ framing: BodyFraming, _ side: WireSide) { writer = BodyWriter(framing, side) }

    /// Adds bytes that are no part of the body.
    mutating func append(unframed bytes: [UInt8]) { outgoing += bytes }

    /// Adds payload. No bytes are no part.
    mutating func append(_ payload: RawSpan) throws(WireRefusal) {
        guard payload.byteCount > 0 else { return }
        try frame { (writer, output) throws(WireRefusal) in try writer.open(payload.byteCount, into: &output) }
        payload.withUnsafeBytes { outgoing += $0 }
        try frame { (writer, output) throws(WireRefusal) in try writer.close(into: &output) }
    }

    /// Adds the end of the body.
    mutating func finish() throws(ConnectionFault) {
        do throws(WireRefusal) {
            try frame { (writer, output) throws(WireRefusal) in try writer.finish(into: &output) }
        } catch { throw .refused(Refusal(error)) }
    }

    /// Hands everything to `body`, and forgets it.
    mutating func flush(_ body: (RawSpan) throws(ConnectionFault) -> Void) throws(ConnectionFault) {
        if outgoing.isEmpty { return }
        try body(outgoing.span.bytes)
        outgoing.removeAll(keepingCapacity: true)
    }

    private mutating func frame(
        _ write: (inout BodyWriter, inout OutputSpan<UInt8>) throws(WireRefusal) -> Void
    ) throws(WireRefusal) {
        outgoing += try [UInt8](capacity: Self.framing) { (output: inout OutputSpan<UInt8>) throws(WireRefusal) in
            try write(&writer, &output)
        }
    }
}
