import AccessPolicy
import ScenarioFormat

/// A mapping of the format, in a document of one line that has it.
struct ShapePlace: Sendable {
    let record: Shape.Record
    /// Returns the document in which the mapping has these entries, in flow style.
    let document: @Sendable (String) -> String

    /// A key of the mapping.
    struct Use {
        let field: Shape.Field
        /// The entry that has to come first: the action that the key modifies.
        let before: String
    }

    /// Every key that the mapping can have.
    var uses: [Use] {
        record.fields.map { Use(field: $0, before: "") }
            + record.actions.flatMap { action in
                [Use(field: action.field, before: "")]
                    + action.modifiers.map { Use(field: $0, before: "\(action.field.key): , ") }
            }
    }

    /// Every mapping of the format, each once. A new key of the format is among them by itself.
    static let all: [ShapePlace] = {
        var collector = Collector()
        collector.visit(Format.scenario) { $0 }
        return collector.places
    }()

    private struct Collector {
        var places: [ShapePlace] = []
        private var known: Set<[String]> = []

        mutating func visit(_ shape: Shape, _ document: @escaping @Sendable (String) -> String) {
            switch shape {
            case .record(let record):
                let keys = (record.fields + record.actions.map(\.field)).map(\.key)
                if !known.insert([record.name] + keys).inserted { return }
                let place = ShapePlace(record: record) { document("{\($0)}") }
                places.append(place)
                for use in place.uses {
                    let (before, key) = (use.before, use.field.key)
                    visit(use.field.shape) { document("{\(before)\(key): \($0)}") }
                }
            case .list(let element): visit(element, document)
            case .named(let value): visit(value) { document("{x: \($0)}") }
            case .either(let shapes): for shape in shapes { visit(shape, document) }
            // A step inside a step has the keys of any step.
            case .step: break
            case .nothing, .text, .truth, .number, .duration, .word, .flags, .anything: break
            }
        }
    }
}

/// A value of a key.
indirect enum ShapeValue: Sendable {
    case nothing
    case text(String)
    case list([ShapeValue])
    /// A mapping without entries.
    case empty
    /// A mapping with one key, which no mapping of the format has.
    case mapping(ShapeValue)

    /// The value in flow style.
    var yaml: String {
        switch self {
        case .nothing: ""
        case .text(let text): text
        case .list(let values): "[\(values.map(\.yaml).joined(separator: ", "))]"
        case .empty: "{}"
        case .mapping(let value): "{qqq: \(value.yaml)}"
        }
    }

    /// Values of every kind, each wrong in most places.
    static let strangers: [ShapeValue] = [
        .nothing, .text("x"), .text("-1"), .text("5"), .text("1.5"), .text("99999999999999999999"), .text("true"),
        .text("1h"), .text("\"\\e[31m\""), .list([]), .list([.list([])]), .list([.text("x"), .text("x")]),
        .list([.text("5"), .text("true")]), .list([.empty]), .list([.mapping(.text("x"))]), .empty, .mapping(.nothing),
        .mapping(.text("x")), .mapping(.list([.text("x")])), .mapping(.mapping(.text("x"))),
    ]
}

extension Shape {
    /// Returns true if a place of this shape takes `value`.
    ///
    /// It judges only by the cases of shapes, and shares nothing with the check of the reader.
    func takes(_ value: ShapeValue) -> Bool {
        switch (self, value) {
        case (.anything, _): true
        case (.step, _): Self.ofStep.takes(value)
        case (.either(let shapes), _): shapes.contains { $0.takes(value) }
        case (.list(let element), .list(let values)): values.allSatisfy { element.takes($0) }
        case (.list(let element), _): element.takes(value)
        case (.named, .empty): true
        case (.named(let inner), .mapping(let value)): inner.takes(value)
        case (.record(let record), .empty): record.actions.isEmpty && !record.fields.contains { $0.isRequired }
        case (.nothing, .nothing), (.text, .text), (.text, .nothing), (.flags, .nothing): true
        case (.truth, .text(let text)): text == "true" || text == "false"
        case (.number(let range), .text(let text)): Int(text).map { range.contains($0) } ?? false
        case (.duration, .text(let text)): text == "1h"
        case (.word(_, let words), .text(let text)): words.contains(text)
        case (.flags, .text(let text)): AccessControlFlags.words.contains(text)
        default: false
        }
    }

    /// The shape of a step.
    static let ofStep: Shape = {
        guard case .record(let scenario) = Format.scenario,
            case .list(let step)? = scenario.fields.first(where: { $0.key == "steps" })?.shape
        else { fatalError("a scenario has a list of steps") }
        return step
    }()

    /// The shape that complains about a text which no alternative takes, with the texts before and after that text; nil if no
    /// alternative is a text.
    var complaining: (shape: Shape, before: String, after: String)? {
        switch self {
        case .nothing, .text, .truth, .number, .duration, .word, .flags: (self, "", "")
        case .list(let element): element.complaining
        case .named(let value): value.complaining.map { ($0.shape, "{x: \($0.before)", "\($0.after)}") }
        case .either(let shapes): shapes.last { $0.isText }?.complaining
        case .step: Self.ofStep.complaining
        case .record, .anything: nil
        }
    }

    /// True if some text has this shape.
    private var isText: Bool {
        switch self {
        case .text, .truth, .number, .duration, .word, .flags, .step, .anything: true
        case .list(let element): element.isText
        case .either(let shapes): shapes.contains { $0.isText }
        case .nothing, .named, .record: false
        }
    }
}
