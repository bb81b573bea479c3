internal import CSystemd

/// A value of a property, or of a signal.
package enum BusValue: Hashable, Sendable {
    case text(String)
    /// The path of an object.
    case path(String)
    case flag(Bool)
    case number(UInt32)
    /// A number of 64 bits, such as a time.
    case large(UInt64)
    /// The paths of objects.
    case paths([String])
    case texts([String: String])

    /// The type, as D-Bus writes it.
    package var type: String {
        switch self {
        case .text: "s"
        case .path: "o"
        case .flag: "b"
        case .number: "u"
        case .large: "t"
        case .paths: "ao"
        case .texts: "a{ss}"
        }
    }
}

/// A message that is written, from its beginning to its end.
package final class BusWriter {
    private let message: BusMessage
    private var raw: OpaquePointer { message.raw }

    init(_ message: BusMessage) { self.message = message }

    /// Appends a value.
    ///
    /// - Throws: ``BusError`` if the message cannot have it, such as a text that ends early or a path that is none.
    package func append(_ value: BusValue) throws(BusError) {
        switch value {
        case .text(let text): try appendBasic("s", text)
        case .path(let path): try appendBasic("o", path)
        case .flag(let flag): try appendBasic("b", Int32(flag ? 1 : 0))
        case .number(let number): try appendBasic("u", number)
        case .large(let number): try appendBasic("t", number)
        case .paths(let paths):
            try open("a", "o")
            for path in paths { try appendBasic("o", path) }
            try close()
        case .texts(let texts):
            try open("a", "{ss}")
            for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
                try open("e", "ss")
                try appendBasic("s", name)
                try appendBasic("s", text)
                try close()
            }
            try close()
        }
    }

    package func append(bytes: RawSpan) throws(BusError) {
        let code = bytes.withUnsafeBytes { bytes in
            sd_bus_message_append_array(raw, CChar(UInt8(ascii: "y")), bytes.baseAddress, bytes.count)
        }
        try BusError.check(code)
    }

    /// Appends an array of bytes that are no secret.
    package func append(bytes: [UInt8]) throws(BusError) { try append(bytes: bytes.span.bytes) }

    package func append(variant value: BusValue) throws(BusError) {
        try open("v", value.type)
        try append(value)
        try close()
    }

    /// Appends a variant, whose content `body` appends.
    package func variant(of type: String, _ body: () throws -> Void) throws { try inContainer("v", type, body) }

    /// Appends an array, whose elements `body` appends.
    package func array(of type: String, _ body: () throws -> Void) throws { try inContainer("a", type, body) }

    /// Appends a structure, whose fields `body` appends.
    package func structure(of types: String, _ body: () throws -> Void) throws { try inContainer("r", types, body) }

    /// Appends an entry of a dictionary, whose name and value `body` appends.
    package func entry(of types: String, _ body: () throws -> Void) throws { try inContainer("e", types, body) }

    package func append(properties: [(name: String, value: BusValue)]) throws(BusError) {
        try open("a", "{sv}")
        for (name, value) in properties {
            try open("e", "sv")
            try appendBasic("s", name)
            try append(variant: value)
            try close()
        }
        try close()
    }

    package func append(list: [String]) throws(BusError) {
        try open("a", "s")
        for text in list { try appendBasic("s", text) }
        try close()
    }

    private func inContainer(_ kind: Unicode.Scalar, _ types: String, _ body: () throws -> Void) throws {
        try open(kind, types)
        try body()
        try close()
    }

    /// Opens a container, whose content is appended next.
    private func open(_ kind: Unicode.Scalar, _ types: String) throws(BusError) {
        try BusError.check(sd_bus_message_open_container(raw, CChar(UInt8(ascii: kind)), types))
    }

    /// Closes the container that was opened last.
    private func close() throws(BusError) { try BusError.check(sd_bus_message_close_container(raw)) }

    private func appendBasic(_ type: Unicode.Scalar, _ text: String) throws(BusError) {
        // C would take a text up to its first zero, and so another text.
        guard !text.utf8.contains(0) else { throw BusError(code: BusError.invalid) }
        try BusError.check(sd_bus_message_append_basic(raw, CChar(UInt8(ascii: type)), text))
    }

    private func appendBasic<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Unicode.Scalar, _ number: Number)
        throws(BusError)
    {
        var number = number
        try BusError.check(sd_bus_message_append_basic(raw, CChar(UInt8(ascii: type)), &number))
    }
}
