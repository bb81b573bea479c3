package import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension Vault {
    /// The settings of a vault's audit log.
    public struct AuditSettings: Hashable, Sendable {
        /// The largest size of the log, in bytes.
        public var limit: Int64
        /// True if the vault puts every record on the disk before it answers the caller.
        public var isDurable: Bool

        /// Creates settings.
        public init(limit: Int64, isDurable: Bool) {
            self.limit = limit
            self.isDurable = isDurable
        }
    }

    /// The settings of the audit log.
    public var auditSettings: AuditSettings {
        get throws(VaultError) {
            try run { vault in
                try vault.refreshLedger()
                return AuditSettings(limit: vault.ledger.audit.limit, isDurable: vault.bag.isAuditDurable)
            }
        }
    }

    /// Changes the settings of the audit log. A setting that is nil stays as it is. If the log is larger than its new
    /// limit, it shrinks step by step with the records that follow.
    ///
    /// - Throws: ``VaultError/auditSize(_:)`` if the limit is outside ``AuditSize/range``.
    public func setAudit(limit: Int64? = nil, isDurable: Bool? = nil, for caller: Caller) throws(VaultError) {
        if let limit, !AuditSize.range.contains(limit) { throw .auditSize(limit) }
        try run { vault in
            try vault.transaction(lasting: true) { vault in
                if let limit { vault.ledger.audit.limit = limit }
                if let isDurable, isDurable != vault.bag.isAuditDurable {
                    try vault.changeSettings { $0.isAuditDurable = isDurable }
                }
                vault.audit.add(.event, "set-log", by: caller, hour: vault.device.now.milliseconds)
            }
        }
    }

    /// The position of the newest record; 0 if there is none.
    public var newestAuditRecord: Int64 {
        get throws(VaultError) {
            try run { vault in
                if !vault.audit.isEmpty { try? vault.writeRecords() }
                try vault.refreshLedger()
                return vault.ledger.audit.records
            }
        }
    }

    /// Returns at most `limit` records after this position, the oldest first. Begin with 0. To continue, pass the
    /// position of the last record.
    public func auditRecords(after place: Int64, atMost limit: Int) throws(VaultError) -> AuditStretch {
        try auditRecords(.after(place), atMost: limit)
    }

    /// Returns at most `limit` records before this position, the newest first. Without a position, returns the last
    /// ones.
    public func auditRecords(before place: Int64 = .max, atMost limit: Int) throws(VaultError) -> AuditStretch {
        try auditRecords(.before(place), atMost: limit)
    }

    private func auditRecords(_ direction: AuditDirection, atMost limit: Int) throws(VaultError) -> AuditStretch {
        try run { vault in
            try vault.refresh()
            // Waiting records belong to the log, so they are written first. A full disk must not keep the user from reading it.
            if !vault.audit.isEmpty { try? vault.writeRecords() }
            let store = vault.store
            return try store.atOneMoment {
                try store.auditStretch(direction, atMost: limit, try store.ledger().audit)
            }
        }
    }

    /// The position from which on the log is damaged; nil if it is intact. Reading this property reads the whole log.
    public var auditDamage: Int64? {
        get throws(VaultError) {
            try run { vault in
                try vault.refresh()
                let store = vault.store
                return try store.atOneMoment { try store.firstAuditDamage(try store.ledger().audit) }
            }
        }
    }

    /// Returns all records, and the position of the first damage if there is any. All records are in memory at once;
    /// ``auditRecords(after:atMost:)`` returns them in parts.
    public func auditLog() throws(VaultError) -> (records: [AuditRecord], damage: Int64?) {
        let all = try auditRecords(after: .min, atMost: .max)
        return (all.records, all.damage)
    }

    // MARK: - Recording

    /// Records that a prompt ended without authentication, by `rule`. `item` is the item of the request.
    package func recordPrompt(
        endedBy rule: Rule, on item: ItemIdentifier?, for caller: Caller
    ) throws(VaultError) {
        try run { vault in
            try vault.requireRoomForRecord()
            var trace = Trace()
            trace.record(rule)
            let subject = item.map { Tag($0.bytes.span.bytes) } ?? .none
            vault.audit.add(
                .denied(Denial(rule)), trace, nil, on: subject, by: caller, hour: vault.device.now.milliseconds,
                word: "prompt")
        }
    }

    /// Records that a caller has listed items.
    package func recordList(for caller: Caller) throws(VaultError) {
        try run { vault in
            try vault.requireRoomForRecord()
            vault.audit.add(.event, "list", by: caller, hour: vault.device.now.milliseconds)
        }
    }
}
