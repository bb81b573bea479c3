import AccessPolicy
import DeviceModel
import SecretVault
import TestSupport
import Testing

/// The stored words of the audit log and the names in the database never change.
@Suite struct StoredAuditTests {
    private static let events: [Event] = [
        .reboot, .lock, .passcodeEntered(code), .presented(Cast.index), .timePassed(.seconds(1)), .passcodeSet(code),
        .passcodeChanged(code), .passcodeRemoved, .passcodeRecovered(code), .enrolled(Cast.index),
        .removed(Cast.index), .biometryReset, .sensorForgot(Cast.index), .securityDelayStarted, .companionPaired,
        .companionUnpaired, .companionNear, .companionAway, .companionUnlocked, .companionLocked,
        .appInstalled(.first, App()), .appRemoved(.first), .biometryPermitted(.first), .biometryDenied(.first),
        .backupTaken(encrypted: true), .restoredOntoThisDevice, .restoredOntoAnotherDevice, .remoteLock, .emergency,
        .erase,
    ]

    private static let fileAccesses: [FileAccess] = FileProtection.allCases.flatMap { protection in
        [.create(protection), .open(protection), .use(protection), .manage(protection)]
            + FileProtection.allCases.map { .protect(protection, as: $0) }
    }

    private static let code = Passcode(rawValue: 1)!

    @Test func theLogKeepsItsWordsAndNumbers() throws {
        let lines =
            Golden.lines("kind", of: AuditRecord.Kind.self) { $0.word }
            + Action.allCases.map { "action \($0.name)" }
            + Self.fileAccesses.map { "file \($0.auditWord)" }
            + Self.events.map { "event \($0.auditWord)" }
            + IndexColumn.allCases.map { "column \($0.rawValue) \($0.name)" }
            + ItemClass.allCases.map { "class \($0.rawValue)" }
        try Golden.expect("audit", lines)
    }

    @Test func theDatabaseKeepsItsTables() throws {
        let folder = try TemporaryFolder(inMemory: true)
        try Vault.create(at: folder.path("vault"), .simulated()).vault.close()
        let database = try RawDatabase(folder.path("vault/vault.db"))
        let found = try database.blobs("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
        try Golden.expect("schema", found.map { String(decoding: $0, as: UTF8.self) })
    }
}
