internal import CYAML
internal import PlainText

/// The limits of a file. Files that people write are far smaller; the limits stop hostile ones.
package enum DocumentLimits {
    /// The most bytes of one file.
    package static let bytes = 16 << 20
    /// The most texts, lists and mappings of one file, with the target of an alias counted each time.
    package static let nodes = 2_000_000
    /// The most bytes of all texts of one file, with repetitions by aliases and tables counted each time.
    package static let text = 64 << 20
    /// The deepest nesting of lists and mappings, including those behind aliases.
    package static let depth = 32
    /// The most documents in one file.
    package static let documents = 10_000
}

/// Reads YAML, and so JSON, into nodes. YAML features that scenarios do not use are mistakes, with their place.
struct DocumentReader {
    private let file: String
    private var budget = Budget()
    private var anchors: [String: Anchor] = [:]

    /// The target of an alias; its node is nil while it is still being read.
    private struct Anchor {
        var node: Node?
        var weight = Weight()
    }

    private init(_ file: String) { self.file = file }

    /// Returns the documents of a file. At the first syntax error it stops and returns the documents before it.
    static func documents(in bytes: [UInt8], of file: String, _ mistakes: inout ScenarioErrors) -> [Node] {
        var reader = DocumentReader(file)
        var documents: [Node] = []
        do throws(ScenarioError) {
            if bytes.count > DocumentLimits.bytes {
                throw reader.mistake(1, 1, "the file is larger than \(DocumentLimits.bytes >> 20) MiB: split it")
            }
            try bytes.withUnsafeBufferPointer { bytes throws(ScenarioError) in
                var events = try EventReader(bytes, file)
                defer { events.end() }
                while let document = try reader.document(&events) {
                    if documents.count == DocumentLimits.documents {
                        throw ScenarioError(
                            position: document.position,
                            message: "the file has more than \(DocumentLimits.documents) documents: split it")
                    }
                    documents.append(document)
                }
            }
        } catch {
            mistakes.add(error.position, error.message)
        }
        return documents
    }

    private func mistake(_ line: Int, _ column: Int, _ message: String) -> ScenarioError {
        ScenarioError(position: Position(file: file, line: line, column: column), message: message)
    }

    /// Returns the next document that is not empty; nil at the end of the file.
    private mutating func document(_ events: inout EventReader) throws(ScenarioError) -> Node? {
        while true {
            let event = try events.next()
            switch event.kind {
            case .streamEnd: return nil
            case .other: continue
            default:
                anchors = [:]
                let node = try self.node(event, &events, depth: 0)
                if !node.isNothing { return node }
            }
        }
    }

    private mutating func node(
        _ event: EventReader.Event, _ events: inout EventReader, depth: Int
    ) throws(ScenarioError) -> Node {
        if depth > DocumentLimits.depth {
            throw tooDeep(event.position)
        }
        if let anchor = event.anchor { anchors[anchor] = Anchor() }
        let content: Node.Content
        switch event.kind {
        case .text(let text, let isPlain):
            try spend(Weight(nodes: 1, text: text.utf8.count), event.position)
            content = .text(text, isPlain: isPlain)
        case .alias(let name): return try alias(name, event.position, depth: depth)
        case .listStart:
            try spend(Weight(nodes: 1), event.position)
            var elements: [Node] = []
            while true {
                let next = try events.next()
                if next.kind == .listEnd { break }
                elements.append(try node(next, &events, depth: depth + 1))
            }
            content = .list(elements)
        case .mappingStart:
            try spend(Weight(nodes: 1), event.position)
            content = .mapping(try entries(&events, depth: depth + 1))
        case .listEnd, .mappingEnd, .streamEnd, .other:
            throw ScenarioError(position: event.position, message: "expected a value")
        }
        let node = Node(content: content, position: event.position)
        if let anchor = event.anchor { anchors[anchor] = Anchor(node: node, weight: node.weight) }
        return node
    }

    private mutating func entries(_ events: inout EventReader, depth: Int) throws(ScenarioError) -> [Node.Entry] {
        var entries: [Node.Entry] = []
        var known: [String: Position] = [:]
        while true {
            let event = try events.next()
            if event.kind == .mappingEnd { return entries }
            let keyNode = try node(event, &events, depth: depth)
            guard let key = keyNode.text else {
                throw ScenarioError(position: event.position, message: "a key must be a text, not a list or mapping")
            }
            if key == "<<" {
                throw ScenarioError(
                    position: event.position, message: "merge keys are not supported: declare a policy and use its name"
                )
            }
            if let former = known.updateValue(event.position, forKey: key) {
                throw ScenarioError(
                    position: event.position,
                    message: "duplicate key \"\(Terminal.word(key))\", first used in line \(former.line)")
            }
            let value = try node(try events.next(), &events, depth: depth)
            entries.append(Node.Entry(key: key, position: event.position, value: value))
        }
    }

    private mutating func alias(_ name: String, _ position: Position, depth: Int) throws(ScenarioError) -> Node {
        guard let anchor = anchors[name] else {
            throw ScenarioError(
                position: position, message: "no anchor &\(Terminal.word(name)) comes before this alias")
        }
        guard let node = anchor.node else {
            throw ScenarioError(
                position: position, message: "the alias *\(Terminal.word(name)) is inside its own anchor")
        }
        if depth + anchor.weight.depth > DocumentLimits.depth { throw tooDeep(position) }
        try spend(anchor.weight, position)
        return node
    }

    private func tooDeep(_ position: Position) -> ScenarioError {
        ScenarioError(position: position, message: "nested more than \(DocumentLimits.depth) levels deep")
    }

    private mutating func spend(_ weight: Weight, _ position: Position) throws(ScenarioError) {
        if budget.spend(weight) { return }
        throw ScenarioError(
            position: position,
            message:
                "the file holds more than \(DocumentLimits.nodes) values or \(DocumentLimits.text >> 20) MiB of text, "
                + "counting the targets of aliases: split it")
    }
}
