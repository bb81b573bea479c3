/// The names in the Connection fields of a head: fields that are meant for one connection only, and `close`.
struct ConnectionNames: Sendable {
    /// The most names, so that comparing them with all fields stays cheap.
    static let most = 32

    private(set) var names: [Range<Int>] = []
    /// True if the sender closes the connection behind this message.
    private(set) var closes = false

    /// Reads the lists of all Connection fields of a head.
    init(_ fields: [FieldLine], in bytes: RawSpan, _ side: WireSide) throws(WireRefusal) {
        for field in fields where field.known == .connection {
            var start = field.value.lowerBound
            while start <= field.value.upperBound {
                let end = bytes.first(UInt8(ascii: ","), in: start..<field.value.upperBound) ?? field.value.upperBound
                let name = bytes.trimmed(start..<end)
                start = end + 1
                // A list may have empty elements (RFC 9110, section 5.6.1).
                if name.isEmpty { continue }
                guard bytes.all(in: name, { $0.isToken }), names.count < Self.most else {
                    throw WireRefusal(side, .connectionForm)
                }
                if bytes.holds(ignoringCase: "close", at: name) { closes = true }
                names.append(name)
            }
        }
    }

    /// Returns true if the lists have the name of a field.
    func contains(_ name: Range<Int>, in bytes: RawSpan) -> Bool {
        for listed in names where bytes.agree(listed, name) { return true }
        return false
    }
}
