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

// Storing, replacing and changing items.

extension SecretStoreTests {
    @Test func replaceComparesTheWholeSetOfAttributes() throws {
        let test = try StoreOfTest()
        let first = try test.create("Token", ["a": "1", "b": "2"], "one")
        let second = try test.create("Token", ["a": "1"], "two", replaces: true)
        #expect(first != second)
        let third = try test.create("Renamed", ["a": "1"], "three", replaces: true)
        #expect(third == second && test.store.item(third)?.label == "Renamed")
        let fourth = try test.create("Token", ["a": "1"], "four", replaces: false)
        #expect(Set([first, second, fourth]).count == 3)
        #expect(try test.read([first, second, fourth]) == ["one", "three", "four"])
        #expect(test.store.search(["a": "1"], in: nil).count == 3 && test.store.search(["b": "2"], in: nil) == [first])
        #expect(test.prompts.count == 1, "only reading asks")
    }

    @Test func whatIsReplacedOrDeletedCanBeBroughtBack() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app, "one")
        try test.create("Token", Self.app, "two", replaces: true)
        #expect(try test.read([item]) == ["two"])
        try test.store.delete(item, for: StoreOfTest.bob, CallLifetime())
        #expect(test.store.search(Self.app, in: nil).isEmpty)
        #expect(throws: SecretFault.noSuchObject) { try test.store.delete(item, for: StoreOfTest.bob, CallLifetime()) }
        test.settle()
        #expect(test.store.search(Self.app, in: nil).isEmpty)
        let key = test.keychain.primaryKey(account: "login/Token", service: StoreOfTest.service, by: test.requester)
        try test.keychain.putBack(key, keeping: HistoryLimit(age: 86_400_000), by: test.requester)
        test.settle()
        #expect(test.store.search(Self.app, in: nil) == [item])
        #expect(try test.read([item]) == ["two"])
    }

    /// The former secret of a protected item is set aside under its name, until the next replacement or deletion.
    @Test func theFormerSecretOfAProtectedItemIsSetAside() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app, "one")
        try test.create("Token", Self.app, "two", replaces: true)
        var changes = ItemChanges()
        changes.merging["acct"] = .string("login/new")
        _ = try Keychain.asking(ClosureUser.typing()) { () throws(KeychainError) in
            try test.keychain.update(test.reference("login/Token"), changes, by: test.requester)
        }
        let key = test.keychain.primaryKey(account: "login/Token", service: StoreOfTest.service, by: test.requester)
        try test.keychain.putBack(key, keeping: HistoryLimit(age: 86_400_000), by: test.requester)
        test.settle()
        let former = test.store.search(["latchkey:name": "login/Token"], in: nil)
        #expect(try test.read(former) == ["one"] && test.read([item]) == ["two"])
    }

    /// No program of the desktop gives an application password, and none is asked for while others wait.
    @Test func anApplicationPasswordIsNeverAskedForByStoring() throws {
        let policy = ItemPolicy(.whenUnlocked, [.applicationPassword])
        let test = try StoreOfTest(policy: policy, historySeconds: 0)
        let refused = #expect(throws: SecretFault.self) { try test.create("New", Self.app) }
        #expect("\(String(describing: refused))".contains("latchkey config --default-policy"))
        #expect(throws: (any Error).self) { try SecretRules("a=b -> require=applicationPassword") }
        try test.set("login/Token", "one", policy)
        let item = try #require(test.store.search(["latchkey:name": "login/Token"], in: nil).first)
        #expect(throws: SecretFault.self) {
            try test.store.setSecret(
                SecureBytes("two"), contentType: "text/plain", of: item, for: StoreOfTest.alice, CallLifetime())
        }
        #expect(test.prompts.isEmpty)
        #expect(try test.read([item]) == ["one"] && test.prompts.count == 1)
    }

    /// A reading under a rule notes an approval, and programs see no change of the item.
    @Test func anApprovalChangesNoDate() throws {
        let test = try StoreOfTest(rules: "application=app -> once-per-session")
        let item = try test.create("Token", Self.app)
        let before = try #require(test.store.item(item)?.modified)
        // The next second: dates have no finer parts.
        let start = time(nil)
        while time(nil) <= start + 1 { usleep(50_000) }
        #expect(try test.read([item]).count == 1 && !test.store.isLocked(item, for: StoreOfTest.bob))
        test.settle()
        #expect(test.store.item(item)?.modified == before)
    }

    /// Any program of the user writes records of an *always* class with the keys of the device file, and no approvals.
    @Test func aRecordThatClaimsAnApprovalHasNone() throws {
        let rule = "application=app -> once-per-session"
        let test = try StoreOfTest(rules: rule)
        let approved = try test.create("Token", Self.app, "one")
        let other = try test.create("Other", ["application": "app", "n": "2"], "two")
        #expect(try test.read([approved]) == ["one"] && !test.store.isLocked(approved, for: StoreOfTest.bob))
        let service = "latchkey.secret-service"
        for item in [approved, other] {
            let record = test.keychain.password(account: item.name, service: service, by: test.requester)
            let stored = try test.keychain.lookUp(record, by: test.requester).description.attributes["icmt"]
            guard case .string(let text) = stored else { throw CocoaError(.coderValueNotFound) }
            #expect(!text.contains("approved") && !text.contains("once-per-session"))
            var changes = ItemChanges()
            changes.merging["icmt"] = .string(text.dropLast() + ",\"approved\":\"\(rule)\"}")
            try test.keychain.update(record, changes, by: test.requester, interaction: .fail)
        }
        // An approval in a class that is always open is none either.
        var new = NewItem.password(
            account: other.name, service: "latchkey.secret-approval", AccessControl(.alwaysThisDeviceOnly))
        new.attributes["icmt"] = .string("{\"secret\":\"\",\"rule\":\"\(rule)\"}")
        try test.keychain.add(new, by: test.requester, interaction: .fail)
        test.store.noteChange()
        test.settle()
        #expect(test.store.isLocked(other, for: StoreOfTest.bob))
        #expect(!test.store.isLocked(approved, for: StoreOfTest.bob), "the user has approved this one")
        let prompts = test.prompts.count
        test.answer = .dismiss
        #expect(try test.read([other], for: StoreOfTest.bob).isEmpty && test.prompts.count == prompts + 1)
    }

    /// A secret of the command that moves keeps its attribute true, and needs another approval.
    @Test func theNameOfAMovedSecretFollows() throws {
        let test = try StoreOfTest(rules: "latchkey:name=login/* -> once-per-session")
        try test.set("login/a", "a", .usual)
        let item = try #require(test.store.search(["latchkey:name": "login/a"], in: nil).first)
        #expect(try test.read([item]) == ["a"] && !test.store.isLocked(item, for: StoreOfTest.bob))
        var changes = ItemChanges()
        changes.merging["acct"] = .string("login/b")
        _ = try Keychain.asking(ClosureUser.typing()) { () throws(KeychainError) in
            try test.keychain.update(test.reference("login/a"), changes, by: test.requester)
        }
        test.settle()
        let moved = try #require(test.store.search(["latchkey:name": "login/b"], in: nil).first)
        #expect(test.store.search(["latchkey:name": "login/a"], in: nil).isEmpty)
        #expect(test.store.isLocked(moved, for: StoreOfTest.bob))
    }

    @Test func anItemWithoutAPolicyKeepsItsFormerSecretsAsVersions() throws {
        let test = try StoreOfTest(policy: ItemPolicy(.whenUnlocked, []))
        let item = try test.create("Token", Self.app, "one")
        try test.store.setSecret(
            SecureBytes("two"), contentType: "text/x", of: item, for: StoreOfTest.alice, CallLifetime())
        #expect(try test.read([item]) == ["two"])
        let former = try test.keychain.read(
            .value(version: 1), of: test.reference("login/Token"), keeping: HistoryLimit(age: 86_400_000),
            by: test.requester)
        #expect(former?.string() == "one")
        #expect(test.prompts.isEmpty)
    }

    @Test(arguments: [
        "", "..", "a/b", "\u{7}bell", "  spaces  ", String(repeating: "x", count: 5000), "ünï cödé 🔑", ".",
    ])
    func anyLabelMakesASoundName(_ label: String) throws {
        let test = try StoreOfTest()
        let items = try (1...3).map { try test.create(label, ["n": "\($0)"], "s\($0)") }
        #expect(Set(items).count == 3 && items.allSatisfy { test.store.item($0)?.label == label })
        let names = try test.keychain.inventory(
            of: ItemQuery(.genericPassword, ["svce": .string(StoreOfTest.service)]), by: test.requester
        ).items.map(\.description.name)
        #expect(names.count == 3 && names.allSatisfy { $0.hasPrefix("login/") && $0.split(separator: "/").count == 2 })
        #expect(try test.read(items).count == 3)
    }

    @Test func aSecretCanBeAnyBytes() throws {
        let test = try StoreOfTest()
        for bytes: [UInt8] in [[], [0], Array(0...255)] {
            let item = try test.store.create(
                NewSecretItem(
                    label: "b", attributes: ["n": "\(bytes.count)"], secret: try SecureBytes.of(bytes),
                    contentType: "application/octet-stream"), in: test.login, replaces: false,
                for: StoreOfTest.alice, CallLifetime())
            let read = try test.store.secrets(of: [item], for: StoreOfTest.alice, CallLifetime())
            #expect(read.count == 1 && read[0].bytes.array() == bytes)
            #expect(read.first?.contentType == "application/octet-stream")
        }
    }

    @Test func attributesAndLabelsChangeWithoutAPrompt() throws {
        let test = try StoreOfTest()
        let item = try test.create("Token", Self.app)
        try test.store.change(item, attributes: ["x": "y"], label: "Other", for: StoreOfTest.bob)
        try test.lock()
        #expect(throws: SecretFault.locked) {
            try test.store.change(item, attributes: Self.app, label: nil, for: StoreOfTest.bob)
        }
        #expect(throws: SecretFault.locked) { try test.store.setAlias("x", to: test.login) }
        #expect(throws: SecretFault.locked) { try test.store.share("other", isHidden: false) }
        #expect(test.store.search(["x": "y"], in: nil) == [item] && test.store.search(Self.app, in: nil).isEmpty)
        try test.reopen()
        #expect(test.store.item(item)?.label == "Other" && test.prompts.isEmpty)
    }
}
