internal import SodiumKit

/// The lines of a text in guarded memory.
struct TextLines: Sequence, IteratorProtocol {
    /// A line: its place without its end, and the place of the next line.
    typealias Line = (place: Range<Int>, next: Int)

    private let ends: [Int]
    private let count: Int
    private var start = 0
    private var number = 0

    init(_ bytes: RawSpan) {
        ends = (0..<bytes.byteCount).filter { bytes.byte(at: $0) == 0x0A }
        count = bytes.byteCount
    }

    mutating func next() -> Line? {
        guard start < count else { return nil }
        let end = number < ends.count ? ends[number] : count
        let line = (place: start..<end, next: Swift.min(end + 1, count))
        number += 1
        start = line.next
        return line
    }
}

/// Fields as lines `NAME: value`, as Bitwarden writes its custom fields into one cell.
enum FieldLines {
    /// Adds the fields of these lines. A line without a name continues the value above it.
    static func add(_ bytes: RawSpan, to fields: inout [SecretField]) throws(SodiumError) {
        var found: [(title: String, value: Range<Int>)] = []
        for line in TextLines(bytes) {
            let place = line.place
            if let sign = separator(in: place, bytes), let title = bytes.extracting(place.lowerBound..<sign).text() {
                found.append((title, Swift.min(sign + 2, place.upperBound)..<place.upperBound))
            } else if let last = found.indices.last {
                found[last].value = found[last].value.lowerBound..<place.upperBound
            } else if !place.isEmpty {
                found.append(("", place))
            }
        }
        for (title, value) in found {
            let name = FieldName.free(title, unless: fields.map { $0.name })
            fields.append(SecretField(name, try SecureBytes(copying: bytes.extracting(value))))
        }
    }

    /// Returns the place of the colon after a name; nil if the line has none.
    private static func separator(in line: Range<Int>, _ bytes: RawSpan) -> Int? {
        line.first { place in
            bytes.byte(at: place) == UInt8(ascii: ":")
                && (place + 1 == line.upperBound || bytes.byte(at: place + 1) == UInt8(ascii: " "))
        }.flatMap { $0 > line.lowerBound ? $0 : nil }
    }
}

/// The text below the first line of a file of `pass`.
struct PassText: ~Copyable {
    /// The fields: a user name, a URL, a PIN, and the rest as notes.
    private(set) var fields: [SecretField] = []
    /// The URI of one-time codes; nil if there is none.
    private(set) var otp: SecureBytes?
    /// The reason why such a URI gives no code, so that its line is in the notes; nil if there is none.
    private(set) var mistake: OneTimeCodeError?

    /// The fields, each with the words that begin its line.
    private static let beginnings = [
        (FieldName.user, ["login", "user", "username"]), (FieldName.url, ["url", "website"]), ("pin", ["pin"]),
    ]

    /// Reads the text. A URI of one-time codes is only looked for if `takesCodes` is true.
    init(_ bytes: RawSpan, takesCodes: Bool) throws(SodiumError) {
        var notes = try SecureBuffer()
        for line in TextLines(bytes) {
            let isDoubled = !line.place.isEmpty && bytes.byte(at: line.place.upperBound - 1) == 0x0D
            let place = line.place.lowerBound..<line.place.upperBound - (isDoubled ? 1 : 0)
            let text = bytes.extracting(place)
            let isCode = takesCodes && hasNoCodes && text.starts(with: "otpauth://")
            let fault = isCode ? OneTimeSeed.mistake(in: text) : nil
            mistake = mistake ?? fault
            if isCode, fault == nil {
                otp = try SecureBytes(copying: text)
            } else if let (name, value) = field(in: place, bytes) {
                fields.append(SecretField(name, try SecureBytes(copying: bytes.extracting(value))))
            } else {
                try notes.append(bytes.extracting(line.place.lowerBound..<line.next))
            }
        }
        let rest = try notes.bytes()
        if rest.count > 0 { fields.append(SecretField(FieldName.notes, rest)) }
    }

    private var hasNoCodes: Bool {
        switch otp {
        case .some: false
        case .none: true
        }
    }

    /// Returns the name of the field that a line has, and the place of its contents; nil if the line is none, or another line
    /// was it.
    private func field(in line: Range<Int>, _ bytes: RawSpan) -> (String, Range<Int>)? {
        for (name, words) in Self.beginnings where !fields.contains(where: { $0.name == name }) {
            if let value = Self.value(of: words, in: line, bytes) { return (name, value) }
        }
        return nil
    }

    /// Takes the URI of one-time codes.
    mutating func takeCodes() -> SecureBytes? { otp.take() }

    /// Returns the place of what follows one of these names and a colon; nil if the line is something else, or empty there.
    private static func value(of names: [String], in line: Range<Int>, _ bytes: RawSpan) -> Range<Int>? {
        for name in names {
            let letters = Array(name.utf8)
            guard line.count > letters.count + 1, bytes.byte(at: line.lowerBound + letters.count) == UInt8(ascii: ":"),
                letters.indices.allSatisfy({ bytes.byte(at: line.lowerBound + $0) | 0x20 == letters[$0] })
            else { continue }
            var (start, end) = (line.lowerBound + letters.count + 1, line.upperBound)
            while start < end, bytes.byte(at: start) == 0x20 { start += 1 }
            while start < end, bytes.byte(at: end - 1) == 0x20 { end -= 1 }
            return start < end ? start..<end : nil
        }
        return nil
    }
}
