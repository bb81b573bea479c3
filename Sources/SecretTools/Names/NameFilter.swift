/// Which names are meant: those in a folder, or those that a pattern fits.
package struct NameFilter: Hashable, Sendable {
    private let pieces: [Substring]

    /// Everything where `text` is empty. Where it has a `*`, the names that fit as a whole, `*` standing for any characters, also
    /// none and also slashes; else the name itself and what lies below it.
    package init(_ text: String) {
        var text = text[...]
        while text.last == "/" { text.removeLast() }
        pieces = text.split(separator: "*", omittingEmptySubsequences: false)
    }

    /// Returns true if this name is meant.
    package func matches(_ name: SecretName) -> Bool {
        let text = Array(name.text.utf8)
        guard pieces.count > 1 else {
            let folder = pieces.first.map { Array($0.utf8) } ?? []
            return folder.isEmpty || text == folder || text.starts(with: folder + [UInt8(ascii: "/")])
        }
        // The first piece has to stand in front and the last one at the end; each of the others where it first fits.
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
}
