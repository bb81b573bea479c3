internal import PlainText

/// The rows of `for each`, which fill the cells of a document.
struct Table {
    /// The most rows of a table.
    static let limit = 10_000

    static let columnLimit = 100

    /// A row, as cells by the names of their columns.
    struct Row {
        var cells: [(name: String, value: Node)]

        /// Returns the label that follows the scenario's name, without the columns that the name itself holds.
        func label(leavingOut said: Set<String>) -> String {
            cells.filter { !said.contains($0.name) }.map { "\($0.name): \($0.value.inShort)" }.joined(separator: ", ")
        }
    }

    /// The rows. Without a table there is one row without cells.
    let rows: [Row]
    private let isThere: Bool

    init(_ node: Node?, _ mistakes: inout ScenarioErrors) {
        isThere = node != nil
        guard let node else {
            rows = [Row(cells: [])]
            return
        }
        let rows: [Row]
        switch node.content {
        case .list(let elements): rows = Self.rows(of: elements, node.position, &mistakes)
        case .mapping(let columns): rows = Self.combined(columns, node.position, &mistakes)
        case .text:
            mistakes.add(node.position, "expected a list of rows, or a mapping of columns")
            rows = []
        }
        self.rows = rows
    }

    private static func rows(of elements: [Node], _ position: Position, _ mistakes: inout ScenarioErrors) -> [Row] {
        if elements.count > limit {
            mistakes.add(elements[limit].position, "more than \(limit) rows: split the table")
            return []
        }
        if elements.isEmpty { mistakes.add(position, "a table needs at least one row") }
        let rows = elements.map { element in Row(cells: element.entries.map { ($0.key, $0.value) }) }
        let names = Set(rows.first?.cells.map(\.name) ?? [])
        for (row, element) in zip(rows, elements) {
            if Set(row.cells.map(\.name)) != names {
                mistakes.add(element.position, "this row does not have the same columns as the first")
            }
            if row.cells.count > columnLimit {
                mistakes.add(element.position, "more than \(columnLimit) columns: split the table")
            }
        }
        return rows.allSatisfy { $0.cells.count <= columnLimit } ? rows : []
    }

    /// Returns a row for each combination of cells. The last column changes fastest.
    private static func combined(
        _ columns: [Node.Entry], _ position: Position, _ mistakes: inout ScenarioErrors
    ) -> [Row] {
        if columns.count > columnLimit {
            mistakes.add(columns[columnLimit].position, "more than \(columnLimit) columns: split the table")
            return []
        }
        var count = 1
        for column in columns {
            count *= column.value.elements.count
            if count > limit {
                mistakes.add(position, "more than \(limit) rows: split the table")
                return []
            }
        }
        if count == 0 { mistakes.add(position, "a table needs at least one row") }
        var rows = [Row(cells: [])]
        for column in columns {
            rows = rows.flatMap { row in
                column.value.elements.map { Row(cells: row.cells + [(column.key, $0)]) }
            }
        }
        return rows
    }

    // MARK: - Cells

    /// Reports columns that `entries` never use, since such a column changes nothing.
    func requireUse(in entries: [Node.Entry], _ mistakes: inout ScenarioErrors) {
        var named: Set<String> = []
        for entry in entries where entry.key != "for each" { Self.addColumns(namedIn: entry.value, to: &named) }
        for cell in rows.first?.cells ?? [] where !named.contains(cell.name) {
            let name = Terminal.word(cell.name)
            mistakes.add(
                cell.value.position,
                "the column \"\(name)\" is never used: write $\(name) where its cell belongs, or remove it")
        }
    }

    private static func addColumns(namedIn node: Node, to named: inout Set<String>) {
        switch node.content {
        case .text(let text, _):
            if text.utf8.contains(UInt8(ascii: "$")) { named.formUnion(columns(namedIn: text)) }
        case .list(let elements): for element in elements { addColumns(namedIn: element, to: &named) }
        case .mapping(let entries): for entry in entries { addColumns(namedIn: entry.value, to: &named) }
        }
    }

    /// Returns `node` with the names of columns replaced by the cells of `row`.
    func filled(_ node: Node, with row: Row, _ budget: inout Budget, _ mistakes: inout ScenarioErrors) -> Node {
        changed(node, row, &budget, &mistakes) ?? node
    }

    /// Returns the filled node; nil if it names no column, so that all rows share one copy.
    private func changed(
        _ node: Node, _ row: Row, _ budget: inout Budget, _ mistakes: inout ScenarioErrors
    ) -> Node? {
        switch node.content {
        case .text(let text, let isPlain):
            if !text.utf8.contains(UInt8(ascii: "$")) { return nil }
            if let name = Self.wholeCell(text) { return cell(name, of: row, node.position, &budget, &mistakes) }
            let filled = filled(text, with: row, node.position, &budget, &mistakes)
            return Node(content: .text(filled, isPlain: isPlain), position: node.position)
        case .list(var elements):
            var isChanged = false
            for place in elements.indices {
                guard let filled = changed(elements[place], row, &budget, &mistakes) else { continue }
                elements[place] = filled
                isChanged = true
            }
            return isChanged ? Node(content: .list(elements), position: node.position) : nil
        case .mapping(var entries):
            var isChanged = false
            for place in entries.indices {
                guard let filled = changed(entries[place].value, row, &budget, &mistakes) else { continue }
                entries[place].value = filled
                isChanged = true
            }
            return isChanged ? Node(content: .mapping(entries), position: node.position) : nil
        }
    }

    /// Returns the column of a text that is a whole cell, `$NAME`; nil for any other text.
    private static func wholeCell(_ text: String) -> String? {
        guard text.hasPrefix("$"), !text.hasPrefix("$$"), !text.hasPrefix("${") else { return nil }
        return String(text.dropFirst())
    }

    static func columns(namedIn text: String) -> Set<String> {
        if let name = wholeCell(text) { return [name] }
        var names: Set<String> = []
        parse(text) { if case .cell(let name) = $0 { names.insert(name) } }
        return names
    }

    private enum Part {
        case words(Substring)
        case cell(String)
        case loneDollar
    }

    /// Calls `body` for each part of a text: `$$` is a dollar sign, and `${NAME}` a cell.
    private static func parse(_ text: String, _ body: (Part) -> Void) {
        var rest = text.utf8[...]
        let lastBrace = rest.lastIndex(of: UInt8(ascii: "}"))
        while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
            if dollar > rest.startIndex { body(.words(text[rest.startIndex..<dollar])) }
            rest = rest[rest.index(after: dollar)...]
            if rest.first == UInt8(ascii: "$") {
                body(.words("$"))
                rest = rest.dropFirst()
            } else if rest.first == UInt8(ascii: "{"), let lastBrace, rest.startIndex < lastBrace,
                let end = rest.firstIndex(of: UInt8(ascii: "}"))
            {
                body(.cell(String(text[rest.index(after: rest.startIndex)..<end])))
                rest = rest[rest.index(after: end)...]
            } else {
                body(.loneDollar)
            }
        }
        body(.words(text[rest.startIndex...]))
    }

    private func filled(
        _ text: String, with row: Row, _ position: Position, _ budget: inout Budget, _ mistakes: inout ScenarioErrors
    ) -> String {
        var filled = ""
        Self.parse(text) { part in
            switch part {
            case .words(let words): filled += words
            case .cell(let name): filled += cell(name, of: row, position, &budget, &mistakes)?.inShort ?? ""
            case .loneDollar:
                mistakes.add(position, "a lone $: write $$ for a dollar sign, or ${NAME} for a cell inside a text")
            }
        }
        return filled
    }

    private func cell(
        _ name: String, of row: Row, _ position: Position, _ budget: inout Budget, _ mistakes: inout ScenarioErrors
    ) -> Node? {
        guard let cell = row.cells.first(where: { $0.name == name }) else {
            mistakes.add(
                position,
                isThere
                    ? Shape.unknown("column", name, among: row.cells.map(\.name))
                    : "$ names a column of \"for each\", which this scenario lacks: write $$ for a dollar sign")
            return nil
        }
        if budget.spend(cell.value.weight) { return cell.value }
        mistakes.add(position, "with this cell, the file holds too many values or too much text: split it")
        return nil
    }
}

extension Node {
    /// The node in a few words, for names of scenarios and steps.
    var inShort: String {
        switch content {
        case .text(let text, _): text
        case .list(let elements): elements.map(\.inShort).joined(separator: " ")
        case .mapping(let entries):
            entries.map { $0.value.isNothing ? $0.key : "\($0.key) \($0.value.inShort)" }.joined(separator: ", ")
        }
    }
}
