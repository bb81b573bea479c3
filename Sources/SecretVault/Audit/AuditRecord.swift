internal import AccessPolicy

/// One line of the audit log: what was asked of which item by whom, and what came of it. Never a name or a secret.
public struct AuditRecord: Hashable, Sendable {
    /// What happened.
    public enum Kind: UInt8, CaseIterable, Sendable {
        /// A program opened the vault. Without a matching end it ended without notice, and up to a second before that is
        /// missing.
        case opened = 1
        /// It closed it.
        case closed = 2
        /// A request was granted.
        case granted = 3
        /// A request would have been, after a proof.
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
    /// Its place in the log, counted from one. Where several records became one, that of the first.
    public var place: Int64
    /// Which process it happened in: a number drawn when it opened the vault.
    public var process: UInt64
    /// What that process had recorded before.
    public var number: UInt64
    /// The item, by its identifier; for one that is not there, a keyed hash of what was looked for first. Empty where
    /// several items are counted in one record.
    public var subject: [UInt8]
    /// What was asked, or what happened, as a short word.
    public var action: String
    /// Who asked. Where several requests of a program became one record, who asked first.
    public var caller: String
    /// The rules that fired, by name.
    public var rules: [String]
    /// How often it happened.
    public var count: UInt32
    /// When, by the device's clock, in milliseconds: since 1970 for a real vault.
    public var hour: Int64
    /// When it happened for the last time.
    public var last: Int64
}

extension AuditRecord {
    /// The record of what the archive of `share` has dropped so far.
    init(_ dropped: AuditAccount.Dropped, of share: AuditShare) {
        self.init(
            kind: .dropped, place: dropped.place, process: 0, number: 0, subject: [], action: share.word, caller: "",
            rules: [], count: UInt32(clamping: dropped.times), hour: dropped.first, last: dropped.last)
    }
}
