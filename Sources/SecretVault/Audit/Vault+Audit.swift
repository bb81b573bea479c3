internal import AccessPolicy
internal import DeviceModel

extension Vault {
    /// How the audit log of a vault is kept.
    public struct AuditSettings: Hashable, Sendable {
        /// How many bytes it may grow to.
        public var limit: Int64
        /// Whether every record is on the disk before what it records is done.
        public var isDurable: Bool

        /// A log of this size.
        public init(limit: Int64, isDurable: Bool) {
            self.limit = limit
            self.isDurable = isDurable
        }
    }

    /// How the audit log is kept.
    public var auditSettings: AuditSettings {
        get throws(VaultError) {
            try run { enclave in
                try enclave.refreshLedger()
                return AuditSettings(limit: enclave.ledger.audit.limit, isDurable: enclave.bag.isAuditDurable)
            }
        }
    }

    /// Changes how the audit log is kept: what is nil stays as it is. A log that is larger than it may be shrinks with the
    /// records that follow, step by step.
    ///
    /// Throws ``VaultError/auditSize(_:)`` for a limit outside of ``AuditSize/range``.
    public func setAudit(limit: Int64? = nil, isDurable: Bool? = nil, for caller: Caller) throws(VaultError) {
        if let limit, !AuditSize.range.contains(limit) { throw .auditSize(limit) }
        try run { try $0.setAudit(limit: limit, isDurable: isDurable, for: caller) }
    }

    /// The place of the newest record; 0 where there is none.
    public var newestAuditRecord: Int64 {
        get throws(VaultError) {
            try run { enclave in
                if !enclave.audit.isEmpty { try? enclave.transaction { _ in } }
                try enclave.refreshLedger()
                return enclave.ledger.audit.records
            }
        }
    }

    /// So many records after this place at most, the oldest first. From 0 on they are all; the place of the last one is where
    /// the next stretch begins.
    public func auditRecords(after place: Int64, atMost limit: Int) throws(VaultError) -> AuditStretch {
        try run { try $0.readAudit(.after(place), atMost: limit) }
    }

    /// So many records before this place at most, the newest first. Without a place they are the last ones.
    public func auditRecords(before place: Int64 = .max, atMost limit: Int) throws(VaultError) -> AuditStretch {
        try run { try $0.readAudit(.before(place), atMost: limit) }
    }

    /// The first place from which on the log is not what was written; nil if all of it is. This reads the whole log.
    public var auditDamage: Int64? {
        get throws(VaultError) { try run { try $0.firstAuditDamage() } }
    }

    /// What happened so far, and the first record that is not what was written, if there is one. All of it is in memory:
    /// ``auditRecords(after:atMost:)`` gives it in stretches.
    public func auditTrail() throws(VaultError) -> (records: [AuditRecord], damage: Int64?) {
        let all = try auditRecords(after: .min, atMost: .max)
        return (all.records, all.damage)
    }
}

extension Enclave {
    mutating func setAudit(limit: Int64?, isDurable: Bool?, for caller: Caller) throws {
        audit.add(.event, "set-log", by: caller, hour: device.now.milliseconds)
        try transaction(lasting: true) { enclave in
            if let limit { enclave.ledger.audit.limit = limit }
            guard let isDurable, isDurable != enclave.bag.isAuditDurable else { return }
            var bag = enclave.bag
            bag.isAuditDurable = isDurable
            try enclave.commit(bag, enclave.device, destroying: false)
        }
    }

    /// Takes in the ledger as the database has it.
    mutating func refreshLedger() throws {
        try refresh()
        guard let current = try store.withBytes(store.readLedger, { try Ledger($0, under: fixed.ledger) }) else {
            throw VaultError.damaged(.ledger)
        }
        ledger = current
    }
}
