import Foundation
import LatchkeyTesting
import Security
import Testing

/// The circle of an account: section 13.4 of the fact sheet, fact by fact.
@Suite struct CircleTests {
    private func stranger(_ account: SimulatedAccount) -> SimulatedDevice {
        let device = SimulatedDevice(passcode: "0000")
        account.signIn(device)
        return device
    }

    @Test func theTrustFollowsTheCircle() {
        let account = SimulatedAccount()
        let (phone, pad) = (SimulatedDevice(), SimulatedDevice())
        #expect(phone.trust == .noAccount && !phone.establishCircle())
        #expect(account.signIn(phone) && account.signIn(pad) && !account.signIn(phone))
        #expect(phone.trust == .noCircle)
        #expect(!pad.join(sponsoredBy: phone), "there is no circle yet")
        #expect(phone.establishCircle() && phone.trust == .inCircle && pad.trust == .notInCircle)
        #expect(!pad.establishCircle(), "the account has one")
        #expect(!SimulatedAccount().signIn(phone), "it is signed in elsewhere")
    }

    @Test func theAccountAloneReadsNothing() {
        let family = Family()
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        let thief = stranger(family.account)
        family.account.settle()
        thief.run { #expect(SeedStore().load() == nil) }
        #expect(thief.trust == .notInCircle)
        family.account.resetCircle(by: thief)
        family.account.settle()
        thief.run { #expect(SeedStore().load() == nil, "a reset discloses nothing") }
        #expect(family.account.itemCount == 0 && family.phone.trust == .notInCircle)
        family.phone.run { #expect(SeedStore().load() == "one", "each device keeps its items") }
    }

    @Test func aSponsorIsAMemberAndUnlocked() {
        let family = Family()
        let (other, third) = (stranger(family.account), stranger(family.account))
        #expect(!other.join(sponsoredBy: third))
        family.phone.lock()
        #expect(!other.join(sponsoredBy: family.phone))
        family.phone.unlock(passcode: "1234")
        #expect(other.join(sponsoredBy: family.phone) && other.trust == .inCircle)
        #expect(!other.join(sponsoredBy: family.phone), "it is in already")
    }

    @Test(arguments: [
        (SimulatedAccount.DeviceKind.watch, SimulatedAccount.DeviceKind.full, true), (.tv, .tv, true),
        (.tv, .full, false),
        (.speaker, .speaker, true), (.speaker, .tv, false), (.windows, .full, false), (.windows, .windows, false),
    ])
    func kindsIntroduceKinds(
        _ sponsor: SimulatedAccount.DeviceKind, _ joiner: SimulatedAccount.DeviceKind, _ isAllowed: Bool
    ) {
        let family = Family()
        let member = family.adding(SimulatedDevice(), as: sponsor)
        let other = SimulatedDevice()
        family.account.signIn(other, as: joiner)
        #expect(other.join(sponsoredBy: member) == isAllowed)
    }

    @Test func thePasscodeOfAnotherDeviceOpensTheCircle() {
        let family = Family()
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        let thief = stranger(family.account)
        #expect(!thief.join(withPasscode: "0000", of: family.phone) && family.phone.escrowTriesLeft == 9)
        #expect(thief.join(withPasscode: "9999", of: family.pad), "an item is as strong as the weakest passcode")
        family.account.settle()
        thief.run { #expect(SeedStore().load() == "one") }
    }

    @Test func theTenthWrongPasscodeDestroysTheRecord() {
        let family = Family()
        let thief = stranger(family.account)
        for left in (0..<9).reversed() {
            #expect(!thief.join(withPasscode: "guess", of: family.phone))
            #expect(family.phone.escrowTriesLeft == left + 1)
        }
        #expect(!thief.join(withPasscode: "guess", of: family.phone) && family.phone.escrowTriesLeft == nil)
        #expect(!thief.join(withPasscode: "1234", of: family.phone), "the right one comes too late")
        family.account.settle()
        #expect(family.phone.escrowTriesLeft == 10, "the device leaves a new record at its next check")
    }

    @Test func theRightPasscodeRestoresTheTries() {
        for restores in [true, false] {
            let account = SimulatedAccount(rightPasscodeRestoresTries: restores)
            let (phone, pad) = (SimulatedDevice(), SimulatedDevice())
            account.signIn(phone)
            account.signIn(pad)
            phone.establishCircle()
            pad.join(withPasscode: "wrong", of: phone)
            #expect(pad.join(withPasscode: "1234", of: phone))
            #expect(phone.escrowTriesLeft == (restores ? 10 : 9))
        }
    }

    @Test func aChangedPasscodeCountsAfterTheNextCheck() {
        let family = Family()
        let (first, second) = (stranger(family.account), stranger(family.account))
        family.phone.setPasscode("5555")
        #expect(!first.join(withPasscode: "5555", of: family.phone))
        #expect(first.join(withPasscode: "1234", of: family.phone), "the former one opens the former record")
        family.account.settle()
        #expect(!second.join(withPasscode: "1234", of: family.phone))
        #expect(second.join(withPasscode: "5555", of: family.phone))
        family.phone.removePasscode()
        family.account.settle()
        #expect(family.phone.escrowTriesLeft == nil)
    }

    @Test func aLostDeviceStillBringsInAnother() {
        let family = Family()
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        family.phone.isOffline = true
        family.pad.isOffline = true
        let new = stranger(family.account)
        #expect(new.join(withPasscode: "1234", of: family.phone))
        family.account.settle()
        new.run { #expect(SeedStore().load() == "one", "losing every device loses nothing") }
    }

    @Test func theRecoveryKeyNeedsNoOtherDevice() {
        let family = Family()
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        let new = stranger(family.account)
        #expect(!new.join(withRecoveryKey: "AAAA"), "none is set")
        #expect(family.account.setRecoveryKey("AAAA", by: family.phone))
        #expect(!new.join(withRecoveryKey: "BBBB") && new.join(withRecoveryKey: "AAAA"))
        family.account.settle()
        new.run { #expect(SeedStore().load() == "one") }
    }

    @Test func leavingDeletesNothingAndEndsTheExchange() {
        let family = Family()
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        #expect(family.pad.leaveCircle() && family.pad.trust == .notInCircle)
        family.phone.run { SeedStore().update("two") }
        family.account.settle()
        family.pad.run { #expect(SeedStore().load() == "one") }
        #expect(!family.phone.leaveCircle(), "the only member cannot leave")
        #expect(family.pad.join(sponsoredBy: family.phone))
        family.account.settle()
        family.pad.run { #expect(SeedStore().load() == "two") }
    }

    @Test func aRemovedDeviceReadsWhatItHadAndNothingNew() {
        let family = Family()
        family.phone.run { SeedStore(account: "a").save("one") }
        family.account.settle()
        #expect(family.account.removeFromDeviceList(family.pad))
        family.phone.run { SeedStore(account: "b").save("two") }
        family.pad.run { SeedStore(account: "c").save("three") }
        family.account.settle()
        family.pad.run { #expect(SeedStore(account: "a").load() == "one" && SeedStore(account: "b").load() == nil) }
        family.phone.run { #expect(SeedStore(account: "c").load() == nil) }
        let other = stranger(family.account)
        #expect(!other.join(sponsoredBy: family.pad))
        #expect(!other.join(withPasscode: "9999", of: family.pad), "the circle has excluded it")
    }

    @Test func aRemovedDeviceIsNotInTheCircleAndReturnsAsANewOne() {
        let family = Family()
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        family.account.removeFromDeviceList(family.pad)
        #expect(family.pad.trust == .notInCircle)
        family.pad.run { #expect(SeedStore().delete() == errSecSuccess) }
        #expect(family.account.signIn(family.pad) && family.pad.join(sponsoredBy: family.phone))
        family.account.settle()
        for device in [family.phone, family.pad] {
            device.run { #expect(SeedStore().load() == "one", "a device that joins fetches before it sends") }
        }
    }

    @Test func anErasedDeviceLeavesItsIdentityAndItsRecord() {
        let account = SimulatedAccount()
        let (phone, new) = (SimulatedDevice(), SimulatedDevice(passcode: "0000"))
        account.signIn(phone)
        phone.establishCircle()
        phone.run { SeedStore().save("one") }
        account.settle()
        #expect(phone.erase() && account.signIn(new))
        #expect(new.trust == .notInCircle && !new.establishCircle(), "the circle still has the phone")
        #expect(new.join(withPasscode: "1234", of: phone))
        account.settle()
        new.run { #expect(SeedStore().load() == "one", "the account kept the items of the lost phone") }
    }

    @Test func anErasureByWrongPasscodesIsNoDeletion() {
        let family = Family()
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        let backup = family.pad.backUp()
        #expect(family.pad.restore(backup) && family.pad.trust == .noAccount)
        family.account.settle()
        family.phone.run { #expect(SeedStore().load() == "one") }
    }

    @Test func onlyItemsOfApplesGroupsGoAtSignOutAlsoWhileLocked() {
        let family = Family()
        family.pad.app = App(keychainGroups: ["com.apple.cfnetwork"])
        let web = SeedStore(account: "web", group: "com.apple.cfnetwork")
        let hinted = SeedStore(account: "hinted", group: "com.example.app")
        family.pad.run {
            web.save("apple's")
            hinted.save("app's")
            #expect(hinted.change([kSecAttrSyncViewHint as String: "Passwords"]) == errSecSuccess)
        }
        family.pad.lock()
        #expect(family.pad.signOut(deletingData: true) && family.pad.unlock(passcode: "9999"))
        family.pad.run { #expect(web.load() == nil && hinted.attributes() != nil) }
    }

    @Test func aDeviceThatTakesNoPartSaysSoOnce() {
        let family = Family()
        family.pad.isOffline = true
        for _ in 1...3 { family.account.settle() }
        #expect(family.rules == ["device 2: sync.offline"])
        #expect("\(family.account.records[0])".hasPrefix("device 2: the device has no network"))
        #expect(!family.account.signIn(family.pad) && !SimulatedAccount().signIn(family.pad))
    }

    @Test func thePasswordOfTheAccountChangesNothingInTheCircle() {
        let family = Family()
        #expect(family.account.changePassword(by: family.pad))
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        family.pad.run { #expect(SeedStore().load() == "one") }
    }

    @Test(arguments: [false, true]) func signingOutKeepsTheItemsOfApps(_ deletesData: Bool) {
        let family = Family()
        family.pad.app = App(keychainGroups: ["com.apple.cfnetwork"])
        family.pad.run {
            SeedStore(account: "web", group: "com.apple.cfnetwork").save("apple's")
            SeedStore(account: "app", group: "com.example.app").save("app's")
        }
        family.account.settle()
        #expect(family.pad.signOut(deletingData: deletesData) && family.pad.trust == .noAccount)
        family.pad.run {
            #expect(SeedStore(account: "app", group: "com.example.app").load() == "app's")
            #expect((SeedStore(account: "web", group: "com.apple.cfnetwork").load() == nil) == deletesData)
        }
        family.phone.app = App(keychainGroups: ["com.apple.cfnetwork"])
        family.account.settle()
        family.phone.run { #expect(SeedStore(account: "web", group: "com.apple.cfnetwork").load() == "apple's") }
        // The next account that syncs on the device gets what stayed.
        let (other, mac) = (SimulatedAccount(), SimulatedDevice.mac())
        other.signIn(mac)
        mac.establishCircle()
        #expect(other.signIn(family.pad) && family.pad.join(sponsoredBy: mac))
        other.settle()
        mac.run { #expect(SeedStore(account: "app").load() == "app's") }
    }

    @Test func anErasedDeviceTakesNothingFromTheOthers() {
        let family = Family()
        family.phone.run { SeedStore().save("one") }
        family.account.settle()
        #expect(family.pad.erase() && family.pad.trust == .noAccount)
        family.account.settle()
        family.phone.run { #expect(SeedStore().load() == "one") }
        #expect(family.account.signIn(family.pad) && family.pad.trust == .notInCircle)
        #expect(family.pad.join(sponsoredBy: family.phone))
        family.account.settle()
        family.pad.run { #expect(SeedStore().load() == "one") }
    }

    @Test func itemsSavedBeforeJoiningAreSentAfterwards() {
        let account = SimulatedAccount()
        let (phone, pad) = (SimulatedDevice(), SimulatedDevice())
        phone.run { SeedStore(account: "a").save("one") }
        pad.run { SeedStore(account: "b").save("two") }
        account.signIn(phone)
        account.signIn(pad)
        account.settle()
        #expect(account.itemCount == 0)
        phone.establishCircle()
        pad.join(sponsoredBy: phone)
        account.settle()
        phone.run { #expect(SeedStore(account: "b").load() == "two") }
        pad.run { #expect(SeedStore(account: "a").load() == "one") }
    }

    /// The devices of an account end with the test, in any order.
    @Test func anAccountKeepsItsDevicesAndEndsWithThem() {
        weak var gone: SimulatedDevice?
        do {
            let account = SimulatedAccount()
            var phone: SimulatedDevice? = SimulatedDevice()
            gone = phone
            if let phone { account.signIn(phone) }
            phone = nil
            #expect(gone != nil && account.devices.count == 1)
        }
        #expect(gone == nil)
        let pad = SimulatedDevice()
        do { SimulatedAccount().signIn(pad) }
        #expect(pad.establishCircle() && pad.trust == .inCircle, "a device outlives the account")
    }
}
