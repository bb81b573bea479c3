/// The rows of `for each`, and what a document is with one of them put in.
struct Table {
    /// More rows than this a scenario has not.
    static let limit = 10_000

    struct Row {
        var cells: [(name: String, value: Node)]

        /// What the row is called after the scenario's name, as that is written: what it says itself is left out.
        func label(after name: String) -> String {
            cells.filter { name != "$\($0.name)" && !name.contains("${\($0.name)}") }
                .map { "\($0.name): \($0.value.inShort)" }.joined(separator: ", ")
        }
    }

    /// The rows; one without cells where there is no table.
    let rows: [Row]
    private let isThere: Bool

    init(_ node: Node?, _ mistakes: inout Mistakes) {
        isThere = node != nil
        var rows = [Row(cells: [])]
        switch node?.content {
        case .none: break
        case .list(let elements):
            rows = elements.map { element in Row(cells: element.entries.map { ($0.key, $0.value) }) }
            let names = Set(rows.first?.cells.map(\.name) ?? [])
            for (row, element) in zip(rows, elements) where Set(row.cells.map(\.name)) != names {
                mistakes.add(element.position, "this row has other columns than the first")
            }
        case .mapping(let columns):
            for column in columns {
                rows = rows.prefix(Self.limit + 1).flatMap { row in
                    column.value.elements.prefix(Self.limit + 1).map { Row(cells: row.cells + [(column.key, $0)]) }
                }
            }
        case .text:
            mistakes.add(node!.position, "rows or columns belong here")
        }
        if let node {
            if rows.count > Self.limit { mistakes.add(node.position, "more than \(Self.limit) rows: split it") }
            if rows.isEmpty { mistakes.add(node.position, "a table without a row runs nothing") }
        }
        self.rows = rows.count > Self.limit ? [] : rows
    }

    /// Tells of columns that are named nowhere in `entries`: with them or without, the same is played.
    func requireUse(in entries: [Node.Entry], _ mistakes: inout Mistakes) {
        for cell in rows.first?.cells ?? [] {
            let isUsed = entries.contains { $0.key != "for each" && Self.names(cell.name, in: $0.value) }
            if isUsed { continue }
            mistakes.add(
                cell.value.position, "the column \"\(shown(cell.name))\" is used nowhere: $\(shown(cell.name)) names it"
            )
        }
    }

    private static func names(_ column: String, in node: Node) -> Bool {
        switch node.content {
        case .text(let text, _): text == "$\(column)" || text.contains("${\(column)}")
        case .list(let elements): elements.contains { names(column, in: $0) }
        case .mapping(let entries): entries.contains { names(column, in: $0.value) }
        }
    }

    /// `node` with the cells of `row` in the place of their names.
    func filled(_ node: Node, with row: Row, _ mistakes: inout Mistakes) -> Node {
        switch node.content {
        case .text(let text, let isPlain):
            if !text.utf8.contains(UInt8(ascii: "$")) { return node }
            if text.hasPrefix("$"), !text.hasPrefix("$$"), !text.hasPrefix("${") {
                return cell(String(text.dropFirst()), of: row, node.position, &mistakes) ?? node
            }
            let filled = filled(text, with: row, node.position, &mistakes)
            return Node(content: .text(filled, isPlain: isPlain), position: node.position)
        case .list(let elements):
            let filled = elements.map { self.filled($0, with: row, &mistakes) }
            return Node(content: .list(filled), position: node.position)
        case .mapping(let entries):
            let filled = entries.map { entry in
                Node.Entry(
                    key: entry.key, position: entry.position, value: self.filled(entry.value, with: row, &mistakes))
            }
            return Node(content: .mapping(filled), position: node.position)
        }
    }

    /// `$$` is a dollar sign, and `${NAME}` a cell inside of a text.
    private func filled(_ text: String, with row: Row, _ position: Position, _ mistakes: inout Mistakes) -> String {
        var filled = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            filled += rest[..<dollar]
            rest = rest[rest.index(after: dollar)...]
            if rest.first == "$" {
                filled += "$"
                rest = rest.dropFirst()
            } else if rest.first == "{", let end = rest.firstIndex(of: "}") {
                let name = String(rest[rest.index(after: rest.startIndex)..<end])
                filled += cell(name, of: row, position, &mistakes)?.inShort ?? ""
                rest = rest[rest.index(after: end)...]
            } else {
                mistakes.add(position, "a dollar sign is written $$, and a cell inside of a text ${NAME}")
            }
        }
        return filled + rest
    }

    private func cell(_ name: String, of row: Row, _ position: Position, _ mistakes: inout Mistakes) -> Node? {
        if let cell = row.cells.first(where: { $0.name == name }) { return cell.value }
        if isThere {
            mistakes.add(position, Shape.unknown("column", name, among: row.cells.map(\.name)))
        } else {
            mistakes.add(position, "$ names a column of \"for each\", and there is none: a dollar sign is written $$")
        }
        return nil
    }
}

extension Node {
    /// It in few words, for names.
    var inShort: String {
        switch content {
        case .text(let text, _): text
        case .list(let elements): elements.map(\.inShort).joined(separator: " ")
        case .mapping(let entries):
            entries.map { $0.value.isNothing ? $0.key : "\($0.key) \($0.value.inShort)" }.joined(separator: ", ")
        }
    }
}
