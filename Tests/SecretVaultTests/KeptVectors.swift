import AccessPolicy
import DeviceModel
import Foundation
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// The expected contents of a vault in `Fixtures/vectors/kept`, from its `expect.json`. The README there describes
/// every word.
struct KeptVector: Codable, Equatable {
    /// The result of reading one item: the secret, or the rule that denies it.
    struct Item: Codable, Equatable {
        var account: String
        var secret: String?
        var rule: String?
        /// True if a kept authentication may open the item; nil if not.
        var allowsReuse: Bool?
    }

    /// The sensor on record, and its enrolled fingers.
    struct Sensor: Codable, Equatable {
        var identity: String
        var names: [String: String]
    }

    /// A backup beside the vault, and the result of importing it.
    struct Backup: Codable, Equatable {
        var file: String
        var passphrase: String?
        /// The number of items that are added to the emptied vault that the backup was made of.
        var addedAtHome: Int
        var atHome: [Item]
        /// The number of items that are added on another device; nil if the backup does not open there.
        var addedElsewhere: Int?
        var elsewhere: [Item]
    }

    var title: String
    var isReal: Bool
    var passcode: String
    var applicationPassword: String
    /// The number of the finger that is presented; nil if `match` names it by its identifier on the sensor.
    var finger: UInt8?
    var match: String?
    /// The number of each fidelity choice.
    var fidelity: [String: UInt8]
    /// The other settings and the state of the device.
    var device: [String: String]
    var sensor: Sensor?
    var fakeSensorHex: String
    /// The settings of the program that uses the vault; nil if there are none.
    var settings: String?
    var items: [Item]
    /// The results of reading the items after all enrollments were reset and a finger was enrolled again.
    var afterSensorReset: [Item]
    /// The letters of the recovery key; nil if there is none.
    var recoveryKey: String?
    /// The audit log before this opening, oldest first.
    var audit: [String]
    var backups: [Backup]
    var findings: [String]
}

/// Vaults and backups that an earlier version wrote. They are never written again: they show that old vaults still
/// open.
enum KeptVectors {
    static let folder = Repository.root.appending(path: "Fixtures/vectors/kept")
    static let all = ["everything", "keeps-sensor", "no-passcode", "real", "replaces-sensor", "reuse"]

    /// The golden bytes of the lasting state of a device.
    static let lasting = folder.appending(path: "lasting.json")

    static let items: [(account: String, flags: AccessControlFlags, protection: Accessibility)] = [
        ("plain", [], .whenUnlocked),
        ("always", [], .always),
        ("of this device", [], .afterFirstUnlockThisDeviceOnly),
        ("any finger", .biometryAny, .whenUnlocked),
        ("current set", .biometryCurrentSet, .whenUnlocked),
        ("presence", .userPresence, .whenUnlocked),
        ("code", .devicePasscode, .whenPasscodeSetThisDeviceOnly),
        ("password", .applicationPassword, .afterFirstUnlock),
        ("code and password", [.devicePasscode, .and, .applicationPassword], .whenUnlocked),
    ]

    /// The passcodes and passphrases of the vectors.
    static let nextPasscode = "a new passcode"

    static func url(_ name: String) -> URL { folder.appending(path: name) }

    static func expected(_ name: String) throws -> KeptVector {
        try JSONDecoder().decode(KeptVector.self, from: Data(contentsOf: url(name).appending(path: "expect.json")))
    }

    // MARK: - Results

    /// Opens the files of a vector with the passcode and finger in `vector`, and returns what they contain.
    static func result(_ name: String, _ vector: KeptVector) throws -> KeptVector {
        let bench = try Specimen.Bench()
        let files = try VaultFiles(in: url(name).path)
        var result = vector
        try inUse(files, bench) { vault in
            let context = try prove(vault, vector)
            let lasting = try vault.device.lasting
            result.isReal = vault.kind == .real
            // The vault knows nothing of choices that were added after it was written.
            result.fidelity = choices(of: lasting.settings.fidelity).filter { vector.fidelity.keys.contains($0.key) }
            result.device = device(lasting)
            result.sensor = try vault.knownSensor.map { sensor in
                KeptVector.Sensor(
                    identity: sensor.identity,
                    names: Dictionary(uniqueKeysWithValues: sensor.templates.map { ($0.id, $0.name) }))
            }
            result.fakeSensorHex = hex(try vault.fakeSensorMemory)
            let settings = try vault.settings
            result.settings = settings.isEmpty ? nil : String(decoding: settings, as: UTF8.self)
            let trail = try vault.auditLog()
            #expect(trail.damage == nil)
            let ended = trail.records.lastIndex { $0.kind == .closed }
            result.audit = trail.records[...(ended ?? -1)].map(line)
            result.items = try read(vector.items.map(\.account), vault, context, vector)
            result.findings = Set(try vault.verify().findings.map(\.heading)).sorted()
        }
        try inUse(files, bench) { vault in
            _ = try prove(vault, vector)
            try vault.resetSensor()
            try enroll(vault, vector)
            let context = try prove(vault, vector)
            result.afterSensorReset = try read(vector.items.map(\.account), vault, context, vector)
        }
        for place in vector.backups.indices { try bringBack(files, bench, name, vector, &result.backups[place]) }
        return result
    }

    /// Writes the vault in `files` to the bench, and calls `body` with the open vault.
    static func inUse<Result>(
        _ files: VaultFiles, _ bench: Specimen.Bench, _ body: (Vault) throws -> Result
    ) throws -> Result {
        try files.write(to: bench.path)
        let vault = try Vault.open(at: bench.path)
        defer { vault.close() }
        return try body(vault)
    }

    /// Returns a context in which the passcode and the biometry of the vector are authenticated.
    static func prove(_ vault: Vault, _ vector: KeptVector) throws -> VaultContext {
        let context = try vault.makeContext()
        if !vector.passcode.isEmpty {
            let effects = try vault.enter(passcode: Cast.bytes(vector.passcode), in: context)
            try #require(effects.authenticated(.passcode))
        }
        if let finger = vector.finger { try vault.record(.presented(Cast.finger(finger)), in: context) }
        if let match = vector.match { _ = try vault.record(matched: match, in: context, at: nil) }
        return context
    }

    static func enroll(_ vault: Vault, _ vector: KeptVector) throws {
        if let finger = vector.finger { try vault.apply(.enrolled(Cast.finger(finger))) }
        guard let sensor = vector.sensor else { return }
        let list = SensorList(sensor: sensor.identity, names: sensor.names)
        _ = try vault.recordEnrollments(list) { _ in list }
    }

    static func read(
        _ accounts: [String], _ vault: Vault, _ context: VaultContext, _ vector: KeptVector
    ) throws -> [KeptVector.Item] {
        try accounts.map { account in
            if account.hasSuffix("password") {
                try context.setApplicationPassword(Cast.bytes(vector.applicationPassword))
            }
            var item = KeptVector.Item(account: account)
            if let stored = try vault.inventory(Cast.key(account), for: Cast.app).value() {
                item.allowsReuse = stored.description.allowsReuse ? true : nil
            }
            switch try vault.read(Cast.key(account), for: Cast.app, in: context) {
            case .granted(let secret): item.secret = secret.text
            case .challenge: item.rule = "challenge"
            case .denied(let denial): item.rule = denial.rule.identifier
            }
            return item
        }
    }

    private static func bringBack(
        _ files: VaultFiles, _ bench: Specimen.Bench, _ name: String, _ vector: KeptVector,
        _ backup: inout KeptVector.Backup
    ) throws {
        let path = url(name).appending(path: backup.file).path
        let passphrase = backup.passphrase
        func add(to vault: Vault) throws -> Int {
            guard let passphrase else { return try vault.importBackup(from: path).added }
            return try vault.importBackup(from: path, passphrase: Cast.bytes(passphrase)).added
        }
        try inUse(files, bench) { vault in
            let context = try prove(vault, vector)
            for item in vector.items { _ = try vault.delete(Cast.key(item.account), for: Cast.app) }
            backup.addedAtHome = try add(to: vault)
            backup.atHome = try read(backup.atHome.map(\.account), vault, context, vector)
        }
        let other = try Cast.vault()
        let context = try other.makeContext()
        try other.enter(passcode: Cast.bytes("1234"), in: context)
        do throws(VaultError) {
            backup.addedElsewhere =
                if let passphrase {
                    try other.importBackup(from: path, passphrase: bytes(passphrase)).added
                } else {
                    try other.importBackup(from: path).added
                }
        } catch {
            #expect(error == .wrongPassphrase(path))
            backup.addedElsewhere = nil
        }
        backup.elsewhere = try read(backup.elsewhere.map(\.account), other, context, vector)
    }

    private static func bytes(_ text: String) throws(VaultError) -> SecureBytes {
        do { return try SecureBytes(text) } catch { throw .memory(error) }
    }

    // MARK: - Words

    /// Returns the number of every choice, by its name.
    static func choices(of fidelity: Fidelity) -> [String: UInt8] {
        func number(_ choice: Any) -> UInt8? { (choice as? any RawRepresentable)?.rawValue as? UInt8 }
        return Dictionary(
            uniqueKeysWithValues: Mirror(reflecting: fidelity).children.map {
                ($0.label ?? "", number($0.value) ?? 255)
            })
    }

    private static func device(_ lasting: Device.Lasting) -> [String: String] {
        [
            "sensor": "\(lasting.settings.sensor)",
            "lockGrace": "\(lasting.settings.lockGrace.milliseconds)",
            "attemptEnd": "\(lasting.settings.attemptEnd)",
            "isCompanionPaired": "\(lasting.isCompanionPaired)",
            "apps": lasting.apps.sorted { $0.key.rawValue < $1.key.rawValue }.map { id, app in
                "\(id.rawValue): \(app.permission), \(app.declaresUsage), \(app.groups.bits)"
            }.joined(separator: "; "),
        ]
    }

    private static func line(_ record: AuditRecord) -> String {
        ([String(describing: record.kind), record.action, record.caller] + record.rules + ["\(record.count)"])
            .joined(separator: " | ")
    }

    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String(String(UInt16($0) + 256, radix: 16).dropFirst()) }.joined()
    }
}
