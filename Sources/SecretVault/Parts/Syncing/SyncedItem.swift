package import AccessPolicy
internal import SodiumKit

/// An item on its way between the devices of an account, decrypted in guarded memory.
package final class SyncedItem: Sendable {
    package let description: ItemDescription
    /// The dates of the device that sent it, in milliseconds since the first day of 2001.
    let created: Int64
    let modified: Int64
    let secret: Plaintext

    init(_ description: ItemDescription, created: Int64, modified: Int64, secret: consuming Plaintext) {
        self.description = description
        self.created = created
        self.modified = modified
        self.secret = secret
    }
}

/// A synchronizable item of a device, as its account sees it.
package struct SyncedRow: Sendable {
    /// The number of the row, which follows from the primary key.
    package let row: Int64
    /// The number of the transaction that wrote it.
    package let version: UInt64
    /// The facts that a decision depends on.
    package let item: Item
    /// The description; nil while the class key is unavailable.
    package let description: ItemDescription?
    /// The size of the secret, if it is stored apart because it is large.
    package let largeSecret: Int?

    /// The view of the item. One whose class key is unavailable counts as an app's; it moves nowhere before it can be opened.
    package var view: SyncView {
        SyncView(group: description?.group ?? "", hint: description?.attributes.text(.syncViewHint))
    }
}
