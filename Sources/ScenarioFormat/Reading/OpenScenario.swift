/// The mistakes in a text, each with its place.
package struct ScenarioMistakes: Error, Sendable {
    /// The mistakes, sorted by place.
    package let all: [ScenarioError]

    init(_ mistakes: ScenarioErrors) { all = mistakes.all.sorted { $0.position < $1.position } }
}

/// A scenario whose steps arrive while it is played.
package struct OpenScenario: Sendable {
    /// The scenario. Its steps are those of the text that it was read from.
    package let scenario: Scenario
    /// The declarations, without steps and claims.
    private let head: Node
    /// The contexts that the steps so far have used.
    private var contexts: Set<String> = []

    /// The most steps that one text may play, with repetitions.
    package static let mostSteps = 10_000

    /// Reads the first scenario of the file at `path`, or its declarations. Of a table it takes the first row.
    ///
    /// - Throws: ``ScenarioFileError`` if the file cannot be read, and ``ScenarioMistakes`` if it has mistakes.
    package init(_ path: String) throws {
        try self.init(bytes: try SourceFile.bytes(path), of: path, isOfRequest: false)
    }

    /// Reads the first scenario of a text, or its declarations.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - path: The name of the text in its mistakes.
    ///   - isOfRequest: True if the text came in a request, so that it may declare a device and nothing else.
    package init(bytes: [UInt8], of path: String, isOfRequest: Bool) throws(ScenarioMistakes) {
        var mistakes = ScenarioErrors()
        let documents = DocumentReader.documents(in: bytes, of: path, &mistakes)
        guard let document = documents.first(where: { $0["steps"] != nil }) ?? documents.first else {
            mistakes.add(
                Position(file: path, line: 1, column: 1),
                "expected a device: a mapping with keys such as device and items")
            throw ScenarioMistakes(mistakes)
        }
        guard case .mapping = document.content else {
            mistakes.add(document.position, "expected a device: a mapping with keys such as device and items")
            throw ScenarioMistakes(mistakes)
        }
        if isOfRequest {
            for entry in document.entries where JSONSchema.notInLiveDevices.contains(entry.key) {
                mistakes.add(entry.position, "\"\(entry.key)\" does not go with a new device: leave it out")
            }
            if !mistakes.all.isEmpty { throw ScenarioMistakes(mistakes) }
        }
        var (includes, budget) = (Includes(of: path), Budget())
        let whole = includes.entries(of: document, &budget, &mistakes)
        let table = Table(whole.first { $0.key == "for each" }?.value, &mistakes)
        guard mistakes.all.isEmpty, let row = table.rows.first else { throw ScenarioMistakes(mistakes) }
        var entries = whole.filter { $0.key != "for each" }
        for place in entries.indices {
            entries[place].value = table.filled(entries[place].value, with: row, &budget, &mistakes)
        }
        let filled = Node(content: .mapping(entries), position: document.position)
        Format.scenario.check(filled, &mistakes)
        var reader = ScenarioReader(filled, mistakes)
        let scenario = reader.scenario("")
        guard reader.mistakes.all.isEmpty else { throw ScenarioMistakes(reader.mistakes) }
        let declarations = entries.filter { !["steps", "claims", "prompt budget"].contains($0.key) }
        head = Node(content: .mapping(declarations), position: document.position)
        contexts = reader.contexts
        self.scenario = scenario
    }

    /// Reads one step or a list of steps, which may use everything that the scenario declares.
    ///
    /// - Throws: ``ScenarioMistakes`` if any step is wrong. None of them counts then.
    package mutating func steps(in bytes: [UInt8], of name: String) throws(ScenarioMistakes) -> [Step] {
        var mistakes = ScenarioErrors()
        let documents = DocumentReader.documents(in: bytes, of: name, &mistakes)
        guard mistakes.all.isEmpty, let document = documents.first, documents.count == 1 else {
            if mistakes.all.isEmpty {
                mistakes.add(Position(file: name, line: 1, column: 1), "expected one step, or one list of steps")
            }
            throw ScenarioMistakes(mistakes)
        }
        for element in document.elements { Format.step.check(element, &mistakes) }
        var reader = ScenarioReader(head, mistakes)
        _ = reader.scenario("")
        reader.contexts = contexts
        let steps = document.elements.map { reader.step($0) }
        reader.requireContexts()
        for step in steps {
            for case .step(let turn) in step.expectation?.flips ?? [] {
                reader.mistakes.add(turn.position, "no step can be tried here: name a remedy or a factor")
            }
        }
        var trial = scenario
        trial.steps = steps
        if trial.stepsToPlay > Self.mostSteps {
            reader.mistakes.add(document.position, "more than \(Self.mostSteps) steps at once: send them in parts")
        }
        guard reader.mistakes.all.isEmpty else { throw ScenarioMistakes(reader.mistakes) }
        contexts = reader.contexts
        return steps
    }
}
