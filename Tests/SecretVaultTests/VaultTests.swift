import AccessPolicy
import DeviceModel
import Foundation
import LinuxSystem
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// The operations of a vault, one at a time. The laws have tests of their own.
@Suite struct VaultTests {
    @Test func whatIsStoredComesBackWhileItsClassIsOpen() throws {
        let vault = try Cast.vault()
        #expect(try vault.adding(Cast.item("mail"), "s3cret") == "granted")
        #expect(try vault.reading("mail") == "s3cret")
        try vault.lock()
        #expect(try vault.reading("mail") == "s3cret")  // still within the grace
        try vault.apply(.timePassed(.seconds(10)))
        #expect(try vault.reading("mail") == "class.locked")
        #expect(try vault.enter(passcode: Cast.bytes("wrong")).authenticated(.passcode) == false)
        #expect(try vault.reading("mail") == "class.locked")
        #expect(try vault.enter(passcode: Cast.bytes("1234")).authenticated(.passcode))
        #expect(try vault.reading("mail") == "s3cret")
    }

    @Test func aMatchUnlocksWithWhatTheLockHasKept() throws {
        let vault = try Cast.vault()
        try vault.adding(Cast.item("mail"), "s3cret")
        try vault.lock()
        try vault.apply(.timePassed(.seconds(10)))
        #expect(try vault.record(.presented(Cast.index)).authenticated(.biometry))
        #expect(try vault.reading("mail") == "s3cret")
        try vault.apply(.reboot)
        #expect(try vault.record(.presented(Cast.index)).refusal == .passcodeRequired)
        #expect(try vault.reading("mail") == "class.before-first-unlock")
        try vault.enter(passcode: Cast.bytes("1234"))
        #expect(try vault.reading("mail") == "s3cret")
    }

    @Test func aNewFingerDestroysWhatWasBoundToTheSet() throws {
        let vault = try Cast.vault()
        try vault.adding(Cast.item("token", Cast.control(.biometryCurrentSet)), "s3cret")
        try vault.adding(Cast.item("either", Cast.control([.biometryCurrentSet, .or, .devicePasscode])), "both")
        let context = try vault.makeContext()
        #expect(try vault.reading("token", in: context) == "interaction.not-allowed")
        try vault.record(.presented(Cast.index), in: context)
        #expect(try vault.reading("token", in: context) == "s3cret")
        try vault.apply(.enrolled(Cast.thumb))
        try vault.record(.presented(Cast.index), in: context)
        #expect(try vault.reading("token", in: context) == "biometry.current-set.changed")
        #expect(try vault.reading("either", in: context) == "interaction.not-allowed")
        try vault.enter(passcode: Cast.bytes("1234"), in: context)
        #expect(try vault.reading("either", in: context) == "both")
        #expect(try vault.adding(Cast.item("token"), "another") == "granted")
        #expect(try vault.reading("token") == "another")
    }

    @Test func whatIsDeletedOrRenamedIsNotWhereItWas() throws {
        let vault = try Cast.vault()
        for name in ["a", "b", "c"] { try vault.adding(Cast.item(name), name) }
        #expect(try vault.reading("a") == "a")
        #expect(try vault.delete(Cast.key("a"), for: Cast.app).isGranted)
        #expect(try vault.reading("a") == "item.not-found")
        let renamed = ItemChanges(attributes: Cast.item("d").attributes)
        #expect(try vault.reading("b") == "b")
        #expect(try vault.update(Cast.key("b"), renamed, secret: .keep, for: Cast.app).isGranted)
        #expect(try vault.reading("b") == "item.not-found")
        #expect(try vault.reading("d") == "b")
        let taken = ItemChanges(attributes: Cast.item("c").attributes)
        #expect(try vault.update(Cast.key("d"), taken, secret: .keep, for: Cast.app).isGranted == false)
        #expect(try vault.reading("c") == "c")
        #expect(try vault.verify().findings == [])
        #expect(try vault.verify().items == 2)
    }

    @Test func manyItemsAreAddedTogetherOrNotAtAll() throws {
        let vault = try Cast.vault()
        let names = ["a", "b", "c"]
        let answer = try vault.addAll(names.map { Cast.item($0) }, for: Cast.app) { try SecureBytes(names[$0]) }
        #expect(answer.value()?.count == 3)
        #expect(try vault.reading("b") == "b")
        let others = ["d", "a"]
        let refused = try vault.addAll(others.map { Cast.item($0) }, for: Cast.app) { try SecureBytes(others[$0]) }
        #expect(refused.denial?.rule == .itemDuplicate)
        #expect(try vault.reading("d") == "item.not-found")
        #expect(try vault.verify().findings == [])
        #expect(try vault.verify().items == 3)
    }

    @Test func onDiskItIsTheSame() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vault")
        do {
            let created = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234"))
            try created.vault.apply(.enrolled(Cast.index))
            try created.vault.adding(Cast.item("mail"), "s3cret")
            try created.vault.adding(Cast.item("token", Cast.control([.biometryAny, .applicationPassword])), "no")
            #expect(try created.vault.verify().findings == [])
            created.vault.close()
        }
        let vault = try Vault.open(at: path)
        #expect(try vault.reading("mail") == "class.before-first-unlock")
        try vault.enter(passcode: Cast.bytes("1234"))
        #expect(try vault.reading("mail") == "s3cret")
        let report = try vault.verify()
        #expect(report.findings == [])
        #expect(report.items == 1)
        #expect(report.opened == 1)
        let trail = try vault.auditLog()
        #expect(trail.damage == nil)
        #expect(trail.records.map(\.kind).contains(.granted))
    }

    @Test func aDurableTrailHasARecordBeforeTheSecretIsOut() throws {
        let folder = try TemporaryFolder(inMemory: true)
        var options = VaultOptions.simulated()
        options.hasDurableAudit = true
        let vault = try Vault.create(at: folder.path("vault"), options, passcode: Cast.bytes("1234")).vault
        try vault.adding(Cast.item("mail"), "s3cret")
        #expect(try vault.reading("mail") == "s3cret")
        // Another program sees the record at once, although no call wrote it out.
        let records = try Vault.open(at: folder.path("vault")).auditLog().records
        #expect(records.contains { $0.kind == .granted && $0.action == "readData" && $0.caller == "test" })
    }

    @Test func aVaultCanBeOpenedInTwoPlacesOfOneProgram() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let one = try Vault.create(at: folder.path("vault"), .simulated(), passcode: Cast.bytes("1234")).vault
        let other = try Vault.open(at: folder.path("vault"))
        try other.enter(passcode: Cast.bytes("1234"))
        for number in 0..<20 {
            let (writer, reader) = number.isMultiple(of: 2) ? (one, other) : (other, one)
            try writer.adding(Cast.item("\(number)"), "secret \(number)")
            #expect(try reader.reading("\(number)") == "secret \(number)")
        }
        #expect(try one.verify().findings == [])
    }

    @Test func manyItemsAreStoredAllOrNone() throws {
        let vault = try Cast.vault()
        let items = (0..<50).map { Cast.item("\($0)") }
        let isStored = try vault.addAll(items, for: Cast.app) { try Cast.bytes("secret \($0)") }.isGranted
        #expect(isStored)
        #expect(try vault.reading("49") == "secret 49")
        let again = [Cast.item("new"), Cast.item("7")]
        let denial = try vault.addAll(again, for: Cast.app) { _ in nil }.denial
        #expect(denial?.rule == .itemDuplicate)
        #expect(try vault.reading("new") == "item.not-found")
        #expect(try vault.verify().items == 50)
    }

    @Test func aDelayEndsWhenTheUserOfTheVaultSaysThatTimeHasPassed() throws {
        let vault = try Cast.vault()
        for number in 0..<5 { try vault.enter(passcode: Cast.bytes("wrong \(number)")) }
        #expect(try vault.enter(passcode: Cast.bytes("1234")).refusal == .passcodeDelayed)
        try vault.pass(.minutes(1))
        #expect(try vault.enter(passcode: Cast.bytes("1234")).authenticated(.passcode))
    }

    /// An open vault whose folder was moved writes nothing into another folder at its former path.
    @Test func aVaultThatWasMovedLeavesItsFormerPathAlone() throws {
        let folder = try TemporaryFolder()
        let (path, moved) = (folder.path("vault"), folder.path("moved"))
        let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
        try FileManager.default.moveItem(atPath: path, toPath: moved)
        try FileManager.default.removeItem(atPath: moved + "/reserve")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try vault.lock()
        try vault.flushAudit()
        vault.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
        #expect(DiskRoom(ofVaultAt: moved)?.isReserveWhole == true)
    }
}
