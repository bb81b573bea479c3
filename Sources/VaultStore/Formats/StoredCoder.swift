package import SodiumKit

/// A reader or writer of values that a vault stores sealed. One list of the fields serves both directions.
package protocol StoredCoder {
    /// The error that a reader throws; `Never` for a writer.
    associatedtype Failure: Error
    /// True for a reader.
    static var reads: Bool { get }
    /// Codes a number, little-endian.
    mutating func number<Number: FixedWidthInteger>(_ name: StaticString, _ value: inout Number) throws(Failure)
    /// Codes bytes with their length in front.
    mutating func bytes(_ name: StaticString, _ value: inout [UInt8]) throws(Failure)
    /// Codes a tag, without a length in front.
    mutating func tag(_ name: StaticString, _ value: inout Tag) throws(Failure)
    /// Codes a value field by field.
    mutating func value<Value: Stored>(_ name: StaticString, _ value: inout Value) throws(Failure)
    /// Throws if a value that was read is invalid.
    func require(_ isSound: Bool) throws(Failure)
}

/// A value that a vault stores sealed. It lists its stored properties once, in the order of the bytes.
package protocol Stored {
    /// Passes every stored property to `coder`.
    mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure)
}

extension StoredCoder {
    /// Codes a Boolean value as a byte.
    package mutating func flag(_ name: StaticString, _ value: inout Bool) throws(Failure) {
        var number: UInt8 = value ? 1 : 0
        try self.number(name, &number)
        try require(number < 2)
        value = number == 1
    }

    /// Codes a case of an enumeration by its number.
    package mutating func choice<Choice: RawRepresentable>(_ name: StaticString, _ value: inout Choice) throws(Failure)
    where Choice.RawValue == UInt8 {
        var number = value.rawValue
        try self.number(name, &number)
        let choice = Choice(rawValue: number)
        try require(choice != nil)
        value = choice ?? value
    }

    /// Codes the UTF-8 of a text with its length in front.
    package mutating func text(_ name: StaticString, _ value: inout String) throws(Failure) {
        var bytes = Array(value.utf8)
        try self.bytes(name, &bytes)
        if Self.reads { value = String(decoding: bytes, as: UTF8.self) }
    }

    /// Codes values with their count in front. A reader starts each from `blank`.
    package mutating func list<Value: Stored, Count: FixedWidthInteger>(
        _ name: StaticString, _ values: inout [Value], countedBy _: Count.Type, blank: Value
    ) throws(Failure) {
        var count = Count(values.count)
        try number(name, &count)
        if Self.reads { values = [] }
        for place in 0..<Int(count) {
            var value = Self.reads ? blank : values[place]
            try value.code(with: &self)
            if Self.reads { values.append(value) }
        }
    }
}

/// A coder that writes every field.
package struct StoredWriter: StoredCoder {
    package static let reads = false
    package private(set) var written: [UInt8] = []

    package init(reserving count: Int = 0) { written.reserveCapacity(count) }

    package mutating func number<Number: FixedWidthInteger>(_: StaticString, _ value: inout Number) {
        written.write(value)
    }
    package mutating func bytes(_: StaticString, _ value: inout [UInt8]) { written.write(value) }
    package mutating func tag(_: StaticString, _ value: inout Tag) { written.write(value) }
    package mutating func value<Value: Stored>(_: StaticString, _ value: inout Value) { value.code(with: &self) }
    package func require(_: Bool) {}
}

/// A coder that reads every field.
package struct StoredReader: StoredCoder {
    package static let reads = true
    private var reader: ByteReader

    /// Creates a reader of `bytes`, which must stay valid as long as the reader is used.
    package init(_ bytes: UnsafeRawBufferPointer) { reader = ByteReader(bytes) }

    package mutating func number<Number: FixedWidthInteger>(
        _: StaticString, _ value: inout Number
    ) throws(ByteReader.FormatError) {
        value = try reader.number()
    }
    package mutating func bytes(_: StaticString, _ value: inout [UInt8]) throws(ByteReader.FormatError) {
        value = try reader.bytes()
    }
    package mutating func tag(_: StaticString, _ value: inout Tag) throws(ByteReader.FormatError) {
        value = try reader.tag()
    }
    package mutating func value<Value: Stored>(_: StaticString, _ value: inout Value) throws(ByteReader.FormatError) {
        try value.code(with: &self)
    }
    package func require(_ isSound: Bool) throws(ByteReader.FormatError) {
        if !isSound { throw ByteReader.FormatError() }
    }
    package func requireEnd() throws(ByteReader.FormatError) { try reader.requireEnd() }
}

/// A coder that collects the names of the fields, for the test that each stored property is coded.
package struct StoredNames: StoredCoder {
    package static let reads = false
    package private(set) var all: Set<String> = []

    package init() {}

    package mutating func number<Number: FixedWidthInteger>(_ name: StaticString, _: inout Number) { note(name) }
    package mutating func bytes(_ name: StaticString, _: inout [UInt8]) { note(name) }
    package mutating func tag(_ name: StaticString, _: inout Tag) { note(name) }
    package mutating func value<Value: Stored>(_ name: StaticString, _: inout Value) { note(name) }
    package func require(_: Bool) {}

    private mutating func note(_ name: StaticString) { all.insert(name.description) }
}

extension Tag: Stored {
    package mutating func code<Coder: StoredCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.tag("tag", &self)
    }
}

/// The bytes that this version writes for a stored value. Equal bytes show that reading loses nothing.
package struct RewrittenBytes: Sendable {
    /// The bytes written for the value as it was stored.
    package let written: [UInt8]
    /// The bytes written again after reading those.
    package let again: [UInt8]

    package init(written: [UInt8], again: [UInt8]) {
        self.written = written
        self.again = again
    }
}
