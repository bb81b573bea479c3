import AccessPolicy
import Foundation
import LatchkeyTesting
import Security
import TestSupport
import Testing

/// A new phone: what a backup, a direct transfer and the account take along.
@Suite struct BackupTests {
    /// A class with its constant, strictest first.
    private static let classes: [(protection: Accessibility, constant: String)] = [
        (.whenPasscodeSetThisDeviceOnly, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly as String),
        (.whenUnlockedThisDeviceOnly, kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String),
        (.whenUnlocked, kSecAttrAccessibleWhenUnlocked as String),
        (.afterFirstUnlockThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String),
        (.afterFirstUnlock, kSecAttrAccessibleAfterFirstUnlock as String),
        (.alwaysThisDeviceOnly, kSecAttrAccessibleAlwaysThisDeviceOnly as String),
        (.always, kSecAttrAccessibleAlways as String),
    ]

    private func store(_ constant: String) -> SeedStore {
        SeedStore(account: constant, accessible: constant, syncs: false)
    }

    /// Returns the classes of the items that a device has.
    private func found(on device: SimulatedDevice) -> [Accessibility] {
        device.run { Self.classes.filter { store($0.constant).load() == "x" }.map(\.protection) }
    }

    private func full() -> SimulatedDevice {
        let device = SimulatedDevice()
        device.run { for (_, constant) in Self.classes { #expect(store(constant).save("x") == errSecSuccess) } }
        return device
    }

    /// The table of docs/testing.md has a row for each class, in the words of the model.
    @Test func theTableOnThePageIsTheModels() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/testing.md"), encoding: .utf8)
        func word(_ isThere: Bool) -> String { isThere ? "yes" : "no" }
        for (protection, _) in Self.classes {
            let item = Item(AccessControl(protection))
            var synced = item
            synced.isSynchronizable = true
            let flagged = Item(try AccessControl(protection: protection, flags: .userPresence))
            #expect(flagged.travel(inEncryptedBackup: true) == .never)
            let cells = [
                item.travel(inEncryptedBackup: false) != .never, item.travel(inEncryptedBackup: true) != .never,
                item.travel(inEncryptedBackup: true) == .anywhere, synced.syncObstacle == nil,
            ]
            let row = "| `\(protection)` | \(cells.map(word).joined(separator: " | ")) |"
            #expect(page.contains(row), "\(row)")
        }
    }

    @Test(arguments: [false, true]) func theSameDeviceGetsWhatTheModelSays(_ encrypted: Bool) {
        let device = full()
        let backup = device.backUp(encrypted: encrypted)
        #expect(backup.refusal == nil && backup.itemCount == 6 && backup.isEncrypted == encrypted)
        #expect(device.restore(backup) && device.passcode == "1234" && device.enrolled == ["right index"])
        let expected = Self.classes.map(\.protection).filter {
            Item(AccessControl($0)).travel(inEncryptedBackup: encrypted) != .never
        }
        #expect(found(on: device) == expected)
    }

    @Test func anotherDeviceGetsWhatTheModelSays() {
        let expected = Self.classes.map(\.protection).filter {
            Item(AccessControl($0)).travel(inEncryptedBackup: true) == .anywhere
        }
        let device = full()
        let next = SimulatedDevice(restoring: device.backUp(encrypted: true))
        #expect(found(on: next) == expected && next.passcode == "1234" && next.enrolled == ["right index"])
        #expect(found(on: SimulatedDevice(restoring: device.backUp(encrypted: false))).isEmpty)
        let migrated = SimulatedDevice()
        #expect(device.migrate(to: migrated) && found(on: migrated) == expected)
        #expect(found(on: device).count == Self.classes.count, "the old device keeps its items")
    }

    @Test func anItemBehindAFingerNeverSurvivesTheNewPhone() throws {
        let device = SimulatedDevice()
        try device.run { try TokenStore().save("s3cret") }
        let next = SimulatedDevice(restoring: device.backUp())
        next.run { #expect(TokenStore().status() == errSecItemNotFound) }
    }

    /// An app that cleans up at its first launch is no new app after a restore.
    @Test func userDefaultsTravelWithTheBackup() {
        let device = SimulatedDevice()
        device.defaults.set(true, forKey: "hasLaunched")
        let backup = device.backUp()
        device.defaults.set(true, forKey: "later")
        let (restored, migrated) = (SimulatedDevice(restoring: backup), SimulatedDevice())
        #expect(restored.defaults.bool(forKey: "hasLaunched") && !restored.defaults.bool(forKey: "later"))
        #expect(device.migrate(to: migrated) && migrated.defaults.bool(forKey: "later"))
        // A backup that is not encrypted takes the defaults to another device, and no items.
        let plain = SimulatedDevice(restoring: device.backUp(encrypted: false))
        #expect(plain.defaults.bool(forKey: "hasLaunched") && "\(plain)".contains("restore without items"))
        #expect(device.restore(backup) && device.defaults.bool(forKey: "hasLaunched"))
        #expect(!device.defaults.bool(forKey: "later"))
    }

    @Test func aLockedDeviceAndAWrongPasswordAreRefused() {
        let device = full()
        let backup = device.backUp(encrypted: true, password: "right")
        #expect(!device.restore(backup, password: "wrong") && found(on: device).count == Self.classes.count)
        device.lock()
        device.advance(by: .seconds(11))
        let none = device.backUp()
        #expect(none.refusal != nil && none.itemCount == 0 && !device.restore(none))
        #expect(!device.migrate(to: SimulatedDevice()))
    }

    /// What a restored device had is merged with what its account has, once it joins anew.
    @Test func aRestoredDeviceJoinsAnew() {
        let family = Family()
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        let backup = family.pad.backUp()
        family.phone.run { SeedStore().update("two") }
        family.account.settle()
        #expect(family.pad.restore(backup) && family.pad.trust == .noAccount)
        family.pad.run { #expect(SeedStore().load() == "one", "as it was in the backup") }
        family.account.settle()
        family.phone.run { #expect(SeedStore().load() == "two") }
        #expect(family.account.signIn(family.pad) && family.pad.join(sponsoredBy: family.phone))
        family.account.settle()
        for device in [family.phone, family.pad] { device.run { #expect(SeedStore().load() == "two") } }
        #expect(family.account.itemCount == 1)
    }
}
