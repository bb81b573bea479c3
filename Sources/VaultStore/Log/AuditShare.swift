/// A part of the archive. Each part has room that the others cannot use up.
package enum AuditShare: UInt8, CaseIterable {
    /// Granted requests. They are dropped last.
    case grants = 1
    /// Events of the device and the vault, and its openings and closings.
    case events = 2
    /// Denied requests, and requests that needed authentication.
    case refusals = 3

    package init(_ kind: AuditRecord.Kind) {
        switch kind {
        case .granted: self = .grants
        case .opened, .closed, .event, .dropped: self = .events
        case .challenged, .denied: self = .refusals
        }
    }

    /// The name of the share in the record that counts what it has dropped.
    package var word: String {
        switch self {
        case .grants: "grants"
        case .events: "events"
        case .refusals: "refusals"
        }
    }
}

/// Sizes of the audit log of a vault.
public enum AuditSize: Sendable {
    /// The default limit in bytes, with room for some hundred thousand records.
    public static let usual: Int64 = 32 << 20
    /// The limits that a vault accepts, in bytes.
    public static let range: ClosedRange<Int64> = 1 << 20...1 << 40

    /// Returns the number of items that a program may use at once, each with a record of its own, in a log of this
    /// limit. These records take less than an eighth of the log.
    package static func room(in limit: Int64) -> Int64 { limit / 2048 }
}
