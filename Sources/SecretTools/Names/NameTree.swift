/// A tree of names. Folders end with a slash, which distinguishes them from secrets, even from one with the same name.
package struct NameTree: Sendable {
    private let names: [[Substring]]

    /// The characters that draw the lines.
    package enum Style: Sendable {
        /// Box-drawing characters.
        case box
        /// ASCII, for terminals without others.
        case ascii

        var signs: (branch: String, last: String, bar: String, space: String) {
            switch self {
            case .box: ("├── ", "└── ", "│   ", "    ")
            case .ascii: ("|-- ", "`-- ", "|   ", "    ")
            }
        }
    }

    /// Creates the tree of these names, in natural order.
    package init(_ names: some Sequence<SecretName>) { self.names = names.sorted().map(\.parts) }

    /// Returns the lines to print, without line ends.
    package func lines(_ style: Style = .box) -> [String] {
        var lines: [String] = []
        add(names[...], depth: 0, indent: "", style, to: &lines)
        return lines
    }

    private func add(
        _ names: ArraySlice<[Substring]>, depth: Int, indent: String, _ style: Style, to lines: inout [String]
    ) {
        let signs = style.signs
        var rest = names
        while let first = rest.first {
            let part = first[depth]
            // A secret sorts before the folder with its name, because it is shorter.
            let isSecret = first.count == depth + 1
            let end = isSecret ? rest.startIndex + 1 : rest.firstIndex { !$0[depth].utf8.elementsEqual(part.utf8) }
            let entry = rest[..<(end ?? rest.endIndex)]
            rest = rest[entry.endIndex...]
            let isTop = depth == 0
            let sign = isTop ? "" : rest.isEmpty ? signs.last : signs.branch
            lines.append(indent + sign + part + (isSecret ? "" : "/"))
            guard !isSecret else { continue }
            let below = indent + (isTop ? "" : rest.isEmpty ? signs.space : signs.bar)
            add(entry, depth: depth + 1, indent: below, style, to: &lines)
        }
    }
}
