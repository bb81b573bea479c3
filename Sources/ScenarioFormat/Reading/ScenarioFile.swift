/// A file of scenarios, read.
package struct ScenarioFile: Sendable {
    /// Its path, as it was named.
    package let path: String
    /// Its scenarios, each row of a table by itself; none where something is wrong.
    package let scenarios: [Scenario]
    /// Its documents that only declare something, for others to include; without steps.
    package let declarations: [Scenario]
    /// What is wrong.
    package let mistakes: [ScenarioError]
    /// The files that it includes.
    package let includes: Set<String>

    /// Reads the file at `path`.
    package init(_ path: String) throws(FileError) {
        self.init(bytes: try SourceFile.bytes(path), of: path)
    }

    /// Reads what a file of this path would hold.
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

/// Makes scenarios of the documents of a file.
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
            mistakes.add(document.position, "a scenario is a mapping: name, device, items, steps")
            return
        }
        let whole = Node(
            content: .mapping(includes.entries(of: document, &budget, &mistakes)), position: document.position)
        let former = mistakes.all.count
        let table = Table(whole["for each"], &mistakes)
        let isRun = document["steps"] != nil || document["claims"] != nil
        if !isRun && document["name"] != nil {
            mistakes.add(document.position, "a scenario needs steps or claims; a file of declarations has no name")
        }
        var repeated = Weight(nodes: 1)
        for entry in whole.entries where entry.key != "for each" { repeated.add(entry.value.weight) }
        if !budget.spend(repeated, times: table.rows.count) {
            let place = whole["for each"]?.position ?? document.position
            mistakes.add(
                place,
                "with what it includes and all its rows, the file holds more than \(DocumentLimits.nodes) values or "
                    + "\(DocumentLimits.text >> 20) MiB of text: split it")
            return
        }
        let said = Table.columns(namedIn: whole["name"]?.text ?? "")
        for row in table.rows where !mistakes.isFull {
            read(whole, table, row, labeled: row.label(leavingOut: said), isRun: isRun)
        }
        // A name that is written wrong is told as such, and only once.
        if mistakes.all.count == former { table.requireUse(in: whole.entries, &mistakes) }
    }

    private mutating func read(_ whole: Node, _ table: Table, _ row: Table.Row, labeled label: String, isRun: Bool) {
        var entries = whole.entries
        for index in entries.indices where entries[index].key != "for each" {
            entries[index].value = table.filled(entries[index].value, with: row, &budget, &mistakes)
        }
        let node = Node(content: .mapping(entries), position: whole.position)
        // Names are looked up also where something else is wrong, so that all of it is told at once.
        let isRight = Format.scenario.check(node, &mistakes)
        var reader = ScenarioReader(node, mistakes)
        let scenario = reader.scenario(label)
        mistakes = reader.mistakes
        if isRun && node["name"] == nil {
            mistakes.add(node.position, "a scenario needs a name: the sentence that it proves")
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
                "with this, the file plays more than \(Scenario.mostSteps) steps, what is tried again counted: split it"
            )
        }
    }
}
