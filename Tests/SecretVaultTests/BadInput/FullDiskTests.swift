import AccessPolicy
import DeviceModel
import Foundation
import LinuxSystem
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// Unlocking and reading on a full disk: a person may need exactly that secret to make room.
@Suite(.needsMounting) struct FullDiskTests {
    private func vault(on disk: SmallDisk) throws -> Vault {
        let vault = try Vault.create(at: disk.path + "/vault", .simulated(), passcode: Cast.bytes("1234")).vault
        try vault.adding(Cast.item("mail"), "s3cret")
        return vault
    }

    private func room(on disk: SmallDisk) throws -> DiskRoom { try #require(DiskRoom(ofVaultAt: disk.path + "/vault")) }

    /// Unlocks, reads and locks, each on record.
    private func use(_ vault: Vault) throws {
        #expect(try vault.enter(passcode: Cast.bytes("1234")).authenticated(.passcode))
        #expect(try vault.reading("mail") == "s3cret")
        try vault.flushAudit()
        try vault.lock()
        try vault.flushAudit()
    }

    @Test(arguments: SmallDisk.kinds) func aFullDiskUnlocksReadsAndLocks(_ kind: SmallDisk.Kind) throws {
        let disk = try SmallDisk(kibibytes: 1024, kind)
        let vault = try vault(on: disk)
        #expect(try room(on: disk).isReserveWhole)
        try vault.lock()
        try disk.fill()
        #expect(try room(on: disk).isFull)
        var left: [Int] = []
        for _ in 0..<20 {
            try use(vault)
            left.append(try room(on: disk).reserve >> 10)
        }
        print("the reserve on a full \(kind), in KiB, after each of twenty uses:", left)
        #expect(try vault.enter(passcode: Cast.bytes("wrong")).authenticated(.passcode) == false)
        #expect(try vault.device.wrongPasscodes.count == 1)
        #expect(try vault.verify().findings == [])
        // Two thirds of it.
        #expect(try #require(left.last) >= 128)

        try disk.free()
        try use(vault)
        #expect(try room(on: disk).isReserveWhole)
        vault.close()
    }

    @Test(arguments: SmallDisk.kinds) func aVaultOpensOnAFullDisk(_ kind: SmallDisk.Kind) throws {
        let disk = try SmallDisk(kibibytes: 1024, kind)
        try vault(on: disk).close()
        try disk.fill()
        for _ in 0..<5 {
            let vault = try Vault.open(at: disk.path + "/vault")
            try use(vault)
            vault.close()
            #expect(vault.unwrittenRecords == 0)
        }
        try disk.free()
        let vault = try Vault.open(at: disk.path + "/vault")
        #expect(try room(on: disk).isReserveWhole && vault.verify().findings == [])
        let closings = try vault.auditLog().records.filter { $0.kind == .closed }
        #expect(closings.reduce(0) { $0 + Int($1.count) } == 6)
        vault.close()
    }

    /// A change leaves the reserve alone, also after records have taken a part of it.
    @Test(arguments: SmallDisk.kinds) func aChangeTakesNothingOfTheReserve(_ kind: SmallDisk.Kind) throws {
        let disk = try SmallDisk(kibibytes: 1024, kind)
        var vault = try vault(on: disk)
        let large = try SecureBytes(count: 100_000)
        let full = VaultError.full(disk.path + "/vault/vault.db")
        try disk.fill()
        #expect(try refusal { try vault.add(Cast.item("large"), secret: large.copy(), for: Cast.app) } == full)
        #expect(try room(on: disk).isReserveWhole)
        vault.close()
        // Closing has freed SQLite's log and its index. On a full disk, opening takes their room from the reserve.
        try disk.fill()
        vault = try Vault.open(at: disk.path + "/vault")
        try use(vault)
        let left = try room(on: disk).reserve
        #expect(left < DiskRoom.reserveSize)
        #expect(try vault.enter(passcode: Cast.bytes("1234")).authenticated(.passcode))
        for account in ["small", "other"] {
            #expect(try refusal { try vault.adding(Cast.item(account), "x") } == full)
        }
        #expect(try room(on: disk).reserve >= left - 32 * 1024, "only records took some of it")
        try disk.free()
        #expect(try vault.adding(Cast.item("small"), "x") == "granted")
        #expect(try room(on: disk).isReserveWhole)
        vault.close()
    }

    /// Without room for its record, no attempt reaches the keys.
    @Test(arguments: SmallDisk.kinds) func anAttemptIsRefusedOnceTheReserveIsUsedUp(_ kind: SmallDisk.Kind) throws {
        let disk = try SmallDisk(kibibytes: 1024, kind)
        let path = disk.path + "/vault"
        try vault(on: disk).close()
        // A process that ends at once leaves the log with little in it, so that the next attempt needs room.
        let vault = try Vault.open(at: path)
        try vault.lock()
        try vault.flushAudit()
        try disk.fill()
        #expect(truncate(path + "/reserve", 0) == 0)
        try disk.fill()
        let error = try #require(try refusal { for _ in 0..<400 { try vault.enter(passcode: Cast.bytes("1234")) } })
        #expect(error == .reserveUsedUp(path + "/vault.db"))
        #expect(error.description.contains("free 1 MiB"))
        let locked = vault.isUnlocked
        #expect(try refusal { try vault.enter(passcode: Cast.bytes("wrong")) } == error)
        #expect(vault.isUnlocked == locked)
        #expect(try vault.device.wrongPasscodes.isEmpty, "it was not checked")
        try disk.free()
        #expect(try vault.enter(passcode: Cast.bytes("wrong")).authenticated(.passcode) == false)
        // An attempt whose verdict found no room counts too.
        #expect((1...2).contains(try vault.device.wrongPasscodes.count))
        vault.close()
    }

    /// A file that is not the vault's own is left alone, and keeps no change from being made.
    @Test func aReserveThatIsALinkIsLeftAlone() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vault")
        try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault.close()
        for makesLink in [link, symlink] {
            unlink(path + "/reserve")
            try RawFile.write([1, 2, 3], to: folder.path("other"))
            #expect(makesLink(folder.path("other"), path + "/reserve") == 0)
            let vault = try Vault.open(at: path)
            try vault.enter(passcode: Cast.bytes("1234"))
            #expect(try vault.adding(Cast.item("\(UInt32.random(in: 0 ... .max))"), "x") == "granted")
            vault.close()
            #expect(RawFile.read(folder.path("other")) == [1, 2, 3])
        }
    }
}
