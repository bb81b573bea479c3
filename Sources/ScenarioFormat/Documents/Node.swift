/// A part of a document: a text, a list or a mapping, with its place.
package struct Node: Sendable {
    package enum Content: Sendable {
        /// A text; plain if it is written without quotation marks.
        case text(String, isPlain: Bool)
        case list([Node])
        /// A mapping, in the order of the file.
        case mapping([Entry])
    }

    /// A key with its value.
    package struct Entry: Sendable {
        package let key: String
        /// The place of the key.
        package let position: Position
        package var value: Node
    }

    package var content: Content
    /// The place at which the node begins.
    package let position: Position

    /// The text; nil for a list or a mapping.
    var text: String? { if case .text(let text, _) = content { text } else { nil } }
    /// The entries of a mapping; empty for anything else.
    var entries: [Entry] { if case .mapping(let entries) = content { entries } else { [] } }
    /// The elements of a list. Anything else counts as a list of one.
    var elements: [Node] { if case .list(let elements) = content { elements } else { [self] } }

    /// The value of `key` in a mapping; nil if there is none.
    subscript(key: String) -> Node? { entries.first { $0.key == key }?.value }

    /// True if the node is empty: no text, `~` or `null`.
    var isNothing: Bool {
        if case .text(let text, isPlain: true) = content {
            text.isEmpty || text == "~" || text == "null"
        } else {
            false
        }
    }
}
