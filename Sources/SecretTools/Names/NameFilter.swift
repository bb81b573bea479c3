/// A filter for names: those in a folder, or those that match a pattern.
package struct NameFilter: Hashable, Sendable {
    private let pieces: [Substring]

    /// Creates a filter.
    ///
    /// An empty text matches every name. A text with `*` is a pattern for the whole name, in which `*` matches any characters, even
    /// none, and even slashes. Any other text matches the name itself, and the names in the folder of that name.
    package init(_ text: String) {
        var bytes = text.utf8[...]
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        pieces = Substring(bytes).split(separator: "*", omittingEmptySubsequences: false)
    }

    package func matches(_ name: SecretName) -> Bool {
        let text = Array(name.text.utf8)
        guard pieces.count > 1 else {
            let folder = pieces.first.map { Array($0.utf8) } ?? []
            return folder.isEmpty || text == folder || text.starts(with: folder + [UInt8(ascii: "/")])
        }
        // The first piece must be at the beginning and the last at the end. For each of the others, the first match is best.
        let first = Array(pieces[0].utf8)
        let last = Array(pieces[pieces.count - 1].utf8)
        guard text.count >= first.count + last.count, text.starts(with: first),
            text.suffix(last.count).elementsEqual(last)
        else { return false }
        var rest = text[first.count..<(text.count - last.count)]
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let found = rest.firstRange(of: Array(piece.utf8)) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }

    /// Returns true if one of `names` is in a folder of this name.
    package static func isFolder(_ text: String, among names: some Sequence<String>) -> Bool {
        let beginning = text + "/"
        return names.contains { $0.utf8.starts(with: beginning.utf8) }
    }
}
