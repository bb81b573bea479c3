internal import CYAML
internal import PlainText

/// How much a file may hold. Whoever writes scenarios never comes near; what comes near is no scenario.
package enum DocumentLimits {
    /// Bytes of one file.
    package static let bytes = 16 << 20
    /// Texts, lists and mappings of one file, what aliases stand for counted each time.
    package static let nodes = 2_000_000
    /// Bytes of all texts of one file, what aliases and tables repeat counted each time.
    package static let text = 64 << 20
    /// Lists and mappings inside each other, those that aliases stand for too.
    package static let depth = 32
    /// Documents in one file.
    package static let documents = 10_000
}

/// Reads YAML (and so JSON) into nodes. Everything that a document has no use for is a mistake, with its place.
struct DocumentReader {
    private let file: String
    private var budget = Budget()
    private var anchors: [String: Anchor] = [:]

    /// What an alias stands for; nothing yet while that is still being read.
    private struct Anchor {
        var node: Node?
        var weight = Weight()
    }

    private init(_ file: String) { self.file = file }

    /// The documents of a file. At the first thing that is no YAML it ends, with what came before.
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

    /// The next document that holds something.
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
            throw ScenarioError(position: event.position, message: "something is missing here")
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
                throw ScenarioError(position: event.position, message: "a key has to be a text")
            }
            if key == "<<" {
                throw ScenarioError(
                    position: event.position, message: "mappings are not merged here: declare a policy, and name it")
            }
            if let former = known.updateValue(event.position, forKey: key) {
                throw ScenarioError(
                    position: event.position,
                    message: "\"\(Terminal.word(key))\" stands here already, in line \(former.line)")
            }
            let value = try node(try events.next(), &events, depth: depth)
            entries.append(Node.Entry(key: key, position: event.position, value: value))
        }
    }

    private mutating func alias(_ name: String, _ position: Position, depth: Int) throws(ScenarioError) -> Node {
        guard let anchor = anchors[name] else {
            throw ScenarioError(position: position, message: "there is no anchor &\(Terminal.word(name)) before this")
        }
        guard let node = anchor.node else {
            throw ScenarioError(
                position: position, message: "*\(Terminal.word(name)) stands inside of what it stands for")
        }
        if depth + anchor.weight.depth > DocumentLimits.depth { throw tooDeep(position) }
        try spend(anchor.weight, position)
        return node
    }

    private func tooDeep(_ position: Position) -> ScenarioError {
        ScenarioError(position: position, message: "more than \(DocumentLimits.depth) levels deep: nothing here is")
    }

    private mutating func spend(_ weight: Weight, _ position: Position) throws(ScenarioError) {
        if budget.spend(weight) { return }
        throw ScenarioError(
            position: position,
            message:
                "the file holds more than \(DocumentLimits.nodes) values or \(DocumentLimits.text >> 20) MiB of text, "
                + "or its aliases stand for them: split it")
    }
}
