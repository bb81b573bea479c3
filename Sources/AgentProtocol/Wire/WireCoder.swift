internal import PlainText

/// A reader or a writer of the members of an object. One list of members serves both.
package protocol WireCoder {
    /// The error that reading can throw; `Never` for a writer.
    associatedtype Failure: Error
    /// Codes a required text.
    mutating func text(_ name: String, _ value: inout String) throws(Failure)
    /// Codes an optional text. Nil is written as null.
    mutating func textOrNull(_ name: String, _ value: inout String?) throws(Failure)
    /// Codes an optional text. Nil is left out.
    mutating func textIfSaid(_ name: String, _ value: inout String?) throws(Failure)
    /// Codes a text. An empty one is left out.
    mutating func textIfAny(_ name: String, _ value: inout String) throws(Failure)
    /// Codes a list of texts. An empty list may be left out.
    mutating func texts(_ name: String, _ value: inout [String]) throws(Failure)
    /// Codes a list of texts. An empty list is left out.
    mutating func textsIfAny(_ name: String, _ value: inout [String]) throws(Failure)
    /// Codes bytes that are no secret, as a text of hexadecimal digits.
    mutating func bytes(_ name: String, _ value: inout [UInt8]) throws(Failure)
    /// Codes one of the words of an enumeration.
    mutating func word<Word: RawRepresentable & CaseIterable>(_ name: String, _ value: inout Word) throws(Failure)
    where Word.RawValue == String
    /// Codes a Boolean value. A missing one is false.
    mutating func flag(_ name: String, _ value: inout Bool) throws(Failure)
    /// Codes a Boolean value. False is left out.
    mutating func flagIfTrue(_ name: String, _ value: inout Bool) throws(Failure)
    /// Codes an optional Boolean value. Nil is left out.
    mutating func flagIfSaid(_ name: String, _ value: inout Bool?) throws(Failure)
    /// Codes a required number.
    mutating func number<Number: FixedWidthInteger>(_ name: String, _ value: inout Number) throws(Failure)
    /// Codes an optional number. Nil is written as null.
    mutating func numberOrNull<Number: FixedWidthInteger>(_ name: String, _ value: inout Number?) throws(Failure)
    /// Codes an optional number. Nil is left out.
    mutating func numberIfSaid<Number: FixedWidthInteger>(_ name: String, _ value: inout Number?) throws(Failure)
    /// Codes an optional policy. Nil is left out.
    mutating func policyIfSaid(_ name: String, _ value: inout ItemPolicy?) throws(Failure)
    /// Codes a required policy.
    mutating func policy(_ name: String, _ value: inout ItemPolicy) throws(Failure)
    /// Codes a list of lists of texts. An empty list may be left out.
    mutating func listsOfTexts(_ name: String, _ value: inout [[String]]) throws(Failure)
    /// Codes a required object. A reader passes over members of it that it does not know.
    mutating func object<Value: WireValue>(_ name: String, _ value: inout Value) throws(Failure)
    /// Codes a list of objects. An empty list may be left out. `empty` creates an object to read into.
    mutating func objects<Value: WireValue>(
        _ name: String, _ value: inout [Value], _ empty: () -> Value
    ) throws(Failure)
    /// Codes a list of objects. An empty list is left out.
    mutating func objectsIfAny<Value: WireValue>(
        _ name: String, _ value: inout [Value], _ empty: () -> Value
    ) throws(Failure)
}

/// A value that goes over the wire as an object and lists its members once.
package protocol WireValue {
    /// Passes every member to `coder`.
    mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure)
}

extension WireValue {
    /// The object that represents the value on the wire.
    package var head: WireObject {
        var (copy, writer) = (self, MembersWriter())
        copy.describe(to: &writer)
        return writer.head
    }

    /// Reads the members from `head` and removes them.
    package mutating func read(from head: inout WireObject, isReply: Bool = false) throws(WireError) {
        var reader = MembersReader(head: head, isReply: isReply)
        defer { head = reader.head }
        try describe(to: &reader)
    }
}

/// A coder that writes members.
package struct MembersWriter: WireCoder {
    package var head = WireObject()

    package mutating func text(_ name: String, _ value: inout String) { head[name] = .string(value) }
    package mutating func textOrNull(_ name: String, _ value: inout String?) {
        head[name] = value.map { .string($0) } ?? .null
    }
    package mutating func textIfSaid(_ name: String, _ value: inout String?) { head[name] = value.map { .string($0) } }
    package mutating func textIfAny(_ name: String, _ value: inout String) {
        if !value.isEmpty { text(name, &value) }
    }
    package mutating func texts(_ name: String, _ value: inout [String]) {
        head[name] = .array(value.map { .string($0) })
    }
    package mutating func textsIfAny(_ name: String, _ value: inout [String]) {
        if !value.isEmpty { texts(name, &value) }
    }
    package mutating func bytes(_ name: String, _ value: inout [UInt8]) {
        head[name] = .string(Hexadecimal.text(value))
    }
    package mutating func word<Word: RawRepresentable & CaseIterable>(_ name: String, _ value: inout Word)
    where Word.RawValue == String { head[name] = .string(value.rawValue) }
    package mutating func flag(_ name: String, _ value: inout Bool) { head[name] = .bool(value) }
    package mutating func flagIfTrue(_ name: String, _ value: inout Bool) { if value { head[name] = .bool(true) } }
    package mutating func flagIfSaid(_ name: String, _ value: inout Bool?) { head[name] = value.map { .bool($0) } }
    package mutating func number<Number: FixedWidthInteger>(_ name: String, _ value: inout Number) {
        head[name] = .number("\(value)")
    }
    package mutating func numberOrNull<Number: FixedWidthInteger>(_ name: String, _ value: inout Number?) {
        head[name] = value.map { .number("\($0)") } ?? .null
    }
    package mutating func numberIfSaid<Number: FixedWidthInteger>(_ name: String, _ value: inout Number?) {
        head[name] = value.map { .number("\($0)") }
    }
    package mutating func policyIfSaid(_ name: String, _ value: inout ItemPolicy?) {
        head[name] = value.map { .object($0.head.fields) }
    }
    package mutating func policy(_ name: String, _ value: inout ItemPolicy) { head[name] = .object(value.head.fields) }
    package mutating func listsOfTexts(_ name: String, _ value: inout [[String]]) {
        head[name] = .array(value.map { .array($0.map { .string($0) }) })
    }
    package mutating func object<Value: WireValue>(_ name: String, _ value: inout Value) {
        head[name] = .object(value.head.fields)
    }
    package mutating func objects<Value: WireValue>(_ name: String, _ value: inout [Value], _ empty: () -> Value) {
        head[name] = .array(value.map { .object($0.head.fields) })
    }
    package mutating func objectsIfAny<Value: WireValue>(
        _ name: String, _ value: inout [Value], _ empty: () -> Value
    ) {
        if !value.isEmpty { objects(name, &value, empty) }
    }
}

/// A coder that takes the members it is asked for out of an object and leaves the rest.
package struct MembersReader: WireCoder {
    package var head: WireObject
    /// True for what an agent replies. Within it, a client passes over members and policies that it does not know.
    var isReply = false

    package mutating func text(_ name: String, _ value: inout String) throws(WireError) {
        value = try head.consumeText(name)
    }
    package mutating func textOrNull(_ name: String, _ value: inout String?) throws(WireError) {
        value = try head.consumeTextIfPresent(name)
    }
    package mutating func textIfSaid(_ name: String, _ value: inout String?) throws(WireError) {
        value = try head.consumeTextIfPresent(name)
    }
    package mutating func textIfAny(_ name: String, _ value: inout String) throws(WireError) {
        value = try head.consumeTextIfPresent(name) ?? ""
    }
    package mutating func texts(_ name: String, _ value: inout [String]) throws(WireError) {
        value = try head.consumeTexts(name)
    }
    package mutating func textsIfAny(_ name: String, _ value: inout [String]) throws(WireError) {
        try texts(name, &value)
    }
    package mutating func bytes(_ name: String, _ value: inout [UInt8]) throws(WireError) {
        guard let bytes = Hexadecimal.bytes(try head.consumeText(name)) else {
            throw .malformed("\"\(name)\" is a text of hexadecimal digits, two for each byte")
        }
        value = bytes
    }
    package mutating func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, _ value: inout Word
    ) throws(WireError) where Word.RawValue == String {
        guard let word = Word(rawValue: try head.consumeText(name)) else {
            throw .malformed(
                "\"\(name)\" is one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        value = word
    }
    package mutating func flag(_ name: String, _ value: inout Bool) throws(WireError) {
        value = try head.consumeFlag(name)
    }
    package mutating func flagIfTrue(_ name: String, _ value: inout Bool) throws(WireError) {
        value = try head.consumeFlag(name)
    }
    package mutating func flagIfSaid(_ name: String, _ value: inout Bool?) throws(WireError) {
        value = head[name] == nil ? nil : try head.consumeFlag(name)
    }
    package mutating func number<Number: FixedWidthInteger>(_ name: String, _ value: inout Number) throws(WireError) {
        value = Number(clamping: try head.consumeNumber(name))
    }
    package mutating func numberOrNull<Number: FixedWidthInteger>(
        _ name: String, _ value: inout Number?
    ) throws(WireError) {
        value = try head.consumeNumberIfPresent(name).map { Number(clamping: $0) }
    }
    package mutating func numberIfSaid<Number: FixedWidthInteger>(
        _ name: String, _ value: inout Number?
    ) throws(WireError) {
        value = try head.consumeNumberIfPresent(name).map { Number(clamping: $0) }
    }
    package mutating func policyIfSaid(_ name: String, _ value: inout ItemPolicy?) throws(WireError) {
        guard var fields = try head.consumeHeadIfPresent(name) else {
            value = nil
            return
        }
        if isReply {
            value = try? ItemPolicy(from: &fields)
            return
        }
        let policy = try ItemPolicy(from: &fields)
        try fields.end()
        value = policy
    }
    package mutating func policy(_ name: String, _ value: inout ItemPolicy) throws(WireError) {
        guard var fields = try head.consumeHeadIfPresent(name) else { throw .malformed("\"\(name)\" is missing") }
        value = try ItemPolicy(from: &fields)
    }
    package mutating func listsOfTexts(_ name: String, _ value: inout [[String]]) throws(WireError) {
        value = []
        for json in try head.consumeList(name) {
            guard case .array(let texts) = json else { throw .malformed("\"\(name)\" is a list of lists") }
            value.append(texts.compactMap { if case .string(let text) = $0 { text } else { nil } })
        }
    }
    package mutating func object<Value: WireValue>(_ name: String, _ value: inout Value) throws(WireError) {
        guard var fields = try head.consumeHeadIfPresent(name) else { throw .malformed("\"\(name)\" is missing") }
        try value.read(from: &fields, isReply: isReply)
    }
    package mutating func objects<Value: WireValue>(
        _ name: String, _ value: inout [Value], _ empty: () -> Value
    ) throws(WireError) {
        value = []
        for json in try head.consumeList(name) {
            guard var fields = WireObject(json) else { throw .malformed("\"\(name)\" is a list of objects") }
            var object = empty()
            try object.read(from: &fields, isReply: isReply)
            if !isReply { try fields.end() }
            value.append(object)
        }
    }
    package mutating func objectsIfAny<Value: WireValue>(
        _ name: String, _ value: inout [Value], _ empty: () -> Value
    ) throws(WireError) {
        try objects(name, &value, empty)
    }
}
