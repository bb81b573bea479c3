/// A scenario file that was read, with its scenarios or its mistakes.
package struct ScenarioFile: Sendable {
    /// The path of the file, as the user names it.
    package let path: String
    /// The scenarios, one for each row of a table. Empty if there is any mistake.
    package let scenarios: [Scenario]
    /// The documents that only declare something for other files to include; they have no steps.
    package let declarations: [Scenario]
    /// The mistakes, sorted by place.
    package let mistakes: [ScenarioError]
    /// The paths of the files that it includes.
    package let includes: Set<String>

    /// Reads the file at `path`.
    ///
    /// - Throws: A ``ScenarioFileError`` if the file cannot be read. Mistakes inside it are in ``mistakes``.
    package init(_ path: String) throws(ScenarioFileError) {
        self.init(bytes: try SourceFile.bytes(path), of: path)
    }

    /// Reads `bytes` as the content of a file at `path`.
    package init(bytes: [UInt8], of path: String) {
        var reader = FileReader(path)
        for document in DocumentReader.documents(in: bytes, of: path, &reader.mistakes) {
            if reader.mistakes.isFull { break }
            reader.read(document)
        }
        self.path = path
        mistakes = reader.mistakes.all.sorted { $0.position < $1.position }
        includes = reader.includes.files
        scenarios = mistakes.isEmpty ? reader.scenarios : []
        declarations = mistakes.isEmpty ? reader.declarations : []
    }
}

/// Turns the documents of a file into scenarios.
private struct FileReader {
    var scenarios: [Scenario] = []
    var declarations: [Scenario] = []
    var mistakes = ScenarioErrors()
    var includes: Includes
    private var budget = Budget()
    private var stepsToPlay = 0

    init(_ path: String) { includes = Includes(of: path) }

    mutating func read(_ document: Node) {
        guard case .mapping = document.content else {
            mistakes.add(document.position, "expected a scenario: a mapping with keys such as name, items and steps")
            return
        }
        let whole = Node(
            content: .mapping(includes.entries(of: document, &budget, &mistakes)), position: document.position)
        let former = mistakes.all.count
        let table = Table(whole["for each"], &mistakes)
        let isRun = document["steps"] != nil || document["claims"] != nil
        if !isRun && document["name"] != nil {
            mistakes.add(
                document.position,
                "a scenario needs \"steps\" or \"claims\"; remove \"name\" if this file only declares something")
        }
        var repeated = Weight(nodes: 1)
        for entry in whole.entries where entry.key != "for each" { repeated.add(entry.value.weight) }
        if !budget.spend(repeated, times: table.rows.count) {
            let place = whole["for each"]?.position ?? document.position
            mistakes.add(
                place,
                "with its rows and included files, the file holds more than \(DocumentLimits.nodes) values or "
                    + "\(DocumentLimits.text >> 20) MiB of text: split it")
            return
        }
        let said = Table.columns(namedIn: whole["name"]?.text ?? "")
        for row in table.rows where !mistakes.isFull {
            read(whole, table, row, labeled: row.label(leavingOut: said), isRun: isRun)
        }
        // A misspelled column is reported where it is used, so do not report it here as well.
        if mistakes.all.count == former { table.requireUse(in: whole.entries, &mistakes) }
    }

    private mutating func read(_ whole: Node, _ table: Table, _ row: Table.Row, labeled label: String, isRun: Bool) {
        var entries = whole.entries
        for index in entries.indices where entries[index].key != "for each" {
            entries[index].value = table.filled(entries[index].value, with: row, &budget, &mistakes)
        }
        let node = Node(content: .mapping(entries), position: whole.position)
        // Look up names even if the shape is wrong, so that one run reports every mistake.
        let isRight = Format.scenario.check(node, &mistakes)
        var reader = ScenarioReader(node, mistakes)
        let scenario = reader.scenario(label)
        mistakes = reader.mistakes
        if isRun && node["name"] == nil {
            mistakes.add(node.position, "a scenario needs \"name\": the sentence that it tests")
        }
        if !isRight { return }
        if !isRun {
            declarations.append(scenario)
            return
        }
        scenarios.append(scenario)
        stepsToPlay = min(stepsToPlay + scenario.stepsToPlay, Scenario.mostSteps + 1)
        if stepsToPlay > Scenario.mostSteps {
            mistakes.add(
                node.position,
                "with this scenario, the file plays more than \(Scenario.mostSteps) steps, counting replays: split it"
            )
        }
    }
}
