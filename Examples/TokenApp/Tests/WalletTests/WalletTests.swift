import LatchkeyTesting
import Security
import Testing
import Wallet

/// Two phones of one person. Each test fails for the code with the mistake, and passes for the code without it.
@Suite struct WalletTests {
    private let account = SimulatedAccount()
    private let phone = SimulatedDevice.iPhoneWithFaceID()
    private let second = SimulatedDevice.iPhoneWithTouchID()

    init() {
        for device in [phone, second] { account.signIn(device) }
        phone.establishCircle()
        second.join(sponsoredBy: phone)
    }

    /// Runs a test of the code with the mistake, for which it has to fail, and of the code without it.
    private func check(_ mistake: Comment, _ body: (_ isMended: Bool) -> Void) {
        withKnownIssue(mistake) { body(false) }
        for device in [phone, second] {
            device.run { _ = SecItemDelete(everything as CFDictionary) }
        }
        account.settle()
        body(true)
    }

    private var everything: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrSynchronizable as String: kSecAttrSynchronizableAny,
        ]
    }

    @Test func theSeedStaysOnItsPhone() {
        check("the seed is synchronizable") { isMended in
            let seed = Seed(isMended: isMended)
            phone.run { #expect(seed.save("legal winner thank year") == errSecSuccess) }
            account.settle()
            #expect(phone.run { seed.isThere } && !second.run { seed.isThere }, "\(account.records)")
        }
    }

    @Test func theLoginArrivesOnTheSecondPhone() {
        check("the query finds only items that do not sync") { isMended in
            let login = Login(isMended: isMended)
            phone.run { #expect(login.save("token") == errSecSuccess) }
            account.settle()
            #expect(second.run { login.load() } == "token", "\(second)")
        }
    }

    @Test func signingOutIsForOnePhone() {
        check("signing out deletes the login everywhere") { isMended in
            let login = Login(isMended: isMended)
            phone.run { #expect(login.save("token") == errSecSuccess) }
            account.settle()
            second.run { login.signOut() }
            account.settle()
            #expect(second.run { login.load() } == nil)
            #expect(phone.run { Login(isMended: true).load() } == "token", "\(account.records)")
        }
    }

    @Test func aFirstLaunchLeavesTheOtherPhoneAlone() {
        check("the clean-up deletes what other phones have saved") { isMended in
            let login = Login(isMended: isMended)
            phone.run { #expect(login.save("token") == errSecSuccess) }
            account.settle()
            second.run { login.cleanUpAtFirstLaunch() }
            account.settle()
            #expect(phone.run { Login(isMended: true).load() } == "token", "\(account.records)")
        }
    }
}
