internal import PlainText

/// Reads the frames of a list, straight from their text, because a vault may have very many secrets.
///
/// It understands the one spelling in which an agent writes an ``Entry``. Any other valid spelling is left to the reader
/// of ``JSON``.
package struct EntryReader {
    /// The text of a policy, with what it means.
    private var policies: [[UInt8]: ItemPolicy] = [:]
    private var last: (text: [UInt8], policy: ItemPolicy)?

    package init() {}

    /// Passes each entry of a frame to `body`. Returns false if the frame is no list in this spelling, before it passes
    /// any.
    package mutating func read(
        _ frame: [UInt8], _ body: (Entry) throws(WireError) -> Void
    ) throws(WireError) -> Bool {
        var entries: [Entry] = []
        var place = Place(bytes: frame)
        guard place.take("{\"more\":{\"items\":[") else { return false }
        repeat {
            guard place.take("{\"comment\":"), let comment = place.string(), place.take(",\"created\":"),
                let created = place.number(), place.take(",\"modified\":"), let modified = place.number(),
                place.take(",\"name\":"), let name = place.string(), place.take(",\"policy\":"),
                let text = place.flatObject(), let policy = policy(text), place.take("}")
            else { return false }
            entries.append(
                Entry(name: name, policy: policy, comment: comment, created: created, modified: modified))
        } while place.take(",")
        guard place.take("]}}"), place.isAtEnd else { return false }
        for entry in entries { try body(entry) }
        return true
    }

    private mutating func policy(_ text: ArraySlice<UInt8>) -> ItemPolicy? {
        if let last, last.text.elementsEqual(text) { return last.policy }
        let text = Array(text)
        if let known = policies[text] {
            last = (text, known)
            return known
        }
        guard let value = try? JSON(text), var head = WireObject(value), let policy = try? ItemPolicy(from: &head)
        else {
            return nil
        }
        policies[text] = policy
        last = (text, policy)
        return policy
    }
}

/// A place in the text of a frame.
private struct Place {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// Moves past `text`. Returns false, and stays, if something else follows.
    mutating func take(_ text: StaticString) -> Bool {
        let isThere = text.withUTF8Buffer { bytes[position...].starts(with: $0) }
        if isThere { position += text.utf8CodeUnitCount }
        return isThere
    }

    /// Moves past a whole number.
    mutating func number() -> Int64? {
        let start = position
        if position < bytes.count && bytes[position] == UInt8(ascii: "-") { position += 1 }
        let first = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        // Zeros in front are no JSON.
        if position - first > 1 && bytes[first] == UInt8(ascii: "0") { return nil }
        return Int64(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    /// Moves past a string, and returns its text.
    mutating func string() -> String? {
        guard take("\"") else { return nil }
        let start = position
        var hasEscapes = false
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] < 0x20 { return nil }
            if bytes[position] == UInt8(ascii: "\\") {
                hasEscapes = true
                position += 1
            }
            position += 1
        }
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        if !hasEscapes { return String(validating: bytes[start..<position], as: UTF8.self) }
        guard case .string(let text) = try? JSON(Array(bytes[(start - 1)...position])) else { return nil }
        return text
    }

    /// Moves past an object without braces in it, and returns its text.
    mutating func flatObject() -> ArraySlice<UInt8>? {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "{"),
            let end = bytes[position...].firstIndex(of: UInt8(ascii: "}"))
        else { return nil }
        defer { position = end + 1 }
        return bytes[position...end]
    }
}
