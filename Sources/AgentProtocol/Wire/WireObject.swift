package import PlainText

/// The JSON object of a frame, which is read field by field. A field that is left over is an error, so that a
/// misspelled access policy cannot go unnoticed.
package struct WireObject: Hashable, Sendable {
    package private(set) var fields: [String: JSON]

    package init(_ fields: [String: JSON] = [:]) { self.fields = fields }

    /// Creates a head from a JSON object; nil for any other value.
    package init?(_ value: JSON) {
        guard case .object(let fields) = value else { return nil }
        self.fields = fields
    }

    package init(_ bytes: [UInt8]) throws(WireError) {
        let value: JSON
        do { value = try JSON(bytes) } catch { throw .malformed("\(error.what), at byte \(error.position)") }
        guard case .object(let fields) = value else { throw .malformed("a head is an object") }
        self.fields = fields
    }

    /// The text of the object, as it goes over the wire.
    package var text: String { JSON.object(fields).text }

    package subscript(name: String) -> JSON? {
        get { fields[name] }
        set { fields[name] = newValue }
    }

    // MARK: - Taking fields

    /// Removes a text and returns it. Throws if it is missing, or is no text.
    package mutating func consumeText(_ name: String) throws(WireError) -> String {
        guard let text = try consumeTextIfPresent(name) else { throw .malformed("\"\(name)\" is missing") }
        return text
    }

    /// Removes a text and returns it; nil if it is missing or null.
    package mutating func consumeTextIfPresent(_ name: String) throws(WireError) -> String? {
        switch fields.removeValue(forKey: name) {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw .malformed("\"\(name)\" is a text")
        }
    }

    /// Removes a Boolean value and returns it; false if it is missing.
    package mutating func consumeFlag(_ name: String) throws(WireError) -> Bool {
        switch fields.removeValue(forKey: name) {
        case nil: return false
        case .bool(let flag): return flag
        default: throw .malformed("\"\(name)\" is true or false")
        }
    }

    /// Removes a whole number and returns it. Throws if it is missing.
    package mutating func consumeNumber(_ name: String) throws(WireError) -> Int64 {
        guard let number = try consumeNumberIfPresent(name) else { throw .malformed("\"\(name)\" is missing") }
        return number
    }

    /// Removes a whole number and returns it; nil if it is missing or null.
    package mutating func consumeNumberIfPresent(_ name: String) throws(WireError) -> Int64? {
        switch fields.removeValue(forKey: name) {
        case nil, .null: return nil
        case .number(let digits):
            guard let number = Int64(digits) else { throw .malformed("\"\(name)\" is a whole number") }
            return number
        default: throw .malformed("\"\(name)\" is a number")
        }
    }

    /// Removes a list of texts and returns it; an empty one if it is missing.
    package mutating func consumeTexts(_ name: String) throws(WireError) -> [String] {
        var texts: [String] = []
        for value in try consumeList(name) {
            guard case .string(let text) = value else { throw .malformed("\"\(name)\" is a list of texts") }
            texts.append(text)
        }
        return texts
    }

    /// Removes a list and returns it; an empty one if it is missing.
    package mutating func consumeList(_ name: String) throws(WireError) -> [JSON] {
        switch fields.removeValue(forKey: name) {
        case nil: return []
        case .array(let values): return values
        default: throw .malformed("\"\(name)\" is a list")
        }
    }

    /// Removes an object and returns it; nil if it is missing or null.
    package mutating func consumeHeadIfPresent(_ name: String) throws(WireError) -> WireObject? {
        switch fields.removeValue(forKey: name) {
        case nil, .null: return nil
        case .object(let fields): return WireObject(fields)
        default: throw .malformed("\"\(name)\" is an object")
        }
    }

    /// Throws if a field is left.
    package func end() throws(WireError) {
        if let name = fields.keys.min() { throw .malformed("\"\(name)\" means nothing here") }
    }
}
