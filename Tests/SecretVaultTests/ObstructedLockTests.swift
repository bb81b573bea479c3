import Foundation
import SodiumKit
import TestSupport
import Testing

/// Law "lock": what a lock takes away is gone at once, whatever other threads and programs are doing, and whatever
/// state the files are in.
///
/// As in the tests of wiping, another process holds the vault, and this one searches its memory.
@Suite(.timeLimit(.minutes(20))) struct ObstructedLockTests {
    private let folder: TemporaryFolder
    private let process: CanaryProcess
    private var keys = Needles()
    private let closedByLock: Set<String>

    /// The time allowed, in milliseconds. A lock that waited would take ten seconds here, or would never return. The
    /// measured figure is `lock.contended.ms`.
    private static let atOnce = 2_000

    init() throws {
        folder = try TemporaryFolder()
        process = try CanaryProcess(["lock", folder.url.path])
        for _ in 0..<4 { try process.send(Sodium.randomBytes(64).map { 0x61 + $0 % 26 }) }
        try process.send(Cast.newKey())
        var names: Set<String> = []
        for piece in try process.pieces().dropLast() where piece.name.hasPrefix("open ") {
            keys.add(key: piece.bytes, piece.name)
            names.insert(piece.name)
        }
        closedByLock = names.filter {
            $0.hasPrefix("open whenUnlocked") || $0.hasPrefix("open whenPasscodeSet")
                || ($0.hasPrefix("open context") && $0.contains(" gate "))
        }
        try process.command("d")
        try #require(closedByLock.count == 10)
        #expect(try keys.found(inMemoryOf: process.id).isSuperset(of: closedByLock), "looking finds what is there")
    }

    /// Locks the vault, and expects that to take no time and to leave no key.
    private func lock() throws -> String {
        let said = try #require(try process.command("L").first)
        let milliseconds = try #require(Int(String(decoding: said.bytes, as: UTF8.self)))
        #expect(milliseconds < Self.atOnce)
        #expect(try keys.found(inMemoryOf: process.id).isDisjoint(with: closedByLock))
        return said.name
    }

    /// Takes the vault's lock file, as another program would.
    private func holdingFile(_ body: () throws -> Void) throws {
        let file = open(folder.path("vault/lock"), O_RDWR | O_CLOEXEC)
        try #require(file >= 0 && flock(file, LOCK_EX) == 0)
        defer { close(file) }
        try body()
    }

    @Test func aHeldFileDelaysNoLock() throws {
        try holdingFile {
            let said = try lock()
            #expect(said == "locked")
        }
        #expect(try process.command("t").map(\.name) == ["class.locked"])
        try process.finish()
    }

    /// One of six writers holds the vault itself at that time, and each would wait for ten seconds.
    @Test func waitingWritersDelayNoLock() throws {
        try holdingFile {
            try process.command("w")
            #expect(try lock() == "locked")
        }
        #expect(try process.command("t").map(\.name) == ["class.locked"])
        try process.command("c")
        #expect(try keys.found(inMemoryOf: process.id) == [])
        try process.finish()
    }

    /// After a vault is closed, nothing is left that opens an item.
    @Test func waitingWritersDelayNoEnd() throws {
        try holdingFile {
            try process.command("w")
            let time = try ContinuousClock().measure { try process.command("c") }
            #expect(time < .milliseconds(Self.atOnce))
            #expect(try keys.found(inMemoryOf: process.id) == [])
        }
        try process.finish()
    }

    @Test func aHangingSensorDelaysNoLock() throws {
        try process.command("h")
        #expect(try lock() == "locked")
        try process.command("S")
        let left = try keys.found(inMemoryOf: process.id)
        #expect(left.allSatisfy { $0.hasPrefix("open fixed") }, "\(left)")
        process.kill()
    }

    /// The vault notices a foreign change to the database after its keys are gone, and then wipes everything else too.
    @Test(arguments: ["generation - 1", "generation + 1"]) func aBrokenDatabaseKeepsNoKey(generation: String) throws {
        let database = try RawDatabase(folder.path("vault/vault.db"))
        let before = try database.numbers("SELECT generation FROM device")
        try database.run("UPDATE device SET generation = \(generation)")
        #expect(try lock().hasPrefix("failed: "))
        let left = try keys.found(inMemoryOf: process.id)
        #expect(left.allSatisfy { $0.hasPrefix("open fixed") }, "\(left)")
        // The vault stays closed even if the database is repaired.
        try database.run("UPDATE device SET generation = \(before[0])")
        #expect(try process.command("t").map(\.name) == ["the vault was closed: open it again"])
        try process.finish()
    }
}
