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
    /// The item, where it is still there and may be listed.
    public let item: StoredItem?
}

extension Keychain {
    /// What happened, oldest first. Names are not in the trail: they are those of now, of items that whoever asks may list.
    ///
    /// A simulated device in memory keeps no trail.
    ///
    /// `damage` is the first record of the whole trail that is not what was written, if there is one.
    public func audit(
        _ query: AuditQuery = AuditQuery(), by requester: Requester? = nil
    ) throws(KeychainError) -> (entries: [AuditEntry], damage: Int64?) {
        let trail = try onVault { (vault) throws(VaultError) in try vault.auditTrail() }
        var records = trail.records.filter { record in
            query.kinds?.contains(record.kind) != false && (query.caller == nil || record.caller == query.caller)
                && (query.item == nil || record.subject == query.item?.bytes) && record.hour >= query.since ?? .min
        }
        if let limit = query.limit { records = records.suffix(max(0, limit)) }
        // Reading the trail adds nothing to it.
        var errand = Errand(self, by: requester, in: nil)
        errand.isListing = true
        var names: [[UInt8]: StoredItem?] = [:]
        let entries = records.map { record in
            if names[record.subject] == nil, let id = ItemIdentifier(bytes: record.subject) {
                names[record.subject] = .some(try? inventory(.id(id), errand))
            }
            return AuditEntry(record: record, item: names[record.subject] ?? nil)
        }
        return (entries, trail.damage)
    }
}
