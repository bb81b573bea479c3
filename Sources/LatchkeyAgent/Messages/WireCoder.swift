internal import PlainText

/// Reads the members of an object or writes them: one list of them serves both ends of the wire.
package protocol WireCoder {
    /// The error of reading; `Never` for a writer.
    associatedtype Failure: Error
    /// Codes a text that has to be there.
    mutating func text(_ name: String, _ value: inout String) throws(Failure)
    /// Codes a text. None is written as null.
    mutating func textOrNull(_ name: String, _ value: inout String?) throws(Failure)
    /// Codes a text. None is left out.
    mutating func textIfSaid(_ name: String, _ value: inout String?) throws(Failure)
    /// Codes a list of texts. A list that is left out is empty.
    mutating func texts(_ name: String, _ value: inout [String]) throws(Failure)
    /// Codes one of several words.
    mutating func word<Word: RawRepresentable & CaseIterable>(_ name: String, _ value: inout Word) throws(Failure)
    where Word.RawValue == String
    /// Codes a truth value. One that is left out is false.
    mutating func flag(_ name: String, _ value: inout Bool) throws(Failure)
    /// Codes a truth value. False is left out.
    mutating func flagIfTrue(_ name: String, _ value: inout Bool) throws(Failure)
    /// Codes a truth value. None is left out.
    mutating func flagIfSaid(_ name: String, _ value: inout Bool?) throws(Failure)
    /// Codes a number that has to be there.
    mutating func number<Number: FixedWidthInteger>(_ name: String, _ value: inout Number) throws(Failure)
    /// Codes a number. None is written as null.
    mutating func numberOrNull<Number: FixedWidthInteger>(_ name: String, _ value: inout Number?) throws(Failure)
    /// Codes a number. None is left out.
    mutating func numberIfSaid<Number: FixedWidthInteger>(_ name: String, _ value: inout Number?) throws(Failure)
    /// Codes a policy. None is left out.
    mutating func policyIfSaid(_ name: String, _ value: inout ItemPolicy?) throws(Failure)
}

/// Something that goes over the wire as an object, with its members in one list.
package protocol WireValue {
    /// Hands every member to `coder`.
    mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure)
}

extension WireValue {
    /// The value as it goes over the wire.
    package var head: Head {
        var (copy, writer) = (self, HeadWriter())
        copy.describe(to: &writer)
        return writer.head
    }

    /// Takes the members of the value out of `head`.
    mutating func read(from head: inout Head) throws(WireError) {
        var reader = HeadReader(head: head)
        defer { head = reader.head }
        try describe(to: &reader)
    }
}

/// Writes members.
struct HeadWriter: WireCoder {
    var head = Head()

    mutating func text(_ name: String, _ value: inout String) { head[name] = .string(value) }
    mutating func textOrNull(_ name: String, _ value: inout String?) {
        head[name] = value.map { .string($0) } ?? .null
    }
    mutating func textIfSaid(_ name: String, _ value: inout String?) { head[name] = value.map { .string($0) } }
    mutating func texts(_ name: String, _ value: inout [String]) { head[name] = .array(value.map { .string($0) }) }
    mutating func word<Word: RawRepresentable & CaseIterable>(_ name: String, _ value: inout Word)
    where Word.RawValue == String { head[name] = .string(value.rawValue) }
    mutating func flag(_ name: String, _ value: inout Bool) { head[name] = .bool(value) }
    mutating func flagIfTrue(_ name: String, _ value: inout Bool) { if value { head[name] = .bool(true) } }
    mutating func flagIfSaid(_ name: String, _ value: inout Bool?) { head[name] = value.map { .bool($0) } }
    mutating func number<Number: FixedWidthInteger>(_ name: String, _ value: inout Number) {
        head[name] = .number("\(value)")
    }
    mutating func numberOrNull<Number: FixedWidthInteger>(_ name: String, _ value: inout Number?) {
        head[name] = value.map { .number("\($0)") } ?? .null
    }
    mutating func numberIfSaid<Number: FixedWidthInteger>(_ name: String, _ value: inout Number?) {
        head[name] = value.map { .number("\($0)") }
    }
    mutating func policyIfSaid(_ name: String, _ value: inout ItemPolicy?) {
        head[name] = value.map { .object($0.head.fields) }
    }
}

/// Takes members out, and leaves what it was not asked for.
struct HeadReader: WireCoder {
    var head: Head

    mutating func text(_ name: String, _ value: inout String) throws(WireError) { value = try head.consumeText(name) }
    mutating func textOrNull(_ name: String, _ value: inout String?) throws(WireError) {
        value = try head.consumeTextIfPresent(name)
    }
    mutating func textIfSaid(_ name: String, _ value: inout String?) throws(WireError) {
        value = try head.consumeTextIfPresent(name)
    }
    mutating func texts(_ name: String, _ value: inout [String]) throws(WireError) {
        value = try head.consumeTexts(name)
    }
    mutating func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, _ value: inout Word
    ) throws(WireError) where Word.RawValue == String {
        guard let word = Word(rawValue: try head.consumeText(name)) else {
            throw .malformed(
                "\"\(name)\" is one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        value = word
    }
    mutating func flag(_ name: String, _ value: inout Bool) throws(WireError) { value = try head.consumeFlag(name) }
    mutating func flagIfTrue(_ name: String, _ value: inout Bool) throws(WireError) {
        value = try head.consumeFlag(name)
    }
    mutating func flagIfSaid(_ name: String, _ value: inout Bool?) throws(WireError) {
        value = head[name] == nil ? nil : try head.consumeFlag(name)
    }
    mutating func number<Number: FixedWidthInteger>(_ name: String, _ value: inout Number) throws(WireError) {
        value = Number(clamping: try head.consumeNumber(name))
    }
    mutating func numberOrNull<Number: FixedWidthInteger>(
        _ name: String, _ value: inout Number?
    ) throws(WireError) {
        value = try head.consumeNumberIfPresent(name).map { Number(clamping: $0) }
    }
    mutating func numberIfSaid<Number: FixedWidthInteger>(
        _ name: String, _ value: inout Number?
    ) throws(WireError) {
        value = try head.consumeNumberIfPresent(name).map { Number(clamping: $0) }
    }
    mutating func policyIfSaid(_ name: String, _ value: inout ItemPolicy?) throws(WireError) {
        guard var fields = try head.consumeHeadIfPresent(name) else {
            value = nil
            return
        }
        let policy = try ItemPolicy(from: &fields)
        try fields.end()
        value = policy
    }
}
