internal import AccessPolicy
internal import PlainText

/// The values that a place of a document accepts.
///
/// One description serves three ends: it checks files, it becomes a JSON Schema for editors, and it becomes tables for people.
package indirect enum Shape: Sendable {
    /// No value: the key says everything.
    case nothing
    case text
    /// `true` or `false`.
    case truth
    /// A whole number in this range.
    case number(ClosedRange<Int>)
    /// A length of time such as `48h`, `30s` or `1h 30m`.
    case duration
    /// One of these words; `called` is the noun for their kind.
    case word(called: String, [String])
    /// Flags of an access control, such as `biometryAny or devicePasscode`.
    case flags
    /// A list of such elements. A single element counts as a list of one.
    case list(Shape)
    /// Names that the file chooses, each with such a value.
    case named(Shape)
    /// A mapping with these keys.
    case record(Record)
    /// One of these shapes: the first that fits.
    case either([Shape])
    /// A step, which may hold steps itself.
    case step
    case anything

    /// A mapping with a fixed set of keys.
    package struct Record: Sendable {
        /// The noun for the mapping, such as `a person`.
        package let name: String
        /// The keys that always fit.
        package let fields: [Field]
        /// The keys of which exactly one is needed, each with the keys that fit it.
        package let actions: [Action]
        /// The key of ``fields`` with which no action is needed; nil if there is none.
        package let standsAlone: String?
        /// The heading above the meanings of ``actions``, such as `what it does`.
        package let says: String

        package init(
            _ name: String, _ fields: [Field], actions: [Action] = [], standsAlone: String? = nil,
            says: String = "what it does"
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
        /// The meaning of the key, in one line.
        package let summary: String
        /// True if the mapping must have the key.
        package let isRequired: Bool

        package init(_ key: String, _ shape: Shape, _ summary: String, isRequired: Bool = false) {
            self.key = key
            self.shape = shape
            self.summary = summary
            self.isRequired = isRequired
        }
    }

    /// A key that decides the kind of a mapping, such as `read` in a step.
    package struct Action: Sendable {
        package let field: Field
        /// The keys that fit it, besides those of the mapping.
        package let modifiers: [Field]

        package init(_ field: Field, with modifiers: [Field] = []) {
            self.field = field
            self.modifiers = modifiers
        }
    }
}

extension Shape {
    /// Checks `node` and adds its mistakes. Returns true if there are none.
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
        mistakes.add(node.position, "expected \(inWords), found \(node.kind)")
        return false
    }

    private func checkNames(_ node: Node, _ value: Shape, _ mistakes: inout ScenarioErrors) -> Bool {
        guard case .mapping(let entries) = node.content else {
            mistakes.add(node.position, "expected \(inWords), found \(node.kind)")
            return false
        }
        return entries.map { value.check($0.value, &mistakes) }.allSatisfy { $0 }
    }

    private func checkText(_ text: String, _ node: Node, _ mistakes: inout ScenarioErrors) -> Bool {
        switch self {
        case .truth where text != "true" && text != "false":
            mistakes.add(node.position, "expected true or false, found \"\(Terminal.word(text))\"")
        case .number(let range) where Int(text).map(range.contains) != true:
            mistakes.add(
                node.position,
                "expected a whole number from \(range.lowerBound) to \(range.upperBound), found \"\(Terminal.word(text))\""
            )
        case .duration where TimeSpan(written: text) == nil:
            mistakes.add(
                node.position,
                "expected a length of time such as 30s, 5m, 48h or 1h 30m, found \"\(Terminal.word(text))\"")
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

    /// The most names of a file among which a hint is searched. Comparing more would take too long.
    static let mostHints = 300

    /// Returns the message for a word of some kind that is none of the known ones.
    static func unknown(_ kind: String, _ word: String, among known: [String]) -> String {
        "unknown \(kind) \"\(Terminal.word(word))\": \(hint(for: word, among: known))"
    }

    /// Returns the message for a key that the mapping called `name` does not have.
    static func unknownKey(_ key: String, of name: String, among known: [String]) -> String {
        "\(name) has no key \"\(Terminal.word(key))\": \(hint(for: key, among: known))"
    }

    private static func hint(for word: String, among known: [String]) -> String {
        if let nearest = nearest(to: word, among: known.prefix(mostHints)) {
            return "did you mean \(nearest)?"
        }
        if known.isEmpty { return "there are none here" }
        return known.count > 30
            ? "use one of \(known.prefix(30).joined(separator: ", ")), …" : "use \(enumerated(known))"
    }

    /// Returns true if the kind of `node` fits, whatever it holds.
    fileprivate func accepts(_ node: Node) -> Bool {
        switch (self, node.content) {
        case (.anything, _): true
        case (.step, _): Format.step.accepts(node)
        case (.nothing, _): node.isNothing
        case (.text, .text), (.truth, .text), (.number, .text), (.duration, .text), (.word, .text), (.flags, .text):
            true
        case (.list, .list): true
        case (.list(let element), .text): element.accepts(node)  // A single element counts as a list of one.
        case (.named, .mapping), (.record, .mapping): true
        case (.either(let shapes), _): shapes.contains { $0.accepts(node) }
        default: false
        }
    }

    /// The shape in words, for messages.
    fileprivate var inWords: String {
        switch self {
        case .nothing: "nothing"
        case .flags: "a set of flags"
        case .text: "a text"
        case .truth: "true or false"
        case .number: "a number"
        case .duration: "a length of time"
        case .word(let kind, _): "\(kind.startsWithVowel ? "an" : "a") \(kind)"
        case .list(let element): "a list with \(element.inWords) in each place"
        case .named: "a mapping of names"
        case .record(let record): "\(record.name) (a mapping)"
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
    /// Returns the first action that `node` has a key for.
    func action(of node: Node) -> Shape.Action? {
        node.entries.lazy.compactMap { entry in actions.first { $0.field.key == entry.key } }.first
    }

    fileprivate func check(_ node: Node, _ mistakes: inout ScenarioErrors) -> Bool {
        guard case .mapping(let entries) = node.content else {
            mistakes.add(node.position, "expected \(name) (a mapping), found \(node.kind)")
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
                    "\"\(entry.key)\" has to be \(name) of its own: this one has \"\(action.field.key)\" already")
            } else if let action, actions.contains(where: { $0.modifiers.contains { $0.key == entry.key } }) {
                mistakes.add(entry.position, "\"\(Terminal.word(entry.key))\" does not go with \"\(action.field.key)\"")
            } else {
                let words = action == nil ? known.map(\.key) + actions.map(\.field.key) : known.map(\.key)
                mistakes.add(entry.position, Shape.unknownKey(entry.key, of: name, among: words))
            }
        }
        if !actions.isEmpty && action == nil && isRight && standsAlone.map({ node[$0] == nil }) != false {
            mistakes.add(
                node.position, "\(name) needs one of these keys: \(actions.map(\.field.key).joined(separator: ", "))")
            isRight = false
        }
        for field in fields + (action?.modifiers ?? []) where field.isRequired && node[field.key] == nil {
            mistakes.add(node.position, "\(name) needs \"\(field.key)\": \(field.summary)")
            isRight = false
        }
        return isRight
    }
}
