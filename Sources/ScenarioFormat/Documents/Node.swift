/// A part of a document: a text, a list or a mapping, with where it stands.
package struct Node: Sendable {
    /// What it is.
    package enum Content: Sendable {
        /// A text; plain where it is written without quotes.
        case text(String, isPlain: Bool)
        /// A list.
        case list([Node])
        /// A mapping, in the order in which it is written.
        case mapping([Entry])
    }

    /// A key with its value.
    package struct Entry: Sendable {
        /// The key.
        package let key: String
        /// Where the key stands.
        package let position: Position
        /// The value.
        package var value: Node
    }

    /// What it is.
    package var content: Content
    /// Where it begins.
    package let position: Position

    /// The text, where it is one.
    var text: String? { if case .text(let text, _) = content { text } else { nil } }
    /// The entries, where it is a mapping; none otherwise.
    var entries: [Entry] { if case .mapping(let entries) = content { entries } else { [] } }
    /// The elements of a list. What is no list stands for a list of itself.
    var elements: [Node] { if case .list(let elements) = content { elements } else { [self] } }

    /// The value under `key` of a mapping.
    subscript(key: String) -> Node? { entries.first { $0.key == key }?.value }

    /// True if nothing is written there.
    var isNothing: Bool {
        if case .text(let text, isPlain: true) = content {
            text.isEmpty || text == "~" || text == "null"
        } else {
            false
        }
    }
}
