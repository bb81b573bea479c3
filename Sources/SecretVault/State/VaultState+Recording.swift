internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension VaultState {
    /// Writes the waiting records while there is still room for more. If that fails, requests are refused once there is
    /// none.
    mutating func makeRoomForRecords() {
        if audit.isNearlyFull { try? writeRecords() }
    }

    /// Writes the waiting records before the caller gets an answer, if the log is durable.
    mutating func recordDurably() throws {
        if isAuditDurable && !audit.isEmpty { try writeRecords(lasting: true) }
    }

    /// Throws if no record can wait any more: a request that leaves no record is refused.
    func requireRoomForRecord() throws {
        if audit.isOn && audit.isFull { throw VaultError.auditFull }
    }

    /// Records that `rule` ended a prompt without an authentication. `item` is the item that the prompt was about.
    mutating func recordPrompt(endedBy rule: Rule, on item: ItemIdentifier?, for caller: Caller) throws {
        try requireRoomForRecord()
        var trace = Trace()
        trace.record(rule)
        let subject = item.map { Tag($0.bytes.span.bytes) } ?? .none
        audit.add(
            .denied(Denial(rule)), trace, nil, on: subject, by: caller, hour: device.now.milliseconds, word: "prompt")
    }

    /// Reads at most `limit` records. Waiting records belong to the log, so they are written first.
    mutating func readAudit(_ direction: AuditDirection, atMost limit: Int) throws -> AuditStretch {
        try refresh()
        if !audit.isEmpty { try? writeRecords() }  // a full disk must not keep the user from reading the log
        return try store.atOneMoment {
            try store.auditStretch(direction, atMost: limit, try store.ledger().audit)
        }
    }

    /// Changes the settings of the audit log; nil keeps a setting.
    mutating func setAudit(limit: Int64?, isDurable: Bool?, for caller: Caller) throws {
        try transaction(lasting: true) { enclave in
            if let limit { enclave.ledger.audit.limit = limit }
            if let isDurable, isDurable != enclave.bag.isAuditDurable {
                try enclave.changeSettings { $0.isAuditDurable = isDurable }
            }
            enclave.audit.add(.event, "set-log", by: caller, hour: enclave.device.now.milliseconds)
        }
    }

    /// Replaces the settings of the program that uses the vault, and adds a sensor to a device that has none.
    mutating func change(settings: [UInt8], adding sensor: SensorKind?, for caller: Caller) throws {
        try refresh()
        guard hasCheckedSettings else { throw VaultError.eventNeedsAuthentication }
        if settings == bag.settings && (sensor == nil || device.settings.sensor != .none) { return }
        try transaction(lasting: true) { enclave in
            try enclave.changeSettings(sensor.map { enclave.device.adding($0) }) { $0.settings = settings }
            let hour = enclave.device.now.milliseconds
            enclave.audit.add(.event, "set-config", by: caller, hour: hour)
            if sensor != nil { enclave.audit.add(.event, "add-sensor", by: caller, hour: hour) }
        }
    }

    /// Reads the ledger from the database.
    mutating func refreshLedger() throws {
        try refresh()
        ledger = try store.ledger()
    }
}
