internal import CYAML

/// libyaml, as a reader of events with places.
struct EventReader {
    struct Event {
        enum Kind: Equatable {
            case streamEnd
            case text(String, isPlain: Bool)
            case alias(String)
            case listStart, listEnd
            case mappingStart, mappingEnd
            /// The beginning of the stream; the beginning or the end of a document.
            case other
        }

        let kind: Kind
        let anchor: String?
        let position: Position
    }

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeBufferPointer<UInt8>
    private let file: String
    private var hasEnded = false

    /// Reads `bytes`, which have to last as long as this.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ file: String) throws(Mistake) {
        self.bytes = bytes
        self.file = file
        try Self.requireReadable(bytes, file)
        parser = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            throw Mistake(position: Position(file: file, line: 1, column: 1), message: "no memory to read it")
        }
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    /// Throws what libyaml would take, and nobody means: it reads UTF-16 too, and compares every %TAG with all before it.
    private static func requireReadable(_ bytes: UnsafeBufferPointer<UInt8>, _ file: String) throws(Mistake) {
        let start = Position(file: file, line: 1, column: 1)
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw Mistake(position: start, message: "this is UTF-16: save it as UTF-8")
        }
        var line = 1
        for place in bytes.indices {
            if bytes[place] == UInt8(ascii: "\n") { line += 1 }
            if bytes[place] == UInt8(ascii: "%"), bytes[place...].starts(with: "%TAG".utf8) {
                // What is no letter of ASCII before it may end a line.
                if place > 0 && (0x20...0x7E).contains(bytes[place - 1]) { continue }
                throw Mistake(
                    position: Position(file: file, line: line, column: 1), message: "tags mean nothing here: leave it out")
            }
        }
    }

    mutating func end() {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    mutating func next() throws(Mistake) -> Event {
        if hasEnded { return Event(kind: .streamEnd, anchor: nil, position: position(parser.pointee.mark)) }
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw problem() }
        defer { yaml_event_delete(&event) }
        let position = position(event.start_mark)
        switch event.type {
        case YAML_STREAM_END_EVENT:
            hasEnded = true
            return Event(kind: .streamEnd, anchor: nil, position: position)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            if let tag = scalar.tag, scalar.style == YAML_PLAIN_SCALAR_STYLE || tag.pointee != 0 {
                throw Self.tagged(tag, position)
            }
            let value = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            if value.contains(0) { throw Mistake(position: position, message: "a NUL byte in a text: take it out") }
            let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            let text = String(decoding: value, as: UTF8.self)
            return Event(kind: .text(text, isPlain: isPlain), anchor: Self.text(scalar.anchor), position: position)
        case YAML_ALIAS_EVENT:
            let name = Self.text(event.data.alias.anchor) ?? ""
            return Event(kind: .alias(name), anchor: nil, position: position)
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            if let tag = start.tag { throw Self.tagged(tag, position) }
            return Event(kind: .listStart, anchor: Self.text(start.anchor), position: position)
        case YAML_MAPPING_START_EVENT:
            let start = event.data.mapping_start
            if let tag = start.tag { throw Self.tagged(tag, position) }
            return Event(kind: .mappingStart, anchor: Self.text(start.anchor), position: position)
        case YAML_SEQUENCE_END_EVENT: return Event(kind: .listEnd, anchor: nil, position: position)
        case YAML_MAPPING_END_EVENT: return Event(kind: .mappingEnd, anchor: nil, position: position)
        default: return Event(kind: .other, anchor: nil, position: position)
        }
    }

    private static func tagged(_ tag: UnsafePointer<UInt8>, _ position: Position) -> Mistake {
        Mistake(
            position: position, message: "tags such as \(shown(String(cString: tag))) mean nothing here: leave it out")
    }

    private static func text(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    private func position(_ mark: yaml_mark_t) -> Position {
        Position(file: file, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    /// What libyaml has against it, in a sentence with a place.
    private func problem() -> Mistake {
        let parser = parser.pointee
        let problem = parser.problem.map { String(cString: $0) } ?? "something is wrong"
        if parser.error == YAML_READER_ERROR {
            let value = parser.problem_value >= 0 ? " (\(hexadecimal(parser.problem_value)))" : ""
            return Mistake(
                position: position(ofByte: Int(clamping: parser.problem_offset)),
                message: "not a text file in UTF-8: \(problem)\(value)")
        }
        if parser.error == YAML_MEMORY_ERROR {
            return Mistake(position: position(parser.mark), message: "no memory to read it")
        }
        var message = problem
        if problem == "found character that cannot start any token", isTab(at: parser.problem_mark)
        {
            message = "a tab: YAML is indented by spaces"
        }
        if problem == "mapping values are not allowed in this context" {
            message = "a colon where none may be: perhaps the line before lacks one at its end, or a text its quotes"
        }
        if let context = parser.context { message += ", \(String(cString: context))" }
        return Mistake(position: position(parser.problem_mark), message: "not YAML: \(message)")
    }

    /// The place of a byte: lines end as those of YAML do, and what is no character of UTF-8 counts by its bytes.
    private func position(ofByte offset: Int) -> Position {
        let before = String(decoding: bytes[..<min(offset, bytes.count)], as: UTF8.self).unicodeScalars
        var (line, column) = (1, 1)
        var former: Unicode.Scalar?
        for scalar in before {
            switch scalar {
            case "\n" where former == "\r": break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": (line, column) = (line + 1, 1)
            case "\u{FEFF}" where former == nil: break
            default: column += 1
            }
            former = scalar
        }
        return Position(file: file, line: line, column: column)
    }

    /// Whether the character there, counted as libyaml does, is a tab.
    private func isTab(at mark: yaml_mark_t) -> Bool {
        // A mark counts characters: those are the bytes that continue none.
        var left = Int(clamping: mark.index)
        for byte in bytes where byte & 0xC0 != 0x80 {
            if left == 0 { return byte == UInt8(ascii: "\t") }
            left -= 1
        }
        return false
    }

    private func hexadecimal(_ value: Int32) -> String { "0x" + String(value, radix: 16, uppercase: true) }
}
