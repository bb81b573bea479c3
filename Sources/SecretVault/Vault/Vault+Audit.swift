internal import AccessPolicy
internal import DeviceModel

extension Vault {
    /// Settings of the audit log of a vault.
    public struct AuditSettings: Hashable, Sendable {
        /// The size that it may grow to, in bytes.
        public var limit: Int64
        /// True if every record is on the disk before the caller gets the answer.
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

    /// Changes the settings of the audit log; nil keeps a setting. A log over its new limit shrinks step by step, with the
    /// records that follow.
    ///
    /// Throws ``VaultError/auditSize(_:)`` for a limit outside of ``AuditSize/range``.
    public func setAudit(limit: Int64? = nil, isDurable: Bool? = nil, for caller: Caller) throws(VaultError) {
        if let limit, !AuditSize.range.contains(limit) { throw .auditSize(limit) }
        try run { try $0.setAudit(limit: limit, isDurable: isDurable, for: caller) }
    }

    /// The place of the newest record; 0 if there is none.
    public var newestAuditRecord: Int64 {
        get throws(VaultError) {
            try run { enclave in
                if !enclave.audit.isEmpty { try? enclave.transaction { _ in } }
                try enclave.refreshLedger()
                return enclave.ledger.audit.records
            }
        }
    }

    /// Returns at most `limit` records after this place, the oldest first. Begin with 0, and pass the place of the last record
    /// for the next stretch.
    public func auditRecords(after place: Int64, atMost limit: Int) throws(VaultError) -> AuditStretch {
        try run { try $0.readAudit(.after(place), atMost: limit) }
    }

    /// Returns at most `limit` records before this place, the newest first. Without a place they are the last ones.
    public func auditRecords(before place: Int64 = .max, atMost limit: Int) throws(VaultError) -> AuditStretch {
        try run { try $0.readAudit(.before(place), atMost: limit) }
    }

    /// The first place from which on the log is not what was written; nil if all of it is. This reads the whole log.
    public var auditDamage: Int64? {
        get throws(VaultError) {
            try run { enclave in
                try enclave.refresh()
                let store = enclave.store
                return try store.atOneMoment { try store.firstAuditDamage(try store.ledger().audit) }
            }
        }
    }

    /// Returns all records, and the first damaged place if there is one. All of it is in memory at once;
    /// ``auditRecords(after:atMost:)`` returns it in stretches.
    public func auditLog() throws(VaultError) -> (records: [AuditRecord], damage: Int64?) {
        let all = try auditRecords(after: .min, atMost: .max)
        return (all.records, all.damage)
    }
}
