public import SecretVault

/// A search of the audit log.
public struct AuditQuery: Hashable, Sendable {
    /// What happened; nil for anything.
    public var kinds: Set<AuditRecord.Kind>?
    /// Who asked; nil for anybody.
    public var caller: String?
    /// Which item; nil for any.
    public var item: ItemIdentifier?
    /// The device's hour from which on, in milliseconds; nil for its beginning. A record counts by when it happened last.
    public var since: Int64?
    /// How many at most, the latest; nil for all.
    public var limit: Int?

    /// Everything.
    public init() {}

    fileprivate func fits(_ record: AuditRecord) -> Bool {
        kinds?.contains(record.kind) != false && (caller == nil || record.caller == caller)
            && (item == nil || record.subject == item?.bytes) && record.last >= since ?? .min
    }
}

/// A record of the audit log, with the item as it is called now.
public struct AuditEntry: Sendable {
    /// What was recorded.
    public let record: AuditRecord
    /// The item, where it is still there and may be listed.
    public let item: StoredItem?
}

extension Keychain {
    /// How many records are read at a time.
    private static let stretch = 4096

    /// Returns the records, oldest first, with the present names of items that the caller may list. The log has no names.
    ///
    /// A simulated device in memory keeps no log.
    ///
    /// `damage` is the first record of what was read that is not what was written, if there is one.
    ///
    /// The result is in memory at once. ``auditEntries(after:atMost:by:)`` returns the log in stretches.
    public func audit(
        _ query: AuditQuery = AuditQuery(), by requester: Requester? = nil
    ) throws(KeychainError) -> (entries: [AuditEntry], damage: Int64?) {
        var records: [AuditRecord] = []
        var damage: Int64?
        if let limit = query.limit {
            var end = Int64.max
            while records.count < limit {
                let found = try onVault { (vault) throws(VaultError) in
                    try vault.auditRecords(before: end, atMost: Self.stretch)
                }
                damage = damage ?? found.damage
                records += found.records.filter(query.fits)
                guard let last = found.records.last else { break }
                end = last.place
            }
            records = records.prefix(max(0, limit)).reversed()
        } else {
            var start = Int64.min
            while true {
                let found = try onVault { (vault) throws(VaultError) in
                    try vault.auditRecords(after: start, atMost: Self.stretch)
                }
                damage = damage ?? found.damage
                records += found.records.filter(query.fits)
                guard let last = found.records.last else { break }
                start = last.place
            }
        }
        return (entries(of: records, by: requester), damage)
    }

    /// So many entries of the log after this place at most, oldest first. Nothing is added to it by that.
    public func auditEntries(
        after place: Int64, atMost limit: Int, by requester: Requester? = nil
    ) throws(KeychainError) -> (entries: [AuditEntry], damage: Int64?) {
        let found = try onVault { (vault) throws(VaultError) in
            try vault.auditRecords(after: place, atMost: limit)
        }
        return (entries(of: found.records, by: requester), found.damage)
    }

    /// The place after which there are the latest `count` records and no others; 0 where there are fewer.
    ///
    /// If the newest ones are damaged, it is the place that they would have if none were missing.
    public func auditPlace(before count: Int) throws(KeychainError) -> (place: Int64, damage: Int64?) {
        let newest = try onVault { (vault) throws(VaultError) in try vault.newestAuditRecord }
        var (left, end, damage): (Int, Int64, Int64?) = (count, .max, nil)
        while left > 0 {
            let found = try onVault { (vault) throws(VaultError) in
                try vault.auditRecords(before: end, atMost: min(left, Self.stretch))
            }
            damage = damage ?? found.damage
            guard let last = found.records.last else {
                return (damage == nil ? 0 : max(0, newest - Int64(count)), damage)
            }
            left -= found.records.count
            end = last.place
        }
        return (end == .max ? newest : end - 1, damage)
    }

    /// The first place from which on the log is not what was written; nil if all of it is. This reads the whole log.
    package var auditDamage: Int64? {
        get throws(KeychainError) { try onVault { (vault) throws(VaultError) in try vault.auditDamage } }
    }

    /// How the audit log is kept.
    public var auditSettings: Vault.AuditSettings {
        get throws(KeychainError) { try onVault { (vault) throws(VaultError) in try vault.auditSettings } }
    }

    /// Changes how the audit log is kept: what is nil stays as it is. The user is asked for the passcode.
    public func setAudit(
        limit: Int64? = nil, isDurable: Bool? = nil, by requester: Requester? = nil, in context: KeychainContext
    ) throws(KeychainError) {
        try requirePasscode(in: context, by: requester, because: "change how the log is kept")
        let caller = KeychainCall(self, by: requester, in: context).caller(.believed)
        try onVault { (vault) throws(VaultError) in
            try vault.setAudit(limit: limit, isDurable: isDurable, for: caller)
        }
    }

    private func entries(of records: [AuditRecord], by requester: Requester?) -> [AuditEntry] {
        // Reading the log adds nothing to it.
        var call = KeychainCall(self, by: requester, in: nil)
        call.isListing = true
        var names: [[UInt8]: StoredItem?] = [:]
        return records.map { record in
            if names[record.subject] == nil, let id = ItemIdentifier(bytes: record.subject) {
                names[record.subject] = .some(try? inventory(.id(id), call))
            }
            return AuditEntry(record: record, item: names[record.subject] ?? nil)
        }
    }
}
