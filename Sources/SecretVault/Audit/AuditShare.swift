/// The parts of the archive. Each has room that no other can take from it.
enum AuditShare: UInt8, CaseIterable {
    /// What was granted. It is dropped last.
    case grants = 1
    /// What happened to the device and to the vault, and who opened and closed it.
    case events = 2
    /// What was denied, or would have taken a proof.
    case refusals = 3

    /// The part that a record belongs to.
    init(_ kind: AuditRecord.Kind) {
        switch kind {
        case .granted: self = .grants
        case .opened, .closed, .event, .dropped: self = .events
        case .challenged, .denied: self = .refusals
        }
    }

    /// What a record calls it that says what was dropped.
    var word: String {
        switch self {
        case .grants: "grants"
        case .events: "events"
        case .refusals: "refusals"
        }
    }
}

/// How large the audit log of a vault may grow.
public enum AuditSize: Sendable {
    /// The usual limit, in bytes: room for some hundred thousand records.
    public static let usual: Int64 = 32 << 20
    /// What a limit may be.
    public static let range: ClosedRange<Int64> = 1 << 20...1 << 40

    /// How many items a program may use at once, each with a record of its own, in a log of this limit: so many that they
    /// take less than an eighth of it.
    static func room(in limit: Int64) -> Int64 { limit / 2048 }
}
