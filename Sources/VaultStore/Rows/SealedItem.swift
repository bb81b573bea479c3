package import SodiumKit

/// An encrypted item, in the form that its row stores.
package struct SealedItem {
    package let row: Int64
    package let id: ItemIdentifier
    package let itemClass: ItemClass
    package let version: UInt64
    /// Header, wraps and tag. The box of the secret follows in the row if it is short enough.
    package let record: [UInt8]
    package let tag: Tag
    package let attributes: [UInt8]
    package let columns: [(IndexColumn, Tag)]
    /// The box of the secret. An item without a secret has a box of nothing, and its header has no secret bit.
    package let secret: [UInt8]

    package init(
        row: Int64, id: ItemIdentifier, itemClass: ItemClass, version: UInt64, record: [UInt8], tag: Tag,
        attributes: [UInt8], columns: [(IndexColumn, Tag)], secret: [UInt8]
    ) {
        self.row = row
        self.id = id
        self.itemClass = itemClass
        self.version = version
        self.record = record
        self.tag = tag
        self.attributes = attributes
        self.columns = columns
        self.secret = secret
    }

    /// True if the secret is too large for the row and is stored apart.
    package var isSecretApart: Bool { secret.count - Box.overhead > SecretSize.inRow }
}
