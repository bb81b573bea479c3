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

    /// Reads the ledger from the database.
    mutating func refreshLedger() throws {
        try refresh()
        ledger = try store.ledger()
    }
}
