internal import AccessPolicy

/// One record of the audit log: a request, the item, the caller and the decision. It never has a name or a secret.
public struct AuditRecord: Hashable, Sendable {
    /// The kind of a record.
    public enum Kind: UInt8, CaseIterable, Sendable {
        /// A program opened the vault. If no closing follows, the program was killed, and up to a second of records before
        /// that is missing.
        case opened = 1
        /// The program closed the vault.
        case closed = 2
        /// A request was granted.
        case granted = 3
        /// A request needed authentication.
        case challenged = 4
        /// A request was denied.
        case denied = 5
        /// Something happened to the device.
        case event = 6
        /// The archive made room: older records of one share are gone. The action names the share, `count` says how often
        /// something was recorded in them, and `hour` and `last` say between which moments.
        case dropped = 7
    }

    /// What happened.
    public var kind: Kind
    /// The place in the log, counted from one. If several records became one, it is that of the first.
    public var place: Int64
    /// The process, as a random number that it chose when it opened the vault.
    public var process: UInt64
    /// The number of records that this process had written before.
    public var number: UInt64
    /// The identifier of the item. For a miss it is a keyed hash of the first name that was looked for. It is empty if the
    /// record counts several items.
    public var subject: [UInt8]
    /// The request or the event, as a short word.
    public var action: String
    /// The caller. If the record counts several requests of a program, it is the first caller.
    public var caller: String
    /// The identifiers of the rules that fired.
    public var rules: [String]
    /// The number of times that it happened.
    public var count: UInt32
    /// The time by the device's clock, in milliseconds: since 1970 for a real vault.
    public var hour: Int64
    /// The time of the last repeat.
    public var last: Int64
}

extension AuditRecord {
    /// Creates the record that says what `share` has dropped so far.
    init(_ dropped: AuditAccount.Dropped, of share: AuditShare) {
        self.init(
            kind: .dropped, place: dropped.place, process: 0, number: 0, subject: [], action: share.word, caller: "",
            rules: [], count: UInt32(clamping: dropped.times), hour: dropped.first, last: dropped.last)
    }
}
