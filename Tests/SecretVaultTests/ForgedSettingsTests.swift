import AccessPolicy
import DeviceModel
import Foundation
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// A program of the user reads the device file, opens the keybag with it, and changes what only the owner may change.
@Suite struct ForgedSettingsTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("vault") }
    private static let owner = Array(#"{"lock-after":60}"#.utf8)
    private static let forged = Array(#"{"lock-after":null}"#.utf8)

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    /// Creates a vault with settings, and closes it. Returns its recovery key.
    @discardableResult
    private func make(_ change: (inout VaultOptions) -> Void = { _ in }) throws -> RecoveryKey? {
        var options = VaultOptions.simulated(DeviceSettings(lockGrace: .zero))
        options.settings = Self.owner
        options.hasRecoveryKey = true
        options.hasDurableAudit = true
        change(&options)
        let made = try Vault.create(at: path, options, passcode: Cast.bytes("1234"))
        try made.vault.adding(Cast.item("mail"), "s3cret")
        made.vault.close()
        return made.recoveryKey
    }

    private func forge(_ change: (inout ForgedSettings) -> Void) throws {
        try KeybagProbe(deviceFile: path + "/device").forge(databaseAt: path + "/vault.db", change)
    }

    private func now() throws -> ForgedSettings {
        try KeybagProbe(deviceFile: path + "/device").forge(databaseAt: path + "/vault.db") { _ in }
    }

    /// Returns what opening the vault with the right passcode comes to.
    private func entering(_ vault: Vault, _ passcode: String = "1234") throws -> SettingsChange? {
        do {
            let effects = try vault.enter(passcode: Cast.bytes(passcode))
            #expect(effects.authenticated(.passcode))
            return nil
        } catch VaultError.settingsChanged(let change) {
            return change
        }
    }

    static let forgeries: [(name: String, change: @Sendable (inout ForgedSettings) -> Void)] = [
        ("settings", { $0.settings = forged }),
        ("no settings", { $0.settings = [] }),
        ("fake sensor", { $0.hasFakeSensor.toggle() }),
        ("durable-log", { $0.isAuditDurable = false }),
        ("device", { $0.lockGrace = 3_600_000 }),
        ("passcode gate", { $0.passcodeGate[3] ^= 1 }),
        ("number of changes", { $0.number += 1 }),
        ("number at its end", { $0.number = .max }),
        ("salt of application passwords", { $0.applicationSalt[3] ^= 1 }),
    ]

    @Test(arguments: forgeries.indices) func aChangeWithoutThePasscodeIsPutBackAndOpensNothing(_ place: Int) throws {
        try make()
        let before = try now()
        try forge(Self.forgeries[place].change)
        let vault = try Vault.open(at: path)
        #expect(!vault.hasCheckedSettings)
        #expect(try vault.device.wrongPasscodes.isEmpty)
        let change = try #require(try entering(vault))
        #expect(!change.names.isEmpty || change.found != change.owner, "it is named")
        #expect(vault.hasClosedItself && !vault.isUnlocked)
        vault.close()
        // Everything is as the owner chose it, and the next passcode opens.
        let after = try now()
        #expect(after.settings == before.settings && after.hasFakeSensor == before.hasFakeSensor)
        #expect(after.isAuditDurable == before.isAuditDurable && after.lockGrace == before.lockGrace)
        #expect(after.passcodeGate == before.passcodeGate && after.number == before.number + 1)
        let again = try Vault.open(at: path)
        #expect(try entering(again) == nil)
        #expect(again.hasChecked(Self.owner))
        #expect(try again.reading("mail") == "s3cret")
        #expect(try again.device.wrongPasscodes.isEmpty, "the passcode was right, and counts as no wrong one")
        // It is on record until the owner changes something.
        #expect(try again.auditLog().records.contains { $0.action == "settings, changed without the passcode" })
        #expect(try again.verify().findings == [.settings])
        #expect(try again.settingsPutBack != nil)
        try again.change(settings: Self.forged, for: Cast.app)
        #expect(try again.verify().findings.isEmpty && again.settingsPutBack == nil)
        #expect(again.hasChecked(Self.forged))
        again.close()
        let last = try Vault.open(at: path)
        #expect(try entering(last) == nil && last.hasChecked(Self.forged))
    }

    /// Without the copy nobody knows what the owner chose, so nothing is opened. That is damage, as a write to any file is.
    @Test func withoutTheCopyUnderTheRootNothingOpens() throws {
        try make()
        let genuine = try now()
        try forge { $0.box[30] ^= 1 }
        do {
            let vault = try Vault.open(at: path)
            for _ in 0..<3 {
                #expect(throws: VaultError.damaged(.settings)) { try vault.enter(passcode: Cast.bytes("1234")) }
            }
            #expect(try vault.device.wrongPasscodes.isEmpty)
            #expect(!vault.isUnlocked)
            vault.close()
        }
        try forge { $0.box = genuine.box }
        let vault = try Vault.open(at: path)
        #expect(try entering(vault) == nil)
    }

    @Test func aKeybagWithoutTheCopyIsRefused() throws {
        try make()
        try forge { $0.box = [] }
        #expect(throws: VaultError.damaged(.keybag)) { try Vault.open(at: path) }
    }

    /// Another authenticator is asked only once the settings that may name it are checked.
    @Test func theSettingsAreCheckedBeforeAnotherAuthenticatorIsAsked() throws {
        try make()
        func asked(_ passcode: String, _ vault: Vault) throws -> [Bool] {
            var checks: [Bool] = []
            _ = try vault.enter(passcode: Cast.bytes(passcode), in: nil, at: nil) { _ in
                checks.append(vault.hasChecked(Self.owner))
                return .accepted
            }
            return checks
        }
        let vault = try Vault.open(at: path)
        #expect(try asked("wrong", vault) == [false])
        #expect(try asked("1234", vault) == [true])
        vault.close()
        try forge { $0.settings = Self.forged }
        let other = try Vault.open(at: path)
        #expect(try asked("wrong", other) == [false])
        #expect(try other.device.wrongPasscodes.count == 1, "a wrong passcode counts, checked settings or not")
        var isAsked = false
        #expect(throws: VaultError.self) {
            try other.enter(passcode: Cast.bytes("1234"), in: nil, at: nil) { _ in
                isAsked = true
                return .accepted
            }
        }
        #expect(!isAsked)
    }

    @Test func anOpenVaultNoticesAtOnceAndClosesItself() throws {
        try make()
        let vault = try Vault.open(at: path)
        #expect(try entering(vault) == nil)
        try forge { $0.settings = Self.forged }
        // The generation is what it was, so the change shows with the next one, whoever makes it.
        try forgeNext(vault)
        #expect(throws: VaultError.self) { _ = try vault.reading("mail") }
        #expect(vault.hasClosedItself && !vault.hasCheckedSettings)
    }

    /// Has another program write the keybag, so that its generation rises.
    private func forgeNext(_ vault: Vault) throws {
        let other = try Vault.open(at: path)
        #expect(try !other.enter(passcode: Cast.bytes("wrong")).authenticated(.passcode))
        other.close()
    }

    @Test func aLockedVaultHasUncheckedSettingsUntilTheNextPasscode() throws {
        try make()
        let vault = try Vault.open(at: path)
        #expect(try entering(vault) == nil)
        try vault.lock()
        try forge { $0.settings = Self.forged }
        try forgeNext(vault)
        _ = try vault.device
        #expect(!vault.hasCheckedSettings && !vault.hasChecked(Self.forged) && !vault.hasChecked(Self.owner))
        #expect(throws: VaultError.self) { try vault.change(settings: Self.forged, for: Cast.app) }
        #expect(try entering(vault)?.owner == Self.owner)
    }

    /// Older settings with their copy are as genuine as the present ones. A program that has seen newer ones notices.
    @Test func olderSettingsAreNoticedByAProgramThatHasSeenNewerOnes() throws {
        try make()
        let older = try now()
        let vault = try Vault.open(at: path)
        #expect(try entering(vault) == nil)
        try vault.change(settings: Self.forged, for: Cast.app)
        try vault.lock()
        try forge { $0 = older }
        try forgeNext(vault)
        _ = try vault.device
        #expect(!vault.hasCheckedSettings)
        let change = try #require(try entering(vault))
        #expect(change.found == Self.owner && change.owner == Self.forged)
    }

    /// After a restart, nothing shows that settings with their copy are older. A new passcode changes nothing about that, since
    /// the root stays. A rekey replaces the root, which no older copy is under.
    @Test(arguments: ["nothing", "a new passcode", "a rekey"])
    func olderSettingsEndWithARekeyAndNotBefore(_ happening: String) throws {
        try make()
        let older = try now()
        let vault = try Vault.open(at: path)
        #expect(try entering(vault) == nil)
        try vault.change(settings: Self.forged, for: Cast.app)
        var passcode = "1234"
        switch happening {
        case "a new passcode":
            passcode = "5678"
            _ = try vault.changePasscode(from: Cast.bytes("1234"), to: Cast.bytes(passcode))
        case "a rekey": _ = try vault.rekey(Cast.bytes(passcode))
        default: break
        }
        vault.close()
        try forge { ($0.settings, $0.box, $0.number) = (older.settings, older.box, older.number) }
        let again = try Vault.open(at: path)
        if happening == "a rekey" {
            #expect(throws: VaultError.damaged(.settings)) { try again.enter(passcode: Cast.bytes(passcode)) }
            #expect(!again.isUnlocked && !again.hasCheckedSettings)
        } else {
            #expect(try entering(again, passcode) == nil)
            #expect(again.hasChecked(Self.owner))
        }
    }

    @Test func aChangeByTheOwnerInAnotherProgramIsCheckedAtOnce() throws {
        try make()
        let (one, other) = (try Vault.open(at: path), try Vault.open(at: path))
        #expect(try entering(one) == nil)
        #expect(try entering(other) == nil)
        try other.change(settings: Self.forged, for: Cast.app)
        _ = try one.device
        #expect(one.hasChecked(Self.forged))
        try one.lock()
        try other.change(settings: Self.owner, for: Cast.app)
        _ = try one.device
        #expect(!one.hasCheckedSettings, "the key for them is gone with the lock")
        #expect(try entering(one) == nil)
        #expect(one.hasChecked(Self.owner))
    }

    /// The owner has just set the passcode, so a new vault needs it no second time.
    @Test func theSettingsOfANewVaultAreChecked() throws {
        var options = VaultOptions.simulated()
        options.settings = Self.owner
        let vault = try Vault.create(at: path, options, passcode: Cast.bytes("1234")).vault
        #expect(vault.hasChecked(Self.owner))
        try vault.change(settings: Self.forged, for: Cast.app)
        #expect(vault.hasChecked(Self.forged))
        vault.close()
    }

    @Test func nothingIsSealedWithoutThePasscode() throws {
        try make()
        let vault = try Vault.open(at: path)
        #expect(throws: VaultError.eventNeedsAuthentication) { try vault.change(settings: Self.forged, for: Cast.app) }
        #expect(throws: VaultError.eventNeedsAuthentication) { try vault.setAudit(isDurable: false, for: Cast.app) }
        #expect(try vault.settings == Self.owner)
        #expect(try !vault.auditLog().records.contains { $0.action.hasPrefix("set-") }, "a refused change is none")
    }

    @Test func theRecoveryKeyChecksThemToo() throws {
        let key = try #require(try make())
        try forge { $0.hasFakeSensor = true }
        let vault = try Vault.open(at: path)
        #expect(throws: VaultError.self) { try vault.recover(with: key, to: Cast.bytes("5678")) }
        vault.close()
        let again = try Vault.open(at: path)
        #expect(try again.recover(with: key, to: Cast.bytes("5678")).refusal == nil)
        #expect(!again.hasCheckedSettings, "any program can write a recovery key of its own")
        #expect(try entering(again, "5678") == nil)
        #expect(again.hasChecked(Self.owner))
    }

    /// Every change of the passcode or the root keeps the settings checkable.
    @Test func theyStayGenuineThroughEveryChangeOfThePasscode() throws {
        try make()
        let vault = try Vault.open(at: path)
        _ = try vault.changePasscode(from: Cast.bytes("1234"), to: Cast.bytes("a"))
        _ = try vault.changePasscode(from: Cast.bytes("a"), to: Cast.bytes("b"), at: nil, keepingFormer: true) { _ in
            .accepted
        }
        vault.close()
        let second = try Vault.open(at: path)
        #expect(try entering(second, "a") == nil, "the former passcode checks them as well")
        let key = try #require(try second.rekey(Cast.bytes("b")).recovery)
        #expect(second.hasChecked(Self.owner))
        try second.setAudit(isDurable: false, for: Cast.app)
        try second.change(settings: Self.forged, for: Cast.app)
        second.close()
        let third = try Vault.open(at: path)
        _ = try third.recover(with: key, to: Cast.bytes("c"))
        third.close()
        let fourth = try Vault.open(at: path)
        #expect(try entering(fourth, "c") == nil && fourth.hasChecked(Self.forged))
        _ = try fourth.removePasscode(Cast.bytes("c"))
        try fourth.apply(.erase)
        #expect(fourth.hasChecked(Self.forged), "the settings outlive an erasure")
        fourth.close()
        let last = try Vault.open(at: path)
        #expect(last.hasChecked(Self.forged), "a vault without a passcode checks them as it opens")
    }

    /// A real vault whose settings are not checked accepts no match, whatever the keybag says of its sensor.
    @Test func aRealVaultAcceptsNoMatchBeforeTheyAreChecked() throws {
        try make {
            $0 = VaultOptions.real(sensor: .touchID)
            $0.settings = Self.owner
        }
        try forge { $0.hasFakeSensor = true }
        let vault = try Vault.open(at: path)
        let list = SensorList(sensor: "s", names: ["1": "right index"])
        _ = try vault.recordEnrollments(list) { _ in list }
        #expect(try vault.record(matched: "1", in: nil, at: nil)?.refusal != nil)
        #expect(try entering(vault) != nil)
        vault.close()
        let again = try Vault.open(at: path)
        #expect(!again.hasFakeSensor)
    }

    // MARK: - The cost and the salt

    /// The passcode opens nothing at another cost or with another salt. What is wrapped anew must not become cheaper to guess.
    @Test(arguments: [0, 1]) func theRecoveryKeyPutsBackTheCostAndTheSalt(_ place: Int) throws {
        let key = try #require(try make { $0.cost = .interactive })
        let before = try now()
        try forge { if place == 0 { $0.cost = .test } else { $0.salt[3] ^= 1 } }
        let vault = try Vault.open(at: path)
        #expect(throws: VaultError.self) { try vault.recover(with: key, to: Cast.bytes("5678")) }
        #expect(vault.hasClosedItself)
        vault.close()
        #expect(try now().cost == before.cost && now().salt == before.salt)
        #expect(try entering(Vault.open(at: path)) == nil, "the passcode is what it was")
    }

    // MARK: - Another program's root

    /// A keybag that another program writes while the vault is open.
    static let unadopted: [(name: String, cost: StretchCost, change: @Sendable (inout ForgedSettings) -> Void)] = [
        ("real", .moderate, { $0.isReal.toggle() }),
        ("a lower cost", .interactive, { $0.cost = .test }),
        ("a lower cost and another root", .interactive, { ($0.cost, $0.underPasscode) = (.test, [1]) }),
        ("a higher cost", .test, { $0.cost = .interactive }),
        ("another salt", .test, { $0.salt[3] ^= 1 }),
        ("another salt of application passwords", .test, { $0.applicationSalt[3] ^= 1 }),
        ("no passcode", .test, { $0.passcode = nil }),
    ]

    @Test(arguments: unadopted.indices) func anOpenVaultClosesItselfBeforeItTakesIn(_ place: Int) throws {
        let (_, cost, change) = Self.unadopted[place]
        var options = VaultOptions.simulated()
        options.cost = cost
        let vault = try Vault.create(at: path, options, passcode: Cast.bytes("1234")).vault
        try forge {
            change(&$0)
            $0.generation += 1
        }
        #expect(throws: VaultError.damaged(.keybag)) { try vault.device }
        #expect(vault.hasClosedItself && !vault.hasCheckedSettings)
    }

    @Test func anOpenVaultLocksItselfOnceTheRootIsAnother() throws {
        try make()
        let (vault, other) = (try Vault.open(at: path), try Vault.open(at: path))
        #expect(try entering(vault) == nil)
        #expect(!vault.hasOtherRoot)
        _ = try other.changePasscode(from: Cast.bytes("1234"), to: Cast.bytes("5678"))
        _ = try vault.device
        #expect(vault.hasOtherRoot && !vault.isUnlocked && !vault.hasCheckedSettings)
        #expect(try vault.auditLog().records.contains { $0.action == "root, wrapped by another program" })
        #expect(try !other.hasOtherRoot && other.auditLog().damage == nil, "the other one has changed it itself")
        #expect(try entering(vault, "5678") == nil)
        #expect(vault.hasChecked(Self.owner))
    }

    @Test func aRootWithoutAPasscodeBesideOneWithIsRefused() throws {
        try make()
        try forge { $0.underFixed = [1] }
        #expect(throws: VaultError.damaged(.keybag)) { try Vault.open(at: path) }
    }

    /// Its root would need none, or the device would never lock.
    @Test(arguments: [false, true]) func aRealVaultWithoutAPasscodeIsRefused(onItsDevice: Bool) throws {
        try make { $0 = .real() }
        try forge { if onItsDevice { $0.passcode = nil } else { ($0.underPasscode, $0.underFixed) = (nil, [1]) } }
        #expect(throws: VaultError.damaged(.keybag)) { try Vault.open(at: path) }
    }

    /// Returns what another program writes that has the device file, and a root of its own: the one of a copy of the vault
    /// after `change`.
    private func foreign(_ change: (Vault) throws -> Void) throws -> ForgedSettings {
        let copy = folder.path("copy")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let vault = try Vault.open(at: copy)
        #expect(try entering(vault) == nil)
        try change(vault)
        vault.close()
        return try KeybagProbe(deviceFile: copy + "/device").forge(databaseAt: copy + "/vault.db") { _ in }
    }

    @Test func aForeignRecoveryKeyMakesNoSettingsCount() throws {
        try make()
        var key: RecoveryKey?
        let foreign = try foreign { vault in
            key = try vault.rekey(Cast.bytes("1234")).recovery
            try vault.change(settings: Self.forged, for: Cast.app)
        }
        try forge {
            ($0.underRecovery, $0.box, $0.settings) = (foreign.underRecovery, foreign.box, foreign.settings)
            ($0.number, $0.salt) = (foreign.number, foreign.salt)
        }
        let vault = try Vault.open(at: path)
        #expect(try vault.isRecoveryKey(try #require(key)))
        #expect(!vault.hasCheckedSettings && !vault.hasChecked(Self.forged))
    }

    /// The foreign root of a former passcode, beside the keys of the owner: with the owner's settings, and with its own.
    @Test(arguments: [false, true]) func aForeignFormerPasscodeMakesNoSettingsCount(_ hasSettings: Bool) throws {
        try make()
        let foreign = try foreign { vault in
            _ = try vault.removePasscode(Cast.bytes("1234"))
            try vault.apply(.erase)
            try vault.change(settings: Self.forged, for: Cast.app)
            try vault.setPasscode(Cast.bytes("foreign"))
        }
        try forge {
            $0.underFormer = foreign.underPasscode
            guard hasSettings else { return }
            ($0.box, $0.settings, $0.number) = (foreign.box, foreign.settings, foreign.number)
            ($0.passcodeGate, $0.isAuditDurable) = (foreign.passcodeGate, foreign.isAuditDurable)
        }
        let vault = try Vault.open(at: path)
        var isAsked = false
        #expect(throws: VaultError.damaged(hasSettings ? .keybag : .settings)) {
            try vault.enter(passcode: Cast.bytes("foreign"), in: nil, at: nil) { _ in
                isAsked = true
                return .accepted
            }
        }
        #expect(!isAsked && !vault.isUnlocked && !vault.hasCheckedSettings)
    }

    /// A match opens no vault whose settings are not checked, also if its keybag says that it is a simulated one.
    @Test func noMatchCountsBeforeTheSettingsAreChecked() throws {
        try make { $0.device = DeviceSettings(sensor: .touchID, lockGrace: .zero) }
        let vault = try Vault.open(at: path)
        #expect(try entering(vault) == nil)
        let list = SensorList(sensor: "s", names: ["1": "right index"])
        _ = try vault.recordEnrollments(list) { _ in list }
        try vault.lock()
        #expect(try vault.record(matched: "1", in: nil, at: nil)?.refusal == nil && vault.isUnlocked)
        try vault.lock()
        try forge {
            $0.settings = Self.forged
            $0.generation += 1
        }
        #expect(try vault.record(matched: "1", in: nil, at: nil)?.refusal != nil)
        #expect(!vault.isUnlocked)
    }
}
