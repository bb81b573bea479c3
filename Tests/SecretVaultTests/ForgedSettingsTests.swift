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
}
