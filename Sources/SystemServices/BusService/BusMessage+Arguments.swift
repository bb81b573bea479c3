internal import CSystemd
internal import Glibc
internal import LinuxSystem

extension BusError {
    /// The number of the error that a value is not possible.
    package static let invalid = EINVAL
    /// The number of the error that no memory is left.
    package static let noMemory = ENOMEM
}

/// The largest list of texts by name that a reader accepts.
package struct TextLimits: Sendable {
    /// The largest number of texts.
    package var count: Int
    /// The length of the longest name, and of the longest text, in bytes.
    package var longest: Int
    /// The largest number of bytes of all names and texts.
    package var total: Int

    package init(count: Int, longest: Int, total: Int) {
        (self.count, self.longest, self.total) = (count, longest, total)
    }
}

/// Reading the arguments of a call, one after the other. Each function throws ``BusError`` if the next argument has another type or
/// is damaged, and those with a limit throw ``BusError/tooLarge`` as soon as they have read that much. Those with a `body` also
/// throw its errors.
extension BusMessage {
    /// The types of all arguments, as D-Bus writes them.
    package var signature: String { sd_bus_message_get_signature(raw, 1).map { String(cString: $0) } ?? "" }
    /// The name of the method or the signal.
    package var member: String { sd_bus_message_get_member(raw).map { String(cString: $0) } ?? "" }
    /// The interface of the method or the signal; nil if a caller names none.
    package var interface: String? { sd_bus_message_get_interface(raw).map { String(cString: $0) } }
    var isCall: Bool { sd_bus_message_is_method_call(raw, nil, nil) > 0 }

    /// Has the bytes of the message wiped when it is freed.
    package func wipeWhenFreed() { sd_bus_message_sensitive(raw) }

    package func readPaths(atMost limit: Int) throws(BusError) -> [String] {
        var paths: [String] = []
        try enter("a", "o")
        while try hasNext {
            guard paths.count < limit else { throw BusError(code: BusError.tooLarge) }
            paths.append(try readText())
        }
        try leave()
        return paths
    }

    package func readTextsByName(_ limits: TextLimits) throws(BusError) -> [String: String] {
        var texts: [String: String] = [:]
        var (count, total) = (0, 0)
        try enter("a", "{ss}")
        while try hasNext {
            try enter("e", "ss")
            let name = try readText(atMost: limits.longest)
            let text = try readText(atMost: limits.longest)
            try leave()
            // A name can come twice, so the dictionary does not tell how much was read.
            count += 1
            total += name.utf8.count + text.utf8.count
            guard count <= limits.count, total <= limits.total else { throw BusError(code: BusError.tooLarge) }
            texts[name] = text
        }
        try leave()
        return texts
    }

    /// Reads at most `limit` properties. For each, `body` gets the name and the type of the value, and returns true if
    /// it has read it.
    package func readProperties(
        atMost limit: Int = 64, _ body: (_ name: String, _ type: String) throws -> Bool
    ) throws {
        var count = 0
        try enter("a", "{sv}")
        while try hasNext {
            count += 1
            guard count <= limit else { throw BusError(code: BusError.tooLarge) }
            try enter("e", "sv")
            let name = try readText()
            let type = try typeOfVariant()
            try enter("v", type)
            if try !body(name, type) { try BusError.check(sd_bus_message_skip(raw, type)) }
            try leave()
            try leave()
        }
        try leave()
    }

    /// Reads a variant, whose content `body` reads by its type.
    package func readVariant<Value>(_ body: (_ type: String) throws -> Value) throws -> Value {
        let type = try typeOfVariant()
        try enter("v", type)
        let value = try body(type)
        try leave()
        return value
    }

    /// Reads a structure, whose fields `body` reads.
    package func readStructure<Value>(_ types: String, _ body: () throws -> Value) throws -> Value {
        try enter("r", types)
        let value = try body()
        try leave()
        return value
    }

    /// Reads an array of bytes, and wipes them in the message.
    package func takeBytes<Value>(_ body: (RawSpan) throws -> Value) throws -> Value {
        var start: UnsafeRawPointer?
        var count = 0
        guard try BusError.check(sd_bus_message_read_array(raw, CChar(UInt8(ascii: "y")), &start, &count)) >= 0 else {
            throw BusError(code: EBADMSG)
        }
        guard let start, count > 0 else { return try body(RawSpan()) }
        let bytes = UnsafeRawBufferPointer(start: start, count: count)
        defer { explicit_bzero(UnsafeMutableRawPointer(mutating: start), count) }
        return try body(bytes.bytes)
    }

    /// Reads an array of at most `limit` bytes that are no secret.
    package func readBytes(atMost limit: Int) throws -> [UInt8] {
        try takeBytes { bytes in
            guard bytes.byteCount <= limit else { throw BusError(code: BusError.tooLarge) }
            return bytes.withUnsafeBytes { Array($0) }
        }
    }

    private func typeOfVariant() throws(BusError) -> String {
        var kind: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard try BusError.check(sd_bus_message_peek_type(raw, &kind, &contents)) > 0, kind == CChar(UInt8(ascii: "v")),
            let contents
        else { throw BusError(code: EBADMSG) }
        return String(cString: contents)
    }
}
