public import SecretVault

/// What to look for in the audit trail.
public struct AuditQuery: Hashable, Sendable {
    /// What happened; nil for anything.
    public var kinds: Set<AuditRecord.Kind>?
    /// Who asked; nil for anybody.
    public var caller: String?
    /// Which item; nil for any.
    public var item: ItemIdentifier?
    /// The device's hour from which on, in milliseconds; nil for its beginning.
    public var since: Int64?
    /// How many at most, the latest; nil for all.
    public var limit: Int?

    /// Everything.
    public init() {}
}

/// A record of the audit trail, with the item as it is called now.
public struct AuditEntry: Sendable {
    /// What was recorded.
    public let record: AuditRecord
    /// The item, where it is still there and its class is open.
    public let item: StoredItem?
}

extension Keychain {
    /// What happened, oldest first. Names are resolved as far as the device is unlocked; they are not in the trail.
    ///
    /// `damage` is the first record of the whole trail that is not what was written, if there is one.
    public func audit(
        _ query: AuditQuery = AuditQuery()
    ) throws(KeychainError) -> (entries: [AuditEntry], damage: Int64?) {
        let trail = try onVault { (vault) throws(VaultError) in try vault.auditTrail() }
        var records = trail.records.filter { record in
            query.kinds?.contains(record.kind) != false && (query.caller == nil || record.caller == query.caller)
                && (query.item == nil || record.subject == query.item?.bytes) && record.hour >= query.since ?? .min
        }
        if let limit = query.limit { records = records.suffix(max(0, limit)) }
        var names: [[UInt8]: StoredItem?] = [:]
        let entries = records.map { record in
            if names[record.subject] == nil, let id = ItemIdentifier(bytes: record.subject) {
                names[record.subject] = .some(vault.named(id))
            }
            return AuditEntry(record: record, item: names[record.subject] ?? nil)
        }
        return (entries, trail.damage)
    }
}
