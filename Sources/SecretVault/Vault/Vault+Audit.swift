internal import AccessPolicy
internal import DeviceModel

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
            try run { enclave in
                try enclave.refreshLedger()
                return AuditSettings(limit: enclave.ledger.audit.limit, isDurable: enclave.bag.isAuditDurable)
            }
        }
    }

    /// Changes the settings of the audit log. A setting that is nil stays as it is. If the log is larger than its new
    /// limit, it shrinks step by step with the records that follow.
    ///
    /// - Throws: ``VaultError/auditSize(_:)`` if the limit is outside ``AuditSize/range``.
    public func setAudit(limit: Int64? = nil, isDurable: Bool? = nil, for caller: Caller) throws(VaultError) {
        if let limit, !AuditSize.range.contains(limit) { throw .auditSize(limit) }
        try run { try $0.setAudit(limit: limit, isDurable: isDurable, for: caller) }
    }

    /// The position of the newest record; 0 if there is none.
    public var newestAuditRecord: Int64 {
        get throws(VaultError) {
            try run { enclave in
                if !enclave.audit.isEmpty { try? enclave.writeRecords() }
                try enclave.refreshLedger()
                return enclave.ledger.audit.records
            }
        }
    }

    /// Returns at most `limit` records after this position, the oldest first. Begin with 0. To continue, pass the
    /// position of the last record.
    public func auditRecords(after place: Int64, atMost limit: Int) throws(VaultError) -> AuditStretch {
        try run { try $0.readAudit(.after(place), atMost: limit) }
    }

    /// Returns at most `limit` records before this position, the newest first. Without a position, returns the last
    /// ones.
    public func auditRecords(before place: Int64 = .max, atMost limit: Int) throws(VaultError) -> AuditStretch {
        try run { try $0.readAudit(.before(place), atMost: limit) }
    }

    /// The position from which on the log is damaged; nil if it is intact. Reading this property reads the whole log.
    public var auditDamage: Int64? {
        get throws(VaultError) {
            try run { enclave in
                try enclave.refresh()
                let store = enclave.store
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
}
