internal import CYAML
internal import PlainText

/// A reader of YAML events with their places, on top of libyaml.
struct EventReader {
    /// The beginning or the end of a part of the file.
    struct Event {
        enum Kind: Equatable {
            case streamEnd
            case text(String, isPlain: Bool)
            case alias(String)
            case listStart, listEnd
            case mappingStart, mappingEnd
            /// An event that has no content: the beginning of the stream, and the beginning or end of a document.
            case other
        }

        let kind: Kind
        let anchor: String?
        let position: Position
    }

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let source: SourceBytes
    private var hasEnded = false

    /// Creates a reader of `bytes`, which have to stay valid as long as the reader. Call ``end()`` when you are done.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ file: String) throws(ScenarioError) {
        source = try SourceBytes(bytes, of: file)
        parser = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            throw ScenarioError(position: source.position(ofByte: 0), message: "out of memory")
        }
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    /// Frees the parser.
    mutating func end() {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// Returns the next event. Throws at text that is not YAML, and at tags.
    mutating func next() throws(ScenarioError) -> Event {
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
            if value.contains(0) {
                throw ScenarioError(position: position, message: "a text holds a NUL byte: remove it")
            }
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

    private static func tagged(_ tag: UnsafePointer<UInt8>, _ position: Position) -> ScenarioError {
        ScenarioError(
            position: position,
            message: "tags such as \(Terminal.word(String(cString: tag))) are not supported: remove the tag")
    }

    private static func text(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    private func position(_ mark: yaml_mark_t) -> Position {
        source.position(line: Int(clamping: mark.line), column: Int(clamping: mark.column))
    }

    /// Returns the error of libyaml as a message with a place.
    private func problem() -> ScenarioError {
        let parser = parser.pointee
        let problem = parser.problem.map { String(cString: $0) } ?? "unknown error"
        if parser.error == YAML_READER_ERROR {
            let value = parser.problem_value >= 0 ? " (\(hexadecimal(parser.problem_value)))" : ""
            return ScenarioError(
                position: source.position(ofByte: Int(clamping: parser.problem_offset)),
                message: "not a text file in UTF-8: \(problem)\(value)")
        }
        if parser.error == YAML_MEMORY_ERROR {
            return ScenarioError(position: position(parser.mark), message: "out of memory")
        }
        var message = problem
        if problem == "found character that cannot start any token",
            source.isTab(atCharacter: Int(clamping: parser.problem_mark.index))
        {
            message = "a tab: indent YAML with spaces"
        }
        if let words = Self.inOurWords[problem] {
            message = words
        } else if let context = parser.context {
            message += ", \(String(cString: context))"
        }
        let place = position(parser.problem_mark)
        let begin = position(parser.context_mark).line
        if parser.context != nil && begin != place.line { message += "; this part begins in line \(begin)" }
        return ScenarioError(position: place, message: "not YAML: \(message)")
    }

    /// The most frequent messages of libyaml, with their most frequent causes.
    private static let inOurWords = [
        "mapping values are not allowed in this context": """
        unexpected colon: check whether this line is indented too deep, the line before lacks a colon at its end, or a text \
        needs quotes
        """,
        "did not find expected '-' indicator": """
        expected a dash: indent the lines of a list element as deep as the text after its dash
        """,
        "did not find expected ',' or '}'": "expected a comma or a }",
        "did not find expected ',' or ']'": "expected a comma or a ]",
        "did not find expected key": "expected a key: check whether this line is indented like the one above",
    ]

    private func hexadecimal(_ value: Int32) -> String { "0x" + String(value, radix: 16, uppercase: true) }
}
