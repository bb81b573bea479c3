import AccessPolicy
import Foundation
import LatchkeyTesting
import Security
import Testing

/// Items that move between the devices of an account: section 13.2 and 13.3 of the fact sheet, fact by fact.
@Suite struct MovingItemsTests {
    @Test func anItemReachesTheOtherDevicesOnlyWhenItIsDelivered() {
        let family = Family()
        family.phone.run { #expect(SeedStore().save("one") == errSecSuccess) }
        family.pad.run { #expect(SeedStore().load() == nil, "nothing moves by itself") }
        family.account.settle()
        family.pad.run { #expect(SeedStore().load() == "one") }
        #expect(family.rules == ["device 1: sync.sent", "device 2: sync.arrived"])
        #expect(family.account.records.first?.item == "wallet / seed")
        family.account.clearRecords()
        family.account.settle()
        #expect(family.rules.isEmpty, "nothing is left to move")
    }

    @Test func oneDeliveryReachesOneDevice() {
        let family = Family()
        let mac = family.adding(.mac())
        family.phone.run { SeedStore().save("one") }
        family.account.deliver(to: mac)
        mac.run { #expect(SeedStore().load() == "one") }
        family.pad.run { #expect(SeedStore().load() == nil) }
    }

    @Test func aQueryFindsWhatArrivedOnlyIfItSaysSo() {
        let family = Family()
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        family.pad.run {
            #expect(SeedStore().status(false) == errSecItemNotFound)
            #expect(SeedStore().status(true) == errSecSuccess)
            #expect(SeedStore().status(kSecAttrSynchronizableAny) == errSecSuccess)
        }
    }

    @Test func aLocalItemOfTheSameNameStaysApart() {
        let family = Family()
        family.pad.run { SeedStore(syncs: false).save("local") }
        family.phone.run { SeedStore().save("synced") }
        family.account.settle()
        family.pad.run {
            #expect(SeedStore(syncs: false).load() == "local" && SeedStore().load() == "synced")
            #expect(SeedStore().delete(kSecAttrSynchronizableAny) == errSecSuccess)
            #expect(SeedStore().status(kSecAttrSynchronizableAny) == errSecItemNotFound)
        }
        family.account.settle()
        family.phone.run { #expect(SeedStore().load() == nil, "a deletion with Any reaches the other devices") }
    }

    @Test func itemsThatNeverLeaveSayWhy() throws {
        let family = Family()
        family.phone.run {
            for accessible in [
                kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, kSecAttrAccessibleAlwaysThisDeviceOnly,
            ] {
                let name = accessible as String
                #expect(SeedStore(account: name, accessible: name).save("x") == errSecSuccess)
            }
        }
        family.account.settle()
        #expect(family.rules == Array(repeating: "device 1: sync.this-device-only", count: 4))
        family.account.clearRecords()
        family.account.settle()
        #expect(family.rules.isEmpty, "each is said once")
    }

    @Test func anAccessControlIsRefusedAtOnce() throws {
        let family = Family()
        try family.phone.run {
            let control = try #require(
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .biometryCurrentSet, nil))
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "a",
                kSecAttrAccessControl as String: control, kSecAttrSynchronizable as String: true,
                kSecValueData as String: Data("x".utf8),
            ]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecParam)
        }
    }

    @Test(arguments: [Accessibility.whenUnlocked, .afterFirstUnlock, .always])
    func theClassOfTheItemDecidesWhatArrivesWhileLocked(_ protection: Accessibility) {
        let accessible =
            switch protection {
            case .always: kSecAttrAccessibleAlways as String
            case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock as String
            default: kSecAttrAccessibleWhenUnlocked as String
            }
        for state in ["locked", "before first unlock"] {
            let family = Family()
            if state == "locked" { family.pad.lock() } else { family.pad.reboot() }
            let store = SeedStore(accessible: accessible)
            family.phone.run { store.save("one") }
            family.account.settle()
            let opens =
                switch protection {
                case .always: true
                case .afterFirstUnlock: state == "locked"
                default: false
                }
            #expect(family.rules.last == (opens ? "device 2: sync.arrived" : "device 2: sync.waits-for-unlock"))
            family.pad.run {
                #expect(store.load() == (opens ? "one" : nil))
                if !opens { #expect(store.status() != errSecSuccess, "nothing shows") }
            }
            #expect(family.pad.unlock(passcode: "9999"))
            family.pad.run { #expect(store.load() == "one", "it is there after the unlock") }
        }
    }

    @Test func whatIsSavedWhileOfflineIsSentLater() {
        let family = Family()
        family.phone.isOffline = true
        family.phone.run { #expect(SeedStore().save("one") == errSecSuccess, "the call never waits for the account") }
        family.account.settle()
        family.pad.run { #expect(SeedStore().load() == nil) }
        family.phone.isOffline = false
        family.account.settle()
        family.pad.run { #expect(SeedStore().load() == "one") }
    }

    @Test func changesThatCancelEachOtherOutAreNotSent() {
        let family = Family()
        family.phone.run {
            SeedStore(account: "a").save("one")
            SeedStore(account: "a").delete()
            SeedStore(account: "b").save("one")
            SeedStore(account: "b").update("two")
        }
        family.account.settle()
        #expect(family.rules == ["device 1: sync.sent", "device 2: sync.arrived"])
        family.account.clearRecords()
        family.phone.run {
            SeedStore(account: "b").delete()
            SeedStore(account: "b").save("three")
        }
        family.account.settle()
        #expect(family.rules == ["device 1: sync.sent", "device 2: sync.arrived"], "a change, and no deletion")
        family.pad.run { #expect(SeedStore(account: "b").load() == "three") }
    }

    @Test func aDeletionReachesAllDevices() {
        let family = Family()
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        family.pad.run { #expect(SeedStore().delete() == errSecSuccess) }
        family.account.settle()
        family.phone.run { #expect(SeedStore().load() == nil) }
        #expect(family.rules.suffix(2) == ["device 2: sync.sent-deletion", "device 1: sync.arrived-deletion"])
        #expect(family.account.itemCount == 0)
    }

    @Test func aChangedPrimaryKeyIsOneStepElsewhere() {
        let family = Family()
        family.phone.run { SeedStore(account: "old").save("one") }
        family.account.settle()
        family.phone.run {
            #expect(SeedStore(account: "old").change([kSecAttrAccount as String: "new"]) == errSecSuccess)
        }
        family.account.deliver(to: family.pad)
        family.pad.run {
            #expect(SeedStore(account: "old").load() == nil && SeedStore(account: "new").load() == "one")
        }
    }

    @Test func anItemThatStopsSyncingStaysHereAndGoesElsewhere() {
        let family = Family()
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        family.phone.run { #expect(SeedStore().change([kSecAttrSynchronizable as String: false]) == errSecSuccess) }
        family.account.settle()
        family.phone.run { #expect(SeedStore().load(false) == "one") }
        family.pad.run { #expect(SeedStore().status(kSecAttrSynchronizableAny) == errSecItemNotFound) }
        family.phone.run {
            #expect(SeedStore(syncs: false).change([kSecAttrSynchronizable as String: true]) == errSecSuccess)
        }
        family.account.settle()
        family.pad.run { #expect(SeedStore().load() == "one", "it arrives as a new item") }
    }

    @Test func datesTravelAndReferencesDoNot() throws {
        let family = Family()
        family.phone.advance(by: .seconds(3600))
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        let (sent, arrived) = (
            family.phone.run { SeedStore().attributes() }, family.pad.run { SeedStore().attributes() }
        )
        let dates = try [sent, arrived].map { try #require($0?[kSecAttrModificationDate as String] as? Date) }
        #expect(dates[0] == dates[1])
        let references = try [sent, arrived].map { try #require($0?[kSecValuePersistentRef as String] as? Data) }
        #expect(references[0] != references[1])
        family.phone.run { SeedStore().update("two") }
        family.account.settle()
        let updated = family.pad.run { SeedStore().attributes() }
        #expect(updated?[kSecValuePersistentRef as String] as? Data == references[1], "the reference stays good")
        family.pad.run { #expect(SeedStore().load() == "two") }
    }

    @Test func kindsOfDevicesGetDifferentItems() {
        let family = Family()
        let tv = family.adding(SimulatedDevice(biometry: .none), as: .tv)
        let watch = family.adding(SimulatedDevice(biometry: .none), as: .watch)
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        tv.run { #expect(SeedStore().load() == nil) }
        watch.run { #expect(SeedStore().load() == "one") }
        #expect(family.rules.contains("device 3: sync.view-of-other-devices"))
    }

    @Test func theSwitchIsPerDeviceAndSendsWhatIsThere() {
        let family = Family()
        family.pad.syncsPasswords = false
        family.phone.run { SeedStore(account: "a").save("one") }
        family.pad.run { SeedStore(account: "b").save("two") }
        family.account.settle()
        family.pad.run { #expect(SeedStore(account: "a").load() == nil) }
        family.phone.run { #expect(SeedStore(account: "b").load() == nil) }
        #expect(family.rules.filter { $0.hasSuffix("switched-off") }.count == 2)
        family.pad.syncsPasswords = true
        family.account.settle()
        family.pad.run { #expect(SeedStore(account: "a").load() == "one") }
        family.phone.run { #expect(SeedStore(account: "b").load() == "two") }
    }

    @Test func aRecordThatIsTooLargeStaysAndTheOthersGo() {
        let family = Family()
        family.phone.run {
            SeedStore(account: "large").save(String(repeating: "x", count: 1_100_000))
            SeedStore(account: "small").save("one")
        }
        family.account.settle()
        #expect(family.rules.contains("device 1: sync.too-large"))
        family.pad.run {
            #expect(SeedStore(account: "large").load() == nil && SeedStore(account: "small").load() == "one")
        }
    }

    @Test(arguments: ["offline", "removed"]) func whatWaitsIsTheCopyThatArrived(_ end: String) {
        let family = Family()
        family.pad.lock()
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        if end == "offline" { family.pad.isOffline = true } else { family.account.removeFromDeviceList(family.pad) }
        family.phone.run { SeedStore().update("two") }
        family.account.settle()
        #expect(family.pad.unlock(passcode: "9999"))
        family.pad.run { #expect(SeedStore().load() == "one") }
    }

    @Test func aDeletionRespectsTheSwitchInBothDirections() {
        let family = Family()
        family.phone.run {
            SeedStore(account: "a").save("one")
            SeedStore(account: "b").save("two")
        }
        family.account.settle()
        family.pad.syncsPasswords = false
        family.phone.run { SeedStore(account: "a").delete() }
        family.pad.run { SeedStore(account: "b").delete() }
        family.account.settle()
        family.pad.run { #expect(SeedStore(account: "a").load() == "one") }
        family.phone.run { #expect(SeedStore(account: "b").load() == "two") }
        family.pad.syncsPasswords = true
        family.account.settle()
        for device in [family.phone, family.pad] {
            device.run { #expect(SeedStore(account: "a").load() == nil && SeedStore(account: "b").load() == nil) }
        }
    }

    // MARK: - Conflicts

    @Test func theChangeThatWasSentFirstWins() {
        let family = Family()
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        family.pad.advance(by: .seconds(3600))
        family.phone.run { SeedStore().update("phone") }
        family.pad.run { SeedStore().update("pad, later by its clock") }
        family.account.settle()
        for device in [family.phone, family.pad] { device.run { #expect(SeedStore().load() == "phone") } }
        #expect(family.rules.contains("device 2: sync.cloud-wins"))
    }

    @Test(arguments: [SimulatedAccount.NextRecord.lowest, .highest])
    func twoNewItemsOfOneNameAreDecidedByTheirRecords(_ next: SimulatedAccount.NextRecord) {
        let family = Family()
        family.phone.run { SeedStore(account: "first").save("x") }
        family.account.settle()
        family.pad.run { SeedStore().save("pad") }
        family.pad.isOffline = true
        family.phone.run { SeedStore().save("phone") }
        family.account.settle()
        family.account.nextRecord = next
        family.pad.isOffline = false
        family.account.settle()
        let winner = next == .lowest ? "pad" : "phone"
        for device in [family.phone, family.pad] { device.run { #expect(SeedStore().load() == winner) } }
        #expect(family.account.itemCount == 2)
    }

    @Test func anArrivalWinsOverAnItemThatWasNotSentYet() {
        let family = Family()
        family.phone.run { SeedStore().save("phone") }
        family.pad.run { SeedStore().save("pad") }
        family.account.deliver(to: family.pad)
        family.pad.run { #expect(SeedStore().load() == "phone") }
    }

    @Test func aDeletionThatArrivesEndsAChange() {
        let family = Family()
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        family.pad.isOffline = true
        family.pad.run { SeedStore().update("two") }
        family.phone.run { SeedStore().delete() }
        family.account.settle()
        family.pad.isOffline = false
        family.account.settle()
        for device in [family.phone, family.pad] { device.run { #expect(SeedStore().load() == nil) } }
    }
}
