internal import SodiumKit

/// A page of records, which is sealed as a whole. Fields that several records share are stored once.
struct AuditPage {
    /// The fields that several records of a page share.
    struct Shape: Hashable {
        var kind: AuditRecord.Kind
        var process: UInt64
        var action: String
        var caller: String
        var rules: [String]
    }

    /// One record.
    struct Line {
        /// The index of its shape in the page.
        var shape: Int
        var place: Int64
        var number: UInt64
        var subject: Tag?
        var count: UInt32
        var hour: Int64
        var last: Int64
    }

    private(set) var shapes: [Shape] = []
    var lines: [Line] = []
    private var known: [Shape: Int] = [:]
    /// The approximate size of the page in bytes.
    private(set) var size = 0

    /// The size from which a page is full.
    static let full = 8 * 1024
    /// The first byte of a page: the number of its format.
    private static let format: UInt8 = 1

    var isFull: Bool { size >= Self.full }

    var first: Int64 { lines.first?.place ?? 0 }

    /// Returns the index of `shape` in the page, and adds it if it is new.
    mutating func shape(_ shape: Shape) -> Int {
        if let place = known[shape] { return place }
        shapes.append(shape)
        known[shape] = shapes.count - 1
        size += 32 + shape.action.utf8.count + shape.caller.utf8.count
        size += shape.rules.reduce(0) { $0 + 4 + $1.utf8.count }
        return shapes.count - 1
    }

    mutating func add(_ line: Line) {
        lines.append(line)
        size += 55
    }

    /// The records with all their fields.
    var records: [AuditRecord] {
        lines.map { line in
            let shape = shapes[line.shape]
            return AuditRecord(
                kind: shape.kind, place: line.place, process: shape.process, number: line.number,
                subject: line.subject.map { $0.withBytes { bytes in bytes.withUnsafeBytes { [UInt8]($0) } } } ?? [],
                action: shape.action, caller: shape.caller, rules: shape.rules, count: line.count, hour: line.hour,
                last: line.last)
        }
    }

    // MARK: - Bytes

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        bytes.write(Self.format)
        bytes.write(UInt16(shapes.count))
        for shape in shapes {
            bytes.write(shape.kind.rawValue)
            bytes.write(shape.process)
            bytes.write(text: shape.action)
            bytes.write(text: shape.caller)
            bytes.write(UInt8(shape.rules.count))
            for rule in shape.rules { bytes.write(text: rule) }
        }
        for line in lines {
            bytes.write(UInt16(line.shape))
            bytes.write(line.place)
            bytes.write(line.number)
            bytes.write(line.subject == nil ? 0 : 1 as UInt8)
            bytes.write(line.subject ?? .none)
            bytes.write(line.count)
            bytes.write(line.hour)
            bytes.write(line.last)
        }
        return bytes
    }

    init() {}

    /// Reads a page whose first record has the place `first`.
    init(decoding bytes: UnsafeRawBufferPointer, first: Int64) throws {
        var reader = ByteReader(bytes)
        guard try reader.number() == Self.format else { throw ByteReader.FormatError() }
        for _ in 0..<(try reader.number(UInt16.self)) {
            shapes.append(
                Shape(
                    kind: try reader.choice(), process: try reader.number(), action: try reader.text(),
                    caller: try reader.text(), rules: try Self.rules(from: &reader)))
        }
        while !reader.isAtEnd {
            let shape = Int(try reader.number(UInt16.self))
            let (place, number): (Int64, UInt64) = (try reader.number(), try reader.number())
            let hasSubject = try reader.bool()
            let subject = try reader.tag()
            guard shapes.indices.contains(shape) else { throw ByteReader.FormatError() }
            lines.append(
                Line(
                    shape: shape, place: place, number: number, subject: hasSubject ? subject : nil,
                    count: try reader.number(), hour: try reader.number(), last: try reader.number()))
        }
        guard self.first == first else { throw ByteReader.FormatError() }
    }

    private static func rules(from reader: inout ByteReader) throws -> [String] {
        var rules: [String] = []
        for _ in 0..<(try reader.number(UInt8.self)) { rules.append(try reader.text()) }
        return rules
    }
}

extension ByteReader {
    /// Reads a text with its length in front.
    fileprivate mutating func text() throws(FormatError) -> String { String(decoding: try slice(), as: UTF8.self) }
}

/// The repeats of the records of a page since it was written, by the index of the record in the page.
struct AuditRepeats {
    struct Repeat {
        var count: UInt32
        var last: Int64
    }

    private(set) var all: [UInt16: Repeat] = [:]

    mutating func add(_ repeated: Repeat, to line: UInt16) {
        var sum = all[line] ?? Repeat(count: 0, last: repeated.last)
        sum.count = UInt32(clamping: UInt64(sum.count) + UInt64(repeated.count))
        sum.last = max(sum.last, repeated.last)
        all[line] = sum
    }

    /// Adds them to the records of their page.
    func add(to page: inout AuditPage) throws {
        for (line, repeated) in all {
            guard page.lines.indices.contains(Int(line)) else { throw ByteReader.FormatError() }
            let sum = UInt64(page.lines[Int(line)].count) + UInt64(repeated.count)
            page.lines[Int(line)].count = UInt32(clamping: sum)
            page.lines[Int(line)].last = max(page.lines[Int(line)].last, repeated.last)
        }
    }

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for (line, repeated) in all.sorted(by: { $0.key < $1.key }) {
            bytes.write(line)
            bytes.write(repeated.count)
            bytes.write(repeated.last)
        }
        return bytes
    }

    init() {}

    init(decoding bytes: UnsafeRawBufferPointer) throws {
        var reader = ByteReader(bytes)
        while !reader.isAtEnd {
            let line: UInt16 = try reader.number()
            all[line] = Repeat(count: try reader.number(), last: try reader.number())
        }
    }
}
