/// A place of a row.
package enum RowPlace: Sendable {
    /// The row of this number.
    case row(Int64)
    /// The row of the item with this identifier.
    case id(ItemIdentifier)
}

/// A set of rows.
package enum RowTable: Sendable {
    /// The rows of the items.
    case items
    /// The rows of deleted items whose deletion can be undone.
    case setAside
}

/// The parts of a row that a caller wants.
package struct RowParts: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let record = RowParts(rawValue: 1)
    package static let attributes = RowParts(rawValue: 2)
    /// The sealed secret, if it is stored apart from the record.
    package static let secret = RowParts(rawValue: 4)
    package static let all: RowParts = [.record, .attributes, .secret]
}

/// The owner of the memory that a lease shows.
package protocol RowOwner: AnyObject {
    /// Ends the lease. The memory may have other contents afterwards.
    func endLease()
}

/// A row that was found. Its bytes lie in the memory of the store, and are valid until the lease ends: use them in a function
/// that borrows it.
///
/// Every read passes here from one module to another, so it has no closure and nothing generic.
package struct RowLease: ~Copyable {
    package let row: Int64
    /// Header, wraps, tag, and a short secret; nil if it is missing or was not wanted.
    package let record: UnsafeRawBufferPointer?
    /// The sealed attributes; nil if they are missing or were not wanted.
    package let attributes: UnsafeRawBufferPointer?
    /// The sealed secret; nil if it is not stored apart or was not wanted.
    package let secret: UnsafeRawBufferPointer?
    /// The date of the deletion; nil for a row of the items.
    package let date: Int64?
    /// The owner of the memory; nil if the caller of a function that lends the lease keeps it.
    private let owner: (any RowOwner)?

    package init(
        row: Int64, record: UnsafeRawBufferPointer?, attributes: UnsafeRawBufferPointer?,
        secret: UnsafeRawBufferPointer?, date: Int64?, of owner: (any RowOwner)?
    ) {
        self.row = row
        self.record = record
        self.attributes = attributes
        self.secret = secret
        self.date = date
        self.owner = owner
    }

    deinit { owner?.endLease() }

    /// Ends the lease now.
    package consuming func end() {}
}
