/// The parts of the archive. Each has room that no other can take from it.
enum AuditShare: UInt8, CaseIterable {
    /// Granted requests. They are dropped last.
    case grants = 1
    /// Events of the device and the vault, and its openings and closings.
    case events = 2
    /// Denied requests, and requests that needed authentication.
    case refusals = 3

    /// The part that a record belongs to.
    init(_ kind: AuditRecord.Kind) {
        switch kind {
        case .granted: self = .grants
        case .opened, .closed, .event, .dropped: self = .events
        case .challenged, .denied: self = .refusals
        }
    }

    /// The name of the share in the record of what it has dropped.
    var word: String {
        switch self {
        case .grants: "grants"
        case .events: "events"
        case .refusals: "refusals"
        }
    }
}

/// Sizes of the audit log of a vault.
public enum AuditSize: Sendable {
    /// The usual limit, in bytes: room for some hundred thousand records.
    public static let usual: Int64 = 32 << 20
    /// The limits that a vault accepts, in bytes.
    public static let range: ClosedRange<Int64> = 1 << 20...1 << 40

    /// Returns how many items a program may use at once in a log of this limit, each with a record of its own. Together these
    /// records take less than an eighth of the log.
    static func room(in limit: Int64) -> Int64 { limit / 2048 }
}
