/// A file of scenarios, read.
package struct ScenarioFile: Sendable {
    /// Its path, as it was named.
    package let path: String
    /// Its scenarios, each row of a table by itself; none where something is wrong.
    package let scenarios: [Scenario]
    /// What is wrong.
    package let mistakes: [Mistake]
    /// The files that it includes.
    package let includes: Set<String>

    /// Reads the file at `path`.
    package init(_ path: String) throws(FileTrouble) {
        self.init(bytes: try SourceFile.bytes(path), of: path)
    }

    /// Reads what a file of this path would hold.
    package init(bytes: [UInt8], of path: String) {
        self.path = path
        var mistakes = Mistakes()
        var scenarios: [Scenario] = []
        var includes: Set<String> = []
        for document in DocumentReader.documents(in: bytes, of: path, &mistakes) {
            scenarios += Self.scenarios(of: document, in: path, &includes, &mistakes)
        }
        self.mistakes = mistakes.all.sorted { $0.position < $1.position }
        self.includes = includes
        self.scenarios = mistakes.all.isEmpty ? scenarios : []
    }

    private static func scenarios(
        of document: Node, in path: String, _ known: inout Set<String>, _ mistakes: inout Mistakes
    ) -> [Scenario] {
        guard case .mapping = document.content else {
            mistakes.add(document.position, "a scenario is a mapping: name, device, items, steps")
            return []
        }
        var includes = Includes(of: path)
        let whole = Node(
            content: .mapping(includes.entries(of: document, in: path, &mistakes)), position: document.position)
        known.formUnion(includes.brought)
        let former = mistakes.all.count
        let table = Table(whole["for each"], &mistakes)
        let isRun = document["steps"] != nil
        if !isRun && document["name"] != nil {
            mistakes.add(document.position, "a scenario needs steps; a file of declarations has no name")
        }
        let scenarios: [Scenario] = table.rows.compactMap { row in
            var entries = whole.entries
            for index in entries.indices where entries[index].key != "for each" {
                entries[index].value = table.filled(entries[index].value, with: row, &mistakes)
            }
            let node = Node(content: .mapping(entries), position: document.position)
            // Names are looked up also where something else is wrong, so that all of it is told at once.
            let isRight = Format.scenario.check(node, &mistakes)
            var reader = ScenarioReader(node, mistakes)
            let scenario = reader.scenario(row.label(after: whole["name"]?.text ?? ""))
            mistakes = reader.mistakes
            if isRun && node["name"] == nil {
                mistakes.add(document.position, "a scenario needs a name: the sentence that it proves")
            }
            return isRun && isRight ? scenario : nil
        }
        // A name that is written wrong is told as such, and only once.
        if mistakes.all.count == former { table.requireUse(in: whole.entries, &mistakes) }
        return scenarios
    }
}
