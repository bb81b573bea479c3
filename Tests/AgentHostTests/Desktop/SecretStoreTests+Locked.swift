import AccessPolicy
import AgentProtocol
import Foundation
import Latchkey
import SecretService
import SecretVault
import SodiumKit
import TestSupport
import Testing
import UserPresence
import VaultService

// A locked vault: what programs see of it, and what it hides.

extension SecretStoreTests {
    @Test func aLockedVaultShowsItsItemsAndOpensWithOnePrompt() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        try test.lock()
        try test.reopen()
        #expect(test.store.search(Self.app, in: nil) == [item])
        #expect(test.store.item(item)?.label == "Token" && test.store.item(item)?.attributes == Self.app)
        #expect(test.store.isLocked(test.login) && test.store.isLocked(item, for: StoreOfTest.alice))
        #expect(test.store.collections.map(\.label) == ["login"])
        #expect(try test.read([item]) == ["s3cret"] && test.prompts.count == 1)
        #expect(test.keychain.isUnlocked)
        try test.lock()
        #expect(
            try test.store.unlock([.collection(test.login), .item(item)], for: StoreOfTest.alice, CallLifetime()).count
                == 2)
        #expect(test.prompts.count == 2)
    }

    @Test func aDismissedUnlockLeavesEverythingAsItWas() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        try test.lock()
        test.answer = .dismiss
        #expect(throws: SecretFault.dismissed) {
            try test.store.unlock([.collection(test.login)], for: StoreOfTest.alice, CallLifetime())
        }
        test.skip(milliseconds: 60_000)
        #expect(try test.read([item]).isEmpty)
        // Until a minute is over, the program is not asked about, and gets what it gets without a display.
        #expect(throws: SecretFault.locked) { try test.create("New", ["n": "1"]) }
        test.skip(milliseconds: 60_000)
        #expect(throws: SecretFault.dismissed) { try test.create("New", ["n": "1"]) }
        #expect(test.store.search(Self.app, in: nil) == [item] && !test.keychain.isUnlocked)
    }

    @Test func withoutADisplayNothingIsAsked() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        test.hasDisplay = false
        #expect(try test.read([item]).isEmpty)
        try test.lock()
        #expect(throws: SecretFault.locked) {
            try test.store.unlock([.collection(test.login)], for: StoreOfTest.alice, CallLifetime())
        }
        #expect(test.prompts.isEmpty && test.store.report.requests.last?.outcome == .denied)
    }

    @Test func aHiddenCollectionShowsNothingWhileTheVaultIsLocked() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        _ = try test.store.createCollection("Work", alias: "", for: StoreOfTest.alice, CallLifetime())
        try test.store.share("Work", isHidden: true)
        let work = try #require(test.store.collections.first { $0.label == "Work" }?.id)
        let hidden = try test.create("Hidden", Self.app, in: work)
        #expect(Set(test.store.search(Self.app, in: nil)) == [item, hidden])
        try test.lock()
        try test.reopen()
        #expect(test.store.search(Self.app, in: nil) == [item] && test.store.collections.map(\.label) == ["login"])
        try test.unlock()
        #expect(Set(test.store.search(Self.app, in: nil)) == [item, hidden])
        try test.store.share("Work", isHidden: false)
        try test.lock()
        #expect(Set(test.store.search(Self.app, in: nil)) == [item, hidden])
    }

    /// The lock hides at once, and so does the report of requests.
    @Test func aLockHidesWithoutARound() throws {
        let test = try StoreOfTest()
        _ = try test.store.createCollection("Work", alias: "", for: StoreOfTest.alice, CallLifetime())
        let work = try test.store.share("Work", isHidden: true)
        let hidden = try test.create("Hidden", Self.app, in: work)
        _ = try test.read([hidden])
        _ = try test.keychain.lock()
        _ = test.changes()
        test.store.noteLock()
        #expect(test.store.item(hidden) == nil && test.store.search(Self.app, in: nil).isEmpty)
        #expect(!test.store.report.requests.contains { $0.name.hasPrefix("Work/") })
        #expect(test.changes().contains(.collectionDeleted(work)))
        try test.unlock()
        #expect(test.store.search(Self.app, in: nil) == [hidden])
        #expect(test.store.report.requests.contains { $0.name.hasPrefix("Work/") })
    }

    /// While the vault hides the default collection, an empty one stands for it. It never takes its place.
    @Test func aHiddenDefaultCollectionStaysHidden() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        try test.store.share("login", isHidden: true)
        try test.store.setLabel("Mine", of: test.login, for: StoreOfTest.alice)
        try test.lock()
        try test.reopen()
        #expect(test.store.search(Self.app, in: nil).isEmpty && test.store.collections.map(\.label) == ["login"])
        #expect(throws: SecretFault.locked) {
            try test.store.setLabel("Other", of: test.login, for: StoreOfTest.alice)
        }
        // The call unlocks the vault, and sees what was hidden before it stores.
        let again = try test.create("Token", Self.app, "two", replaces: true)
        #expect(again == item && test.store.collections.map(\.label) == ["Mine"])
        try test.lock()
        #expect(test.store.search(Self.app, in: nil).isEmpty)
    }

    /// Until all of an unlocked vault is shown, a program that finds nothing must not think that there is nothing.
    @Test func aCollectionIsLockedUntilAllOfItIsShown() throws {
        let test = try StoreOfTest()
        try test.create("Token", Self.app)
        try test.lock()
        _ = try test.keychain.unlock(passcode: try SecureBytes(VaultOfTest.passcode))
        #expect(test.store.isLocked(test.login))
        try test.unlock()
        #expect(!test.store.isLocked(test.login))
    }

    @Test func hidingReachesTheRecordsOfDeletedItems() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        try test.store.delete(item, for: StoreOfTest.alice, CallLifetime())
        try test.store.share("login", isHidden: true)
        let records = try test.keychain.inventory(
            of: ItemQuery(.genericPassword, ["svce": .string("latchkey.secret-service")]), by: test.requester)
        #expect(records.items.map(\.description.control.protection) == [.whenUnlockedThisDeviceOnly])
    }
}
