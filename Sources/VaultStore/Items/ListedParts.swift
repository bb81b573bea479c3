/// The attributes of which a list shows the text.
package struct ListedParts: Sendable {
    /// The attribute that names the item.
    package let name: [UInt8]
    /// The attribute with the comment; nil to leave it out.
    package let comment: [UInt8]?

    /// Creates the parts: the attribute that names the item, and the one with the comment.
    package init(name: AttributeName, comment: AttributeName?) {
        self.name = Array(name.rawValue.utf8)
        self.comment = comment.map { Array($0.rawValue.utf8) }
    }
}
