/// A fault that verifying a vault has found.
public enum VerifyFinding: Hashable, Sendable, CustomStringConvertible {
    /// SQLite itself finds the file inconsistent.
    case structure(String)
    /// A row differs from what the vault wrote.
    case damaged(row: Int64, String)
    /// A row is older than it should be, or was exchanged.
    case changed(row: Int64)
    /// A row is missing.
    case missing(row: Int64)
    /// A row is there that the vault did not write.
    case added(row: Int64)
    /// Several rows are missing, older or added, and cannot be distinguished.
    case several(expected: UInt64, found: UInt64)
    /// A row holds a secret whose item is missing.
    case strayedSecret(row: Int64)
    /// The deleted items that can be brought back are not those that the vault set aside.
    case removed
    /// Another program has changed the settings without the passcode, and the vault has put the owner's back.
    case settings
    /// The sealed account of all items is damaged.
    case ledger
    /// The database has recorded fewer commits than the device.
    case older(database: UInt64, device: UInt64)
    /// The live part of the audit log is damaged from this record on.
    case audit(Int64)
    /// A part of the audit log's archive is damaged from this record on.
    case archive(String, Int64)
    /// A part of the audit log was damaged between these records, and the log has dropped them since to make room.
    case lost(String, first: Int64, last: Int64)

    /// The fault, in words.
    public var description: String {
        switch self {
        case .structure(let message): "the database: \(message)"
        case .damaged(let row, let what): "row \(row): \(what)"
        case .changed(let row): "row \(row): this is not the version that the vault wrote last"
        case .missing(let row): "row \(row): this row is missing"
        case .added(let row): "row \(row): the vault did not write this row"
        case .several(let expected, let found):
            """
            the vault should hold \(expected) items, and \(found) are intact: several rows are missing, replaced by older \
            versions, or added
            """
        case .strayedSecret(let row): "row \(row): this secret belongs to no item"
        case .removed: "the deleted items that could be brought back are not those that the vault set aside"
        case .settings:
            """
            another program has changed the settings without the passcode, and the vault has put back the owner's (see \
            `latchkey log`; the next change with `latchkey config` ends this note)
            """
        case .ledger: "the ledger is damaged, so missing rows and the audit log cannot be checked"
        case .older(let database, let device):
            """
            the database has recorded \(database) changes and the device file \(device): the database is an older copy
            """
        case .audit(let record): "the audit log is damaged from record \(record) on"
        case .archive(let share, let record):
            "the archive of the audit log is damaged: in its \(share), from record \(record) on"
        case .lost(let part, let first, let last):
            """
            the audit log no longer has the damaged records of its \(part), which were between record \(first) and \
            record \(last)
            """
        }
    }
}

/// The result of verifying a whole vault.
public struct VerifyReport: Hashable, Sendable {
    /// The number of intact items.
    public var items = 0
    /// The number of items that were also decrypted, because their class is open and they need no authentication.
    public var opened = 0
    /// The faults; empty if the vault is intact.
    public var findings: [VerifyFinding] = []
}
