import AccessPolicy
import DeviceModel
import Foundation
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// Deletions that can be undone: what comes back, for how long, and what never does.
@Suite struct UndeletingTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("vault") }
    private let vault: Vault
    private static let day: Int64 = 86_400_000
    private static let limit = HistoryLimit(age: 30 * day)

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        vault = try Vault.create(at: folder.path("vault"), .simulated(), passcode: Cast.bytes("1234")).vault
        try vault.apply(.enrolled(Cast.index))
    }

    /// Returns the app, this many days later.
    private static func app(after days: Double) -> Caller {
        Caller("test", groups: ["com.example.app"], interaction: .fail, date: 700_000_000 + days * 86_400)
    }

    private func delete(_ name: String, after days: Double = 0) throws -> Bool {
        try vault.delete(Cast.key(name), keeping: Self.limit, for: Self.app(after: days)).isGranted
    }

    /// Returns the result of putting an item back: nil, or the rule that denies it.
    private func putBack(_ name: String, after days: Double = 0, as caller: Caller? = nil) throws -> String? {
        let key = Cast.item(name).primaryKey
        switch try vault.putBack(key, keeping: Self.limit, for: caller ?? Self.app(after: days)) {
        case .granted: return nil
        case .challenge(let challenge): return "asks for \(challenge.ways)"
        case .denied(let denial): return denial.rule.identifier
        }
    }

    /// The number of rows that are set aside.
    private var kept: Int {
        get throws { try RawDatabase(path + "/vault.db").numbers("SELECT row FROM removed").count }
    }

    @Test func everythingComesBackAsItWas() throws {
        try BackupTests.filled(vault)
        let long = String(repeating: "x", count: 20_000)
        try vault.adding(Cast.item("long"), long)
        let asked = try vault.reading("presence")
        let names = Accessibility.allCases.map(\.name) + ["presence", "current", "long"]
        let before = try vault.find(ItemSearch(.genericPassword)).map(\.id)
        for name in names { #expect(try delete(name)) }
        #expect(try vault.find(ItemSearch(.genericPassword)).count == 1, "the key is still there")
        for name in names { #expect(try vault.reading(name) == "item.not-found") }
        #expect(try kept == names.count)
        #expect(try vault.verify().findings == [])
        for name in names { #expect(try putBack(name) == nil) }
        #expect(try kept == 0)
        #expect(try vault.find(ItemSearch(.genericPassword)).map(\.id) == before)
        for name in Accessibility.allCases.map(\.name) { #expect(try vault.reading(name) == "secret of \(name)") }
        #expect(try vault.reading("long") == long)
        // A policy asks as before.
        #expect(try vault.reading("presence") == asked)
        let context = try vault.makeContext()
        try vault.record(.presented(Cast.index), in: context)
        #expect(try vault.reading("current", in: context) == "secret of current")
        #expect(try vault.verify().findings == [])
    }

    @Test func aDeletionIsFinalAfterAWhile() throws {
        for name in ["a", "b", "c"] { try vault.adding(Cast.item(name), "secret of \(name)") }
        #expect(try delete("a"))
        #expect(try putBack("a", after: 29.9) == nil)
        #expect(try delete("a", after: 1))
        #expect(try putBack("a", after: 31) == "item.not-found")
        #expect(try delete("b", after: 31))
        #expect(try kept == 1, "a later deletion removes what is too old")
        try vault.forgetRemoved(beyond: HistoryLimit(age: 40 * Self.day), for: Self.app(after: 62))
        #expect(try kept == 1)
        try vault.forgetRemoved(beyond: Self.limit, for: Self.app(after: 62))
        #expect(try kept == 0)
        #expect(try delete("c", after: 62))
        try vault.forgetRemoved(beyond: .none, for: Self.app(after: 62))
        #expect(try kept == 0)
        #expect(try putBack("c", after: 62) == "item.not-found")
    }

    /// Without a limit, as through Apple's names, nothing is kept.
    @Test func otherDeletionsAreFinal() throws {
        for name in ["a", "b", "c"] { try vault.adding(Cast.item(name), "secret of \(name)") }
        #expect(try vault.delete(Cast.key("a"), for: Cast.app).isGranted)
        #expect(try vault.deleteAll(vault.find(ItemSearch(.genericPassword)).map(\.id), for: Cast.app).isGranted)
        #expect(try kept == 0)
        for name in ["a", "b", "c"] { #expect(try putBack(name) == "item.not-found") }
    }

    /// A final deletion also ends what an earlier one of the same name left.
    @Test func aFinalDeletionLeavesNothingOfTheName() throws {
        try vault.adding(Cast.item("a"), "first")
        #expect(try delete("a"))
        try vault.adding(Cast.item("a"), "second")
        #expect(try vault.delete(Cast.key("a"), for: Cast.app).isGranted)
        #expect(try kept == 0)
        try vault.adding(Cast.item("a"), "third")
        #expect(try delete("a"))
        let key = Cast.item("a").primaryKey
        let other = Caller("other", groups: ["com.example.other"], interaction: .fail, date: 700_000_000)
        #expect(try !vault.forgetRemoved(key, for: other).isGranted)
        #expect(try kept == 1)
        #expect(try vault.forgetRemoved(key, for: Cast.app).isGranted)
        #expect(try !vault.forgetRemoved(key, for: Cast.app).isGranted)
        #expect(try putBack("a") == "item.not-found")
    }

    @Test func nothingIsReplaced() throws {
        try vault.adding(Cast.item("a"), "first")
        #expect(try delete("a"))
        try vault.adding(Cast.item("a"), "second")
        #expect(try putBack("a") == "item.duplicate")
        #expect(try vault.reading("a") == "second")
        #expect(try kept == 1)
        // Of two deletions under one name, the later one comes back.
        #expect(try delete("a"))
        #expect(try kept == 1)
        #expect(try putBack("a") == nil)
        #expect(try vault.reading("a") == "second")
        #expect(try putBack("a") == "item.duplicate")
    }

    @Test func whatIsInvalidatedNeverComesBack() throws {
        for name in ["before", "after"] {
            try vault.adding(Cast.item(name, Cast.control(.biometryCurrentSet)), "secret of \(name)")
        }
        #expect(try delete("before"))
        try vault.apply(.enrolled(Cast.thumb))
        #expect(try putBack("before") == "item.not-found")
        #expect(try vault.find(ItemSearch(.genericPassword)).count == 1)
        _ = try delete("after")
        #expect(try putBack("after") == "item.not-found")
        #expect(try vault.verify().findings == [])
    }

    @Test func anErasedDeviceHasNothingToBringBack() throws {
        try vault.adding(Cast.item("a"), "secret of a")
        #expect(try delete("a"))
        try vault.apply(.erase)
        #expect(try kept == 0)
        #expect(try putBack("a") == "item.not-found")
    }

    /// On a locked device an item can be deleted, and comes back once its class is open.
    @Test func aLockedDeviceDeletes() throws {
        try vault.adding(Cast.item("a"), "secret of a")
        try vault.apply(.lock)
        try vault.pass(.seconds(10))
        #expect(try delete("a"))
        #expect(try putBack("a") == "class.locked")
        #expect(try kept == 1)
        try vault.enter(passcode: Cast.bytes("1234"))
        #expect(try putBack("a") == nil)
        #expect(try vault.reading("a") == "secret of a")
    }

    @Test func theLogSaysIt() throws {
        try vault.adding(Cast.item("a"), "secret of a")
        #expect(try delete("a"))
        #expect(try putBack("a") == nil)
        #expect(try vault.auditLog().records.contains { $0.action == "put-back" && $0.caller == Cast.app.name })
    }

    @Test func anotherAppBringsNothingBack() throws {
        try vault.adding(Cast.item("a"), "secret of a")
        #expect(try delete("a"))
        let other = Caller("other", groups: ["com.example.other"], interaction: .fail, date: 700_000_000)
        #expect(try putBack("a", as: other) != nil)
        #expect(try kept == 1)
        #expect(try putBack("a") == nil)
    }

    @Test func severalAreDeletedTogether() throws {
        for name in ["a", "b"] { try vault.adding(Cast.item(name), "secret of \(name)") }
        let ids = try vault.find(ItemSearch(.genericPassword)).map(\.id)
        #expect(try vault.deleteAll(ids, keeping: Self.limit, for: Cast.app).isGranted)
        for name in ["a", "b"] {
            #expect(try putBack(name) == nil)
            #expect(try vault.reading(name) == "secret of \(name)")
        }
    }

    // MARK: - Files that were changed

    @Test func aChangedRowIsNotPutBack() throws {
        try vault.adding(Cast.item("a"), "secret of a")
        #expect(try delete("a"))
        try RawDatabase(path + "/vault.db").run("UPDATE removed SET record = zeroblob(length(record))")
        #expect(throws: VaultError.self) { try putBack("a") }
        #expect(try vault.verify().findings == [.removed])
        #expect(try vault.reading("a") == "item.not-found")
    }

    /// An attacker who writes to the file brings a row back without the vault. The account of all items shows it.
    @Test func aRowThatAnotherProgramBringsBackIsNoticed() throws {
        try vault.adding(Cast.item("a"), "secret of a")
        try vault.adding(Cast.item("b"), "secret of b")
        #expect(try delete("a"))
        let columns = "row, class, id, record, attributes, " + IndexColumn.allCases.map(\.name).joined(separator: ", ")
        try RawDatabase(path + "/vault.db").run("INSERT INTO items (\(columns)) SELECT \(columns) FROM removed")
        let findings = try vault.verify().findings
        #expect(findings.count == 1)
        if case .added = findings.first {} else { Issue.record("\(findings)") }
    }

    /// A row that was deleted for good, or that is older, is not put back if another program sets it aside.
    @Test func whatTheVaultDidNotSetAsideStaysAway() throws {
        let raw = try RawDatabase(path + "/vault.db")
        let columns = "class, id, record, attributes, " + IndexColumn.allCases.map(\.name).joined(separator: ", ")
        try vault.adding(Cast.item("a"), "secret of a")
        try vault.adding(Cast.item("b"), "secret of b")
        try raw.run("CREATE TABLE copied AS SELECT row, \(columns) FROM items")
        #expect(try vault.delete(Cast.key("a"), for: Cast.app).isGranted)
        #expect(try delete("b"))
        try raw.run(
            "INSERT INTO removed (row, date, \(columns)) SELECT row, 700000000000, \(columns) FROM copied "
                + "WHERE row NOT IN (SELECT row FROM removed)")
        try raw.run("DROP TABLE copied")
        #expect(try kept == 2)
        #expect(try vault.verify().findings == [.removed])
        for name in ["a", "b"] {
            #expect(throws: VaultError.self) { try putBack(name) }
            #expect(try vault.reading(name) == "item.not-found")
        }
        // Once nothing is set aside, the vault begins anew.
        try vault.forgetRemoved(beyond: .none, for: Cast.app)
        #expect(try vault.verify().findings == [])
        try vault.adding(Cast.item("c"), "secret of c")
        #expect(try delete("c"))
        #expect(try putBack("c") == nil)
    }

    /// A backup brought the item back, and it has another name since.
    @Test func anItemIsNotThereTwice() throws {
        try vault.adding(Cast.item("a"), "secret of a")
        let backup = try BackupTests.path()
        _ = try vault.export(to: backup, BackupTests.protection())
        #expect(try delete("a"))
        #expect(try vault.importBackup(from: backup, passphrase: Cast.bytes("phrase")).added == 1)
        let renamed = ItemChanges(attributes: Cast.item("renamed").attributes)
        #expect(try vault.update(Cast.key("a"), renamed, secret: .keep, for: Cast.app).isGranted)
        #expect(try putBack("a") == "item.duplicate")
        #expect(try vault.reading("renamed") == "secret of a")
        #expect(try vault.verify().findings == [])
    }
}
