internal import AccessPolicy
internal import PlainText

/// What may stand in a place of a document. One description checks files, tells editors (as a JSON Schema) and people.
package indirect enum Shape: Sendable {
    /// Nothing: the key says everything.
    case nothing
    /// Any text.
    case text
    /// `true` or `false`.
    case truth
    /// A whole number of this range.
    case number(ClosedRange<Int>)
    /// A length of time such as `48h`, `30s` or `1h 30m`.
    case duration
    /// One of these words; `called` says of what kind they are.
    case word(called: String, [String])
    /// Flags of an access control, such as `biometryAny or devicePasscode`.
    case flags
    /// A list of such elements. One of them by itself stands for a list of one.
    case list(Shape)
    /// Names that the file chooses, each with such a value.
    case named(Shape)
    /// A mapping with these keys.
    case record(Record)
    /// One of these: the first that fits.
    case either([Shape])
    /// A step, which may hold steps itself.
    case step
    /// Anything at all.
    case anything

    /// A mapping whose keys are known.
    package struct Record: Sendable {
        /// What it describes, such as `a person`.
        package let name: String
        /// Its keys.
        package let fields: [Field]
        /// Keys of which exactly one has to be there, each with those that go along with it.
        package let actions: [Action]
        /// A key of ``fields`` that may stand there without any action.
        package let standsAlone: String?
        /// What a key of ``actions`` says.
        package let says: String

        package init(
            _ name: String, _ fields: [Field], actions: [Action] = [], standsAlone: String? = nil,
            says: String = "what is done"
        ) {
            self.name = name
            self.fields = fields
            self.actions = actions
            self.standsAlone = standsAlone
            self.says = says
        }
    }

    /// A key of a mapping.
    package struct Field: Sendable {
        package let key: String
        package let shape: Shape
        /// What it says, in a line.
        package let summary: String
        package let isRequired: Bool

        package init(_ key: String, _ shape: Shape, _ summary: String, isRequired: Bool = false) {
            self.key = key
            self.shape = shape
            self.summary = summary
            self.isRequired = isRequired
        }
    }

    /// A key that says what a mapping is about.
    package struct Action: Sendable {
        package let field: Field
        /// The keys that may go along, besides those of the mapping.
        package let modifiers: [Field]

        package init(_ field: Field, with modifiers: [Field] = []) {
            self.field = field
            self.modifiers = modifiers
        }
    }
}

extension Shape {
    /// Looks at `node`, and adds what is wrong with it. Whether nothing is.
    @discardableResult
    func check(_ node: Node, _ mistakes: inout ScenarioErrors) -> Bool {
        switch self {
        case .anything: return true
        case .step: return Format.step.check(node, &mistakes)
        case .list(let element): return node.elements.map { element.check($0, &mistakes) }.allSatisfy { $0 }
        case .named(let value): return checkNames(node, value, &mistakes)
        case .record(let record): return record.check(node, &mistakes)
        case .either(let shapes):
            let fitting = shapes.filter { $0.accepts(node) }
            if fitting.count > 1 {
                for shape in fitting {
                    var ignored = ScenarioErrors()
                    if shape.check(node, &ignored) { return true }
                }
            }
            if let shape = fitting.last { return shape.check(node, &mistakes) }
        case .nothing: if node.isNothing { return true }
        case .text, .truth, .number, .duration, .word, .flags:
            if let text = node.text { return checkText(text, node, &mistakes) }
        }
        mistakes.add(node.position, "\(inWords) belongs here, and this is \(node.kind)")
        return false
    }

    private func checkNames(_ node: Node, _ value: Shape, _ mistakes: inout ScenarioErrors) -> Bool {
        guard case .mapping(let entries) = node.content else {
            mistakes.add(node.position, "\(inWords) belongs here, and this is \(node.kind)")
            return false
        }
        return entries.map { value.check($0.value, &mistakes) }.allSatisfy { $0 }
    }

    private func checkText(_ text: String, _ node: Node, _ mistakes: inout ScenarioErrors) -> Bool {
        switch self {
        case .truth where text != "true" && text != "false":
            mistakes.add(node.position, "true or false belongs here, and this is \"\(Terminal.word(text))\"")
        case .number(let range) where Int(text).map(range.contains) != true:
            mistakes.add(
                node.position,
                "a whole number from \(range.lowerBound) to \(range.upperBound) belongs here, and this is \"\(Terminal.word(text))\""
            )
        case .duration where TimeSpan(written: text) == nil:
            mistakes.add(
                node.position,
                "a length of time such as 30s, 5m, 48h or 1h 30m belongs here, and this is \"\(Terminal.word(text))\"")
        case .word(let kind, let words) where Vocabulary.spelling(of: text, in: words) == nil:
            mistakes.add(node.position, Self.unknown(kind, text, among: words))
        case .flags:
            let unknown = AccessControlFlags.unknownWords(in: text)
            for word in unknown {
                mistakes.add(node.position, Self.unknown("flag", word, among: AccessControlFlags.words))
            }
            return unknown.isEmpty
        default: return true
        }
        return false
    }

    /// Names of a file, among which the one is looked for that was meant.
    static let mostHints = 300

    /// What is said of a word that is none of those known.
    static func unknown(_ kind: String, _ word: String, among known: [String]) -> String {
        let hint: String
        if let nearest = nearest(to: word, among: known.prefix(mostHints)) {
            hint = "did you mean \(nearest)?"
        } else if known.isEmpty {
            hint = "there is none here"
        } else {
            hint = "there are \(known.prefix(30).joined(separator: ", "))\(known.count > 30 ? ", …" : "")"
        }
        return "no \(kind) \"\(Terminal.word(word))\": \(hint)"
    }

    /// Returns true if `node` is of the kind that this is about.
    fileprivate func accepts(_ node: Node) -> Bool {
        switch (self, node.content) {
        case (.anything, _): true
        case (.step, _): Format.step.accepts(node)
        case (.nothing, _): node.isNothing
        case (.text, .text), (.truth, .text), (.number, .text), (.duration, .text), (.word, .text), (.flags, .text):
            true
        case (.list, .list): true
        case (.list(let element), .text): element.accepts(node)  // one of them by itself
        case (.named, .mapping), (.record, .mapping): true
        case (.either(let shapes), _): shapes.contains { $0.accepts(node) }
        default: false
        }
    }

    /// What belongs there, in words.
    fileprivate var inWords: String {
        switch self {
        case .nothing: "nothing"
        case .flags: "a set of flags"
        case .text: "a text"
        case .truth: "true or false"
        case .number: "a number"
        case .duration: "a length of time"
        case .word(let kind, _): "\(kind.startsWithVowel ? "an" : "a") \(kind)"
        case .list(let element): "a list, each of it \(element.inWords),"
        case .named: "a mapping of names"
        case .record(let record): "\(record.name), which is a mapping,"
        case .either(let shapes): shapes.map(\.inWords).joined(separator: ", or ")
        case .step: "a step"
        case .anything: "anything"
        }
    }
}

extension String {
    fileprivate var startsWithVowel: Bool { first.map { "aeiouAEIOU".contains($0) } ?? false }
}

extension Node {
    fileprivate var kind: String {
        if isNothing { return "nothing" }
        return switch content {
        case .text(let text, _): "\"\(Terminal.word(text))\""
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }
}

extension Shape.Record {
    /// The action that `node` is about.
    func action(of node: Node) -> Shape.Action? {
        node.entries.lazy.compactMap { entry in actions.first { $0.field.key == entry.key } }.first
    }

    fileprivate func check(_ node: Node, _ mistakes: inout ScenarioErrors) -> Bool {
        guard case .mapping(let entries) = node.content else {
            mistakes.add(node.position, "\(name), which is a mapping, belongs here, and this is \(node.kind)")
            return false
        }
        var isRight = true
        let action = action(of: node)
        let actionKeys = Set(actions.map(\.field.key))
        let known = fields + (action.map { [$0.field] + $0.modifiers } ?? [])
        for entry in entries {
            if let field = known.first(where: { $0.key == entry.key }) {
                isRight = field.shape.check(entry.value, &mistakes) && isRight
                continue
            }
            isRight = false
            if let action, actionKeys.contains(entry.key) {
                mistakes.add(
                    entry.position,
                    "\"\(entry.key)\" is \(name) of its own: this one is about \"\(action.field.key)\" already")
            } else if let action, actions.contains(where: { $0.modifiers.contains { $0.key == entry.key } }) {
                mistakes.add(entry.position, "\"\(Terminal.word(entry.key))\" does not go with \"\(action.field.key)\"")
            } else {
                let words = action == nil ? known.map(\.key) + actions.map(\.field.key) : known.map(\.key)
                mistakes.add(entry.position, Shape.unknown("key of \(name) is", entry.key, among: words))
            }
        }
        if !actions.isEmpty && action == nil && isRight && standsAlone.map({ node[$0] == nil }) != false {
            mistakes.add(
                node.position, "\(name) says \(says): \(actions.map(\.field.key).joined(separator: ", "))")
            isRight = false
        }
        for field in fields where field.isRequired && node[field.key] == nil {
            mistakes.add(node.position, "\(name) needs \"\(field.key)\": \(field.summary)")
            isRight = false
        }
        return isRight
    }
}
