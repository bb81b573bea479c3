internal import SodiumKit

/// An item that is locked up, as its row will have it.
struct SealedItem {
    let row: Int64
    let id: ItemIdentifier
    let itemClass: ItemClass
    let version: UInt64
    /// Header, wraps, and a secret that is short enough to lie in the row.
    let record: [UInt8]
    let tag: Tag
    let attributes: [UInt8]
    let columns: [(IndexColumn, Tag)]
    /// The secret. An item without one has an empty box: its header says which of the two it is.
    let secret: [UInt8]

    /// True if the secret does not lie in the row.
    var isSecretApart: Bool { secret.count - Box.overhead > SecretSize.inRow }
}
