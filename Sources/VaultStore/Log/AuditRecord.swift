internal import AccessPolicy

/// One record of the audit log: a request, the item, the caller and the decision. It never contains the name of an item
/// or a secret.
public struct AuditRecord: Hashable, Sendable {
    /// The kind of a record.
    public enum Kind: UInt8, CaseIterable, Sendable {
        /// A program opened the vault. If no `closed` record follows, the program was killed, and the records of its
        /// last second may be missing.
        case opened = 1
        /// The program closed the vault.
        case closed = 2
        /// A request was granted.
        case granted = 3
        /// A request needed authentication.
        case challenged = 4
        /// A request was denied.
        case denied = 5
        /// An event of the device or the vault happened.
        case event = 6
        /// The archive dropped older records of one share. `action` names the share, `count` is the sum of their
        /// counts, and they were recorded from `hour` to `last`.
        case dropped = 7
    }

    /// The kind of the record.
    public var kind: Kind
    /// The place in the log, counted from one. A record that stands for several has the place of the first.
    public var place: Int64
    /// A random number that stands for the process, chosen when the process opened the vault.
    public var process: UInt64
    /// The number of records that this process had written before.
    public var number: UInt64
    /// The identifier of the item. For an addition it is a keyed hash of the item's primary key, and for a miss one of the
    /// first name that the caller looked for. It is empty if the record counts several items.
    public var subject: [UInt8]
    /// The word for the request or the event.
    public var action: String
    /// The name of the caller. A record that counts several requests of a program names the first caller.
    public var caller: String
    /// The identifiers of the rules that decided, in order.
    public var rules: [String]
    /// The number of times that it happened.
    public var count: UInt32
    /// The time on the device's clock, in milliseconds; for a real vault, since 1970.
    public var hour: Int64
    /// The time of the last repeat.
    public var last: Int64
}

extension AuditRecord {
    /// Creates the record that counts what `share` has dropped so far.
    package init(_ dropped: AuditAccount.Dropped, of share: AuditShare) {
        self.init(
            kind: .dropped, place: dropped.place, process: 0, number: 0, subject: [], action: share.word, caller: "",
            rules: [], count: UInt32(clamping: dropped.times), hour: dropped.first, last: dropped.last)
    }
}
