internal import SodiumKit

/// An encrypted item, in the form that its row stores.
struct SealedItem {
    let row: Int64
    let id: ItemIdentifier
    let itemClass: ItemClass
    let version: UInt64
    /// Header, wraps and tag. The box of the secret follows in the row if it is short enough.
    let record: [UInt8]
    let tag: Tag
    let attributes: [UInt8]
    let columns: [(IndexColumn, Tag)]
    /// The box of the secret. An item without a secret has a box of nothing, and its header has no secret bit.
    let secret: [UInt8]

    /// True if the secret is too large for the row and is stored apart.
    var isSecretApart: Bool { secret.count - Box.overhead > SecretSize.inRow }
}
