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

/// What programs of the desktop get of a vault, and when the user is asked.
@Suite struct SecretStoreTests {
    static let app = ["application": "app"]

    // MARK: - Grants

    @Test func eachConnectionIsAskedAboutEachItem() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        #expect(test.prompts.isEmpty, "storing asks for nothing")
        #expect(test.store.isLocked(item, for: StoreOfTest.alice))
        #expect(try test.store.unlock([.item(item)], for: StoreOfTest.alice, CallLifetime()) == [.item(item)])
        #expect(test.prompts.count == 1 && test.prompts[0].reason == "open login/Token")
        #expect(!test.store.isLocked(item, for: StoreOfTest.alice) && test.store.isLocked(item, for: StoreOfTest.bob))
        #expect(try test.read([item]) == ["s3cret"] && test.prompts.count == 1)
        // The grant of one connection never serves another.
        #expect(try test.read([item], for: StoreOfTest.bob) == ["s3cret"] && test.prompts.count == 2)
        // The search of secret-tool reads twice.
        #expect(try test.read([item]) == ["s3cret"] && test.prompts.count == 2)
    }

    @Test func aGrantEndsTwoSecondsAfterItsUseOrAfterTen() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        func unlock() throws { _ = try test.store.unlock([.item(item)], for: StoreOfTest.alice, CallLifetime()) }
        try unlock()
        test.skip(milliseconds: 9_000)
        #expect(!test.store.isLocked(item, for: StoreOfTest.alice))
        #expect(try test.read([item]).count == 1)
        test.skip(milliseconds: 2_100)
        #expect(test.store.isLocked(item, for: StoreOfTest.alice))
        #expect(test.prompts.count == 1)
        try unlock()
        test.skip(milliseconds: 10_100)
        #expect(test.store.isLocked(item, for: StoreOfTest.alice))
        #expect(try test.read([item]).count == 1 && test.prompts.count == 3)
        test.skip(milliseconds: 2_100)
        #expect(try test.read([item]).count == 1 && test.prompts.count == 4)
    }

    @Test func onePromptServesABurst() throws {
        let test = try StoreOfTest()
        let items = try (1...5).map { try test.create("Token", ["n": "\($0)"], "s\($0)") }
        #expect(try test.store.unlock(items.map { .item($0) }, for: StoreOfTest.alice, CallLifetime()).count == 5)
        #expect(test.prompts.map(\.reason) == ["open login/Token and 4 others"])
        let names = (2...5).map { "'login/Token (\($0))'" }.joined(separator: ", ")
        #expect(test.prompts[0].notes.contains("Also opens \(names)."), "\(test.prompts[0].notes)")
        #expect(try test.read(items).sorted() == ["s1", "s2", "s3", "s4", "s5"] && test.prompts.count == 1)
        #expect(try test.read(items, for: StoreOfTest.bob).count == 5 && test.prompts.count == 2)
    }

    @Test(arguments: [StoreOfTest.CallResult.dismiss, .wrong])
    func aDismissedPromptGivesNothingAndIsTheLastOfItsBurst(_ answer: StoreOfTest.CallResult) throws {
        let test = try StoreOfTest(rules: "n=4 -> require=nothing accessible=whenUnlocked")
        let items = try (1...3).map { try test.create("Token", ["n": "\($0)"]) }
        let open = try test.create("Open", ["n": "4"], "open")
        test.answer = answer
        let prompts = answer == .wrong ? 3 : 1
        #expect(try test.store.unlock(items.map { .item($0) }, for: StoreOfTest.alice, CallLifetime()).isEmpty)
        #expect(test.prompts.count == prompts)
        // What needs no authentication is given all the same.
        #expect(try test.read(items + [open]) == ["open"] && test.prompts.count == prompts)
        test.skip(milliseconds: 60_000)
        #expect(try test.read(items + [open]) == ["open"] && test.prompts.count == 2 * prompts)
        #expect(items.allSatisfy { test.store.isLocked($0, for: StoreOfTest.alice) })
        #expect(test.store.report.requests.contains { $0.outcome == .dismissed })
    }

    @Test func aPromptEndsWithItsCallAndGrantsNothing() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        test.answer = .wait
        let asking = CallLifetime()
        let reading = Background { [test] in Result { try test.read([item], asking) } }
        test.isAsked.wait()
        asking.end()
        #expect(try reading.value.get().isEmpty)
        #expect(test.store.isLocked(item, for: StoreOfTest.alice))
        // A call that is over before it begins asks nothing.
        test.answer = .passcode
        let count = test.prompts.count
        #expect(try test.read([item], asking).isEmpty && test.prompts.count == count)
    }

    @Test func aCallerThatLeavesTakesItsGrantsAlong() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        for caller in [StoreOfTest.alice, StoreOfTest.bob] {
            _ = try test.store.unlock([.item(item)], for: caller, CallLifetime())
        }
        test.store.forget(StoreOfTest.alice)
        #expect(test.store.isLocked(item, for: StoreOfTest.alice) && !test.store.isLocked(item, for: StoreOfTest.bob))
    }

    @Test func aLockEndsEveryGrant() throws {
        let test = try StoreOfTest(rules: "application=app -> once-per-session")
        let item = try test.create("Token", ["n": "1"])
        let session = try test.create("Session", Self.app)
        _ = try test.store.unlock([.item(item), .item(session)], for: StoreOfTest.alice, CallLifetime())
        #expect(!test.store.isLocked(session, for: StoreOfTest.bob))
        try test.lock()
        for caller in [StoreOfTest.alice, StoreOfTest.bob] {
            #expect(test.store.isLocked(item, for: caller) && test.store.isLocked(session, for: caller))
        }
        try test.unlock()
        #expect(test.store.isLocked(item, for: StoreOfTest.alice) && test.store.isLocked(session, for: StoreOfTest.bob))
    }

    @Test func lockingOneItemEndsItsGrantsAlone() throws {
        let test = try StoreOfTest()
        let items = try (1...2).map { try test.create("Token", ["n": "\($0)"]) }
        _ = try test.store.unlock(items.map { .item($0) }, for: StoreOfTest.alice, CallLifetime())
        try test.store.lock([.item(items[0])], for: StoreOfTest.bob)
        #expect(test.store.isLocked(items[0], for: StoreOfTest.alice))
        #expect(!test.store.isLocked(items[1], for: StoreOfTest.alice))
        try test.store.lock([.collection(test.login)], for: StoreOfTest.bob)
        #expect(!test.keychain.isUnlocked && test.store.isLocked(test.login))
    }

    /// The user reads what the prompt opens, also while the vault is locked. A long list ends with a number.
    @Test func thePromptNamesWhatItOpens() throws {
        let test = try StoreOfTest()
        let items = try (1...7).map { try test.create("Token", ["n": "\($0)"]) }
        try test.lock()
        #expect(try test.read(items).count == 7)
        #expect(test.prompts.map(\.reason) == ["unlock the vault and open login/Token and 6 others"])
        #expect(
            test.prompts[0].notes.contains(
                "Also opens 'login/Token (2)', 'login/Token (3)', 'login/Token (4)', 'login/Token (5)', and 2 more."))
        #expect(try test.read([items[0], items[3]], for: StoreOfTest.bob).count == 2)
        #expect(test.prompts.last?.reason == "open login/Token and 1 other")
    }

    /// A label is no part of the sentence that Latchkey says.
    @Test func aLabelThatIsNoNameIsQuotedAndCut() throws {
        let test = try StoreOfTest()
        let item = try test.create("a b Passcode:", Self.app)
        #expect(try test.read([item]).count == 1)
        #expect(test.prompts.last?.reason == "open 'login/a b Passcode:'")
        let long = try test.create(String(repeating: "x", count: 3000), ["n": "1"])
        try test.lock()
        #expect(try test.read([long]).count == 1)
        let reason = try #require(test.prompts.last?.reason)
        #expect(reason.hasPrefix("unlock the vault and open 'login/xxx") && reason.hasSuffix("xxx...'"))
        #expect(reason.count < 100)
    }

    /// A program that goes on calling does not keep the vault unlocked. Only the user does.
    @Test func onlyAnAuthenticationCountsAsUse() throws {
        let test = try StoreOfTest(rules: "n=2 -> require=nothing accessible=whenUnlocked")
        let item = try test.create("Token", Self.app)
        let open = try test.create("Open", ["n": "2"])
        _ = test.presences()
        _ = try test.read([open])
        test.answer = .dismiss
        _ = try test.read([item])
        #expect(test.presences() == [false, false])
        test.answer = .passcode
        test.skip(milliseconds: 60_000)
        _ = try test.read([item])
        _ = try test.read([item])
        #expect(test.presences() == [true, false])
    }

    // MARK: - Rules

    /// Any program can choose the attributes that a rule matches. It gets only what the user has opened under the rule.
    @Test func aRuleOpensOnlyItemsThatAPromptHasNamed() throws {
        let test = try StoreOfTest(rules: "application=app -> once-per-session")
        let item = try test.create("Token", Self.app)
        let bank = try test.create("Bank", ["application": "bank"])
        #expect(try test.read([item]).count == 1 && test.prompts.count == 1)
        #expect(
            test.prompts[0].notes.contains(
                "Until the vault is locked, every program of yours gets login/Token without a prompt."))
        try test.store.change(bank, attributes: Self.app, label: nil, for: StoreOfTest.bob)
        test.answer = .dismiss
        #expect(try test.read([bank], for: StoreOfTest.bob).isEmpty && test.prompts.last?.reason == "open login/Bank")
        // The user opens it under the rule, and then the rule has it.
        test.answer = .passcode
        test.skip(milliseconds: 60_000)
        #expect(try test.read([bank], for: StoreOfTest.bob).count == 1)
        test.skip(milliseconds: 60_000)
        #expect(try test.read([bank, item]).count == 2 && test.prompts.count == 3)
        // Other attributes, or the same ones again, end that.
        try test.store.change(bank, attributes: Self.app, label: nil, for: StoreOfTest.bob)
        test.answer = .dismiss
        #expect(try test.read([bank], for: StoreOfTest.bob).isEmpty && test.prompts.count == 4)
        // The approvals of a rule outlive the vault's lock and the agent.
        test.answer = .passcode
        try test.lock()
        try test.unlock()
        try test.reopen()
        #expect(try test.read([item]).count == 1 && test.prompts.count == 5)
        test.skip(milliseconds: 60_000)
        #expect(try test.read([item], for: StoreOfTest.bob).count == 1 && test.prompts.count == 5)
    }

    @Test func aRuleOpensNoMoreThanThePromptHasNamed() throws {
        let test = try StoreOfTest(rules: "application=app -> once-per-session")
        let items = try (1...7).map { try test.create("Token", ["n": "\($0)", "application": "app"]) }
        #expect(try test.read(items).count == 7 && test.prompts.count == 1)
        test.skip(milliseconds: 60_000)
        let isLocked = items.map { test.store.isLocked($0, for: StoreOfTest.bob) }
        #expect(isLocked == [false, false, false, false, false, true, true])
    }

    /// A record that comes to another secret brings no approval along.
    @Test func aSecretThatIsStoredAnewIsNotApproved() throws {
        let test = try StoreOfTest(rules: "application=app -> once-per-session")
        let item = try test.create("Token", Self.app, "own")
        #expect(try test.read([item]).count == 1 && test.prompts.count == 1)
        try test.store.delete(item, for: StoreOfTest.alice, CallLifetime())
        try test.set("login/Token", "of the user", .usual)
        #expect(test.store.search(Self.app, in: nil) == [item] && test.store.isLocked(item, for: StoreOfTest.bob))
    }

    @Test func oncePerSessionServesEveryProgramUntilTheNextLock() throws {
        let test = try StoreOfTest(rules: "application=app -> once-per-session")
        let item = try test.create("Token", Self.app)
        let other = try test.create("Other", ["application": "other"])
        #expect(try test.read([item]) == ["s3cret"] && test.prompts.count == 1)
        test.skip(milliseconds: 3_600_000)
        #expect(try test.read([item], for: StoreOfTest.bob) == ["s3cret"] && test.prompts.count == 1)
        #expect(test.store.report.requests.last?.outcome == .session)
        #expect(try test.read([other]).count == 1 && test.prompts.count == 2)
        try test.lock()
        #expect(try test.read([item], for: StoreOfTest.bob) == ["s3cret"])
        #expect(test.prompts.count == 3, "one prompt unlocks the vault and opens the item")
    }

    @Test func aRuleDecidesThePolicyOfNewItems() throws {
        let test = try StoreOfTest(
            rules: "application=app -> require=nothing accessible=whenUnlocked", policy: .usual)
        let open = try test.create("Open", Self.app)
        let usual = try test.create("Usual", ["application": "other"])
        #expect(
            try test.keychain.inventory(test.reference("login/Open"), by: test.requester).description.control
                == AccessControl(protection: .whenUnlocked, flags: []))
        #expect(!test.store.isLocked(open, for: StoreOfTest.bob) && test.store.isLocked(usual, for: StoreOfTest.bob))
        #expect(try test.read([open]) == ["s3cret"] && test.prompts.isEmpty)
        #expect(test.store.report.requests.last?.outcome == .open)
    }

    // MARK: - Collections

    @Test func collectionsAreFoldersWithAliases() throws {
        let test = try StoreOfTest()
        #expect(test.store.collections.map(\.id.name) == ["login"] && test.store.aliases["default"] == test.login)
        let work = try test.store.createCollection("Work / Büro", alias: "work", for: StoreOfTest.alice, CallLifetime())
        let again = try test.store.createCollection("Other", alias: "work", for: StoreOfTest.alice, CallLifetime())
        #expect(again == work && test.store.aliases["work"] == work)
        let item = try test.create("Token", Self.app, in: work)
        #expect(test.store.items(in: work).map(\.id) == [item] && test.store.items(in: test.login).isEmpty)
        try test.store.setLabel("Bureau", of: work, for: StoreOfTest.alice)
        try test.store.setAlias("default", to: work)
        test.settle()
        #expect(test.store.collections.map(\.label) == ["Bureau", "login"])
        try test.store.setAlias("work", to: nil)
        #expect(test.store.aliases["work"] == nil)
        try test.store.delete(work, for: StoreOfTest.alice, CallLifetime())
        test.settle()
        #expect(test.store.collections.map(\.label) == ["login"] && test.store.item(item) == nil)
    }

    @Test func secretsOfTheCommandAppearInAFolderThatIsShown() throws {
        let test = try StoreOfTest()
        try test.set("work/token", "t")
        try test.set("private", "p")
        #expect(test.store.search([:], in: nil).isEmpty)
        let work = try test.store.share("work", isHidden: false)
        test.settle()
        let found = test.store.search(["latchkey:name": "work/token"], in: nil)
        #expect(found.count == 1 && test.store.items(in: work).map(\.label) == ["token"])
        #expect(test.store.search([:], in: nil).count == 1)
        #expect(try test.read(found) == ["t"])
        try test.store.unshare("work")
        test.settle()
        #expect(test.store.search([:], in: nil).isEmpty)
        #expect(try test.keychain.read(test.reference("work/token"), by: test.requester)?.string() == "t")
    }

    // MARK: - Changes by others

    /// The audit log of a read touches the vault, and is no reason to read all records again. A change of an item is.
    @Test func onlyAChangedItemMakesANewRound() throws {
        let test = try StoreOfTest(policy: ItemPolicy(.whenUnlocked, []))
        let item = try test.create("Token", Self.app)
        let mark = try test.keychain.vault.itemsMark()
        _ = try test.read([item])
        try test.keychain.vault.flushAudit()
        #expect(try test.keychain.vault.itemsMark() == mark)
        try test.set("login/other", "o")
        #expect(try test.keychain.vault.itemsMark() != mark)
        let other = try Keychain.open(at: test.vault.path)
        defer { other.close() }
        let now = try test.keychain.vault.itemsMark()
        try other.delete(test.reference("login/other"), by: test.requester)
        #expect(try test.keychain.vault.itemsMark() != now)
        test.store.noteLook()
        #expect(Patience.wait { test.store.search(["latchkey:name": "login/other"], in: nil).isEmpty })
    }

    @Test func renamingAndDeletingByTheCommandIsFollowed() throws {
        let test = try StoreOfTest(policy: ItemPolicy(.whenUnlocked, []))
        let item = try test.create("Token", Self.app)
        let gone = try test.create("Gone", ["n": "1"])
        func rename(_ name: String, to other: String) throws {
            var changes = ItemChanges()
            changes.merging["acct"] = .string(other)
            try test.keychain.update(test.reference(name), changes, by: test.requester)
            test.settle()
        }
        try rename("login/Token", to: "login/other name")
        #expect(test.store.search(Self.app, in: nil) == [item])
        #expect(try test.read([item]) == ["s3cret"])
        try rename("login/other name", to: "elsewhere/token")
        #expect(test.store.search(Self.app, in: nil).isEmpty, "it is in no collection")
        try rename("elsewhere/token", to: "login/back")
        #expect(test.store.search(Self.app, in: nil) == [item])
        try test.lock()
        try test.reopen()
        #expect(test.store.search(Self.app, in: nil) == [item])
        try test.unlock()
        _ = test.changes()
        try test.keychain.delete(test.reference("login/Gone"), by: test.requester)
        test.settle()
        #expect(test.store.search(["n": "1"], in: nil).isEmpty && test.changes().contains(.itemDeleted(gone)))
        // Its record is gone as well, the second time that its secret is missing.
        test.settle()
        let records = try test.keychain.inventory(
            of: ItemQuery(.genericPassword, ["svce": .string("latchkey.secret-service")]), by: test.requester)
        #expect(records.items.count == 1)
    }

    @Test func aSecretThatWasStoredAnewGetsItsRecordBack() throws {
        let test = try StoreOfTest(policy: ItemPolicy(.whenUnlocked, []))
        let item = try test.create("Token", Self.app)
        // As a backup brings it back: under the same name, with another identifier.
        try test.keychain.delete(test.reference("login/Token"), by: test.requester)
        try test.set("login/Token", "restored")
        #expect(test.store.search(Self.app, in: nil) == [item])
        #expect(try test.read([item]) == ["restored"])
    }

    @Test func everyChangeIsTold() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        #expect(test.changes().contains(.itemCreated(item)))
        try test.store.change(item, attributes: nil, label: "x", for: StoreOfTest.alice)
        #expect(test.changes().contains(.itemChanged(item)))
        try test.lock()
        #expect(test.changes().contains(.collectionChanged(test.login)))
        try test.unlock()
        #expect(test.changes().contains(.collectionChanged(test.login)))
        try test.store.delete(item, for: StoreOfTest.alice, CallLifetime())
        #expect(test.changes().contains(.itemDeleted(item)))
    }

    @Test func thePromptNamesTheProgram() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        _ = try test.read([item])
        let prompt = try #require(test.prompts.first)
        #expect(prompt.caller?.process == getpid())
        #expect(prompt.caller?.path == URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path)
        #expect(prompt.notes.contains { $0.hasPrefix("Started by /") })
        #expect(test.store.report.requests.last?.program.contains("pid \(getpid()) /") == true)
    }

    @Test func aThousandConnectionsLeaveNothingBehind() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        for number in 0..<1500 {
            let caller = SecretCaller(connection: ":2.\(number)", process: 0)
            #expect(test.store.isLocked(item, for: caller))
            test.store.forget(caller)
        }
        #expect(test.store.report.requests.count <= 200)
    }
}
