internal import AccessPolicy

/// One line of the audit trail: what was asked of which item by whom, and what came of it. Never a name or a secret.
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
    }

    /// What happened.
    public var kind: Kind
    /// Which process it happened in: a number drawn when it opened the vault.
    public var process: UInt64
    /// What that process had recorded before.
    public var number: UInt64
    /// The item, by its identifier; for one that is not there, a keyed hash of what was looked for.
    public var subject: [UInt8]
    /// What was asked, or what happened, as a short word.
    public var action: String
    /// Who asked.
    public var caller: String
    /// The rules that fired, by name.
    public var rules: [String]
    /// How often the same happened before it was written out.
    public var count: UInt32
    /// When, by the device's clock, in milliseconds: since 1970 for a real vault.
    public var hour: Int64
}

extension AuditRecord {
    init(from reader: inout ByteReader) throws {
        kind = try reader.choice()
        process = try reader.number()
        number = try reader.number()
        subject = try reader.bytes()
        action = String(decoding: try reader.slice(), as: UTF8.self)
        caller = String(decoding: try reader.slice(), as: UTF8.self)
        rules = []
        for _ in 0..<(try reader.number(UInt8.self)) {
            rules.append(String(decoding: try reader.slice(), as: UTF8.self))
        }
        count = try reader.number()
        hour = try reader.number()
    }
}
