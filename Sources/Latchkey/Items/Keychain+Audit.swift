internal import AccessPolicy
public import SecretVault

/// A search of the audit log.
public struct AuditQuery: Hashable, Sendable {
    /// The kinds of records to return; nil for all.
    public var kinds: Set<AuditRecord.Kind>?
    /// The caller whose records to return; nil for every caller.
    public var caller: String?
    /// The item whose records to return; nil for every item.
    public var item: ItemIdentifier?
    /// The earliest time to return, in milliseconds of the device's clock; nil for the whole log. A record counts by
    /// its last repetition.
    public var since: Int64?
    /// The number of latest records to return at most; nil for all.
    public var limit: Int?

    /// Creates a query for every record.
    public init() {}

    fileprivate func fits(_ record: AuditRecord) -> Bool {
        kinds?.contains(record.kind) != false && (caller == nil || record.caller == caller)
            && (item == nil || record.subject == item?.bytes) && record.last >= since ?? .min
    }
}

/// A record of the audit log, with the item under its present name.
public struct AuditEntry: Sendable {
    /// The record.
    public let record: AuditRecord
    /// The item, if it still exists and the caller may list it.
    public let item: StoredItem?
    /// The identifier of the item, which may be deleted; nil if the record is about none or several.
    package let id: ItemIdentifier?
}

extension Keychain {
    /// The number of records to read at a time.
    private static let stretch = 4096

    /// Returns the matching records, oldest first.
    ///
    /// The log holds no names, so each entry has the present name of its item if the caller may list it. `damage` is
    /// the place of the first record that was read and is not what was written; nil if there is none. A simulated
    /// device in memory keeps no log.
    ///
    /// The whole result is held in memory. ``auditEntries(after:atMost:by:)`` returns the log in parts.
    ///
    /// - Throws: ``KeychainError/vault(_:)`` if the log cannot be read.
    public func audit(
        _ query: AuditQuery = AuditQuery(), by requester: Requester? = nil
    ) throws(KeychainError) -> (entries: [AuditEntry], damage: Int64?) {
        var records: [AuditRecord] = []
        var damage: Int64?
        if let limit = query.limit {
            var end = Int64.max
            while records.count < limit {
                let found = try onVault(vault.auditRecords(before: end, atMost: Self.stretch))
                damage = damage ?? found.damage
                records += found.records.filter(query.fits)
                guard let last = found.records.last else { break }
                end = last.place
            }
            records = records.prefix(max(0, limit)).reversed()
        } else {
            var start = Int64.min
            while true {
                let found = try onVault(vault.auditRecords(after: start, atMost: Self.stretch))
                damage = damage ?? found.damage
                records += found.records.filter(query.fits)
                guard let last = found.records.last else { break }
                start = last.place
            }
        }
        return (entries(of: records, by: requester), damage)
    }

    /// Returns at most `limit` entries of the log that follow `place`, oldest first. Reading the log adds no record to
    /// it.
    public func auditEntries(
        after place: Int64, atMost limit: Int, by requester: Requester? = nil
    ) throws(KeychainError) -> (entries: [AuditEntry], damage: Int64?) {
        let found = try onVault(vault.auditRecords(after: place, atMost: limit))
        return (entries(of: found.records, by: requester), found.damage)
    }

    /// Returns the place that the latest `count` records follow; 0 if there are fewer.
    ///
    /// If the newest records are damaged, it is the place that they would follow if none were missing.
    public func auditPlace(before count: Int) throws(KeychainError) -> (place: Int64, damage: Int64?) {
        let newest = try onVault(vault.newestAuditRecord)
        var (left, end, damage): (Int, Int64, Int64?) = (count, .max, nil)
        while left > 0 {
            let found = try onVault(vault.auditRecords(before: end, atMost: min(left, Self.stretch)))
            damage = damage ?? found.damage
            guard let last = found.records.last else {
                return (damage == nil ? 0 : max(0, newest - Int64(count)), damage)
            }
            left -= found.records.count
            end = last.place
        }
        return (end == .max ? newest : end - 1, damage)
    }

    /// The place of the first record that is not what was written; nil if there is none. Reading it reads the whole
    /// log.
    package var auditDamage: Int64? {
        get throws(KeychainError) { try onVault(vault.auditDamage) }
    }

    /// The settings of the audit log.
    public var auditSettings: Vault.AuditSettings {
        get throws(KeychainError) { try onVault(vault.auditSettings) }
    }

    /// Changes the settings of the audit log; a setting that is nil stays as it is. The user is asked for the passcode.
    ///
    /// - Throws: ``KeychainError/denied(_:)`` if the user does not authenticate, and ``KeychainError/vault(_:)`` if the
    ///   vault refuses the settings.
    public func setAudit(
        limit: Int64? = nil, isDurable: Bool? = nil, by requester: Requester? = nil, in context: KeychainContext
    ) throws(KeychainError) {
        try requirePasscode(in: context, by: requester, because: "change how the audit log is kept")
        let caller = KeychainCall(self, by: requester, in: context).caller(.believed)
        try onVault(vault.setAudit(limit: limit, isDurable: isDurable, for: caller))
    }

    private func entries(of records: [AuditRecord], by requester: Requester?) -> [AuditEntry] {
        // Reading the log adds no record to it.
        var call = KeychainCall(self, by: requester, in: nil)
        call.isListing = true
        var found: [[UInt8]: (item: StoredItem?, id: ItemIdentifier)] = [:]
        return records.map { record in
            // A record about a missing item counts requests for others as well.
            if record.rules.last == Rule.itemNotFound.identifier {
                return AuditEntry(record: record, item: nil, id: nil)
            }
            // An item that cannot be listed, also because it is damaged, costs its records a name and not the log.
            if found[record.subject] == nil, let id = identifier(of: record) {
                found[record.subject] = (try? inventory(.id(id), call), id)
            }
            let known = found[record.subject]
            return AuditEntry(record: record, item: known?.item, id: known?.id)
        }
    }

    /// Returns the identifier of the item that a record is about. The request to add an item is decided before the item
    /// has an identifier, so its record has a hash of the primary key.
    private func identifier(of record: AuditRecord) -> ItemIdentifier? {
        if record.action != Action.add.name { return ItemIdentifier(bytes: record.subject) }
        return try? onVault(vault.identifier(underTag: record.subject))
    }
}
