import AccessPolicy
import DeviceModel
import Foundation
import SecretVault
import Synchronization
import TestSupport
import Testing

/// The audit log stays within its limit, counts repeats, and keeps grants longest.
@Suite struct AuditLogTests {
    /// The smallest limit.
    static let limit: Int64 = 1 << 20

    static func vault(at path: String, limit: Int64 = Self.limit, patience: Int32 = 10_000) throws -> Vault {
        var options = VaultOptions.simulated()
        options.auditLimit = limit
        options.patience = patience
        return try Vault.create(at: path, options, passcode: Cast.bytes("1234")).vault
    }

    /// Returns a caller of this program. Its name is long, so that few records fill a log.
    static func caller(_ program: String, process: Int = 0) -> Caller {
        var caller = Cast.app
        caller.name = "\(program) \(process) " + String(repeating: "x", count: 400)
        caller.program = program
        return caller
    }

    /// Adds an item that can be read only with the passcode.
    static func addGuarded(to vault: Vault) throws {
        try vault.adding(Cast.item("guarded", Cast.control(.devicePasscode)), "no")
    }

    static func times(_ records: [AuditRecord], _ kinds: Set<AuditRecord.Kind>, dropped share: String) -> Int {
        records.filter { kinds.contains($0.kind) || $0.kind == .dropped && $0.action == share }
            .reduce(0) { $0 + Int($1.count) }
    }

    // MARK: - Counting

    @Test func missesOfDifferentNamesByOneProgramAreOneRecord() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let vault = try Self.vault(at: folder.path("vault"))
        for number in 0..<3_000 {
            // Each request comes from a process of its own, as in a shell loop.
            let caller = Self.caller("prober", process: number)
            #expect(try vault.reading("missing \(number)", as: caller) == "item.not-found")
            if number.isMultiple(of: 100) { try vault.flushAudit() }
        }
        try vault.reading("missing", as: Self.caller("other"))
        let records = try vault.auditLog().records.filter { $0.kind == .denied }
        #expect(records.map(\.count) == [3_000, 1])
        #expect(records.allSatisfy { $0.rules.last == "item.not-found" && $0.subject.count == 16 })
    }

    @Test func aMissAMinuteIsARecordOfItsOwn() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let vault = try Self.vault(at: folder.path("vault"))
        for _ in 0..<3 {
            for number in 0..<10 {
                try vault.reading("missing \(number)", as: Self.caller("prober"))
                try vault.flushAudit()
            }
            try vault.pass(.minutes(1))
        }
        let records = try vault.auditLog().records.filter { $0.kind == .denied }
        #expect(records.map(\.count) == [10, 10, 10])
        #expect(records.allSatisfy { $0.last == $0.hour })
    }

    @Test func theFirstMissIsMeasuredLikeTheOthers() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let vault = try Self.vault(at: folder.path("vault"))
        for _ in 0..<3 {
            try vault.reading("missing", as: Self.caller("prober"))
            try vault.flushAudit()
            try vault.pass(.seconds(90))
        }
        #expect(try vault.auditLog().records.filter { $0.kind == .denied }.map(\.count) == [1, 1, 1])
    }

    @Test func whatAProgramRepeatsIsCounted() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let vault = try Self.vault(at: folder.path("vault"))
        for name in ["mail", "token"] { try vault.adding(Cast.item(name), "s3cret") }
        for number in 0..<2_000 {
            #expect(
                try vault.reading(number.isMultiple(of: 2) ? "mail" : "token", as: Self.caller("looper")) == "s3cret")
            if number.isMultiple(of: 4) { try vault.flushAudit() }
        }
        #expect(try vault.reading("mail", as: Self.caller("editor")) == "s3cret")
        let all = try vault.auditLog().records
        let loops = all.filter { $0.kind == .granted && $0.caller.hasPrefix("looper") }
        #expect(loops.count <= 66, "some are records of their own, and then they are counted")
        #expect(loops.reduce(0) { $0 + Int($1.count) } == 2_000)
        #expect(Set(loops.map(\.subject)).count == 2)
        #expect(all.filter { $0.kind == .granted && $0.caller.hasPrefix("editor") }.map(\.count) == [1])
        #expect(try vault.verify().findings == [])
    }

    @Test func whatIsRepeatedOnAnotherDayIsAnotherRecord() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let vault = try Self.vault(at: folder.path("vault"))
        try vault.adding(Cast.item("mail"), "s3cret")
        for _ in 0..<2 {
            for _ in 0..<200 {
                try vault.reading("mail")
                try vault.flushAudit()
            }
            try vault.pass(.minutes(24 * 60))
        }
        let counts = try vault.auditLog().records.filter { $0.action == "readData" }.map(\.count)
        // The first request of a day gets a record, then as many repeats as are allowed at once. The last record counts
        // the rest.
        #expect(counts.count == 2 * 65)
        #expect(counts.reduce(0, +) == 400)
        #expect(counts.filter { $0 > 1 } == [136, 136])
    }

    @Test func listsInALoopAreCounted() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let vault = try Self.vault(at: folder.path("vault"))
        for number in 0..<1_000 {
            try vault.recordList(for: Self.caller("lister", process: number))
            if number.isMultiple(of: 3) { try vault.flushAudit() }
        }
        let lists = try vault.auditLog().records.filter { $0.action == "list" }
        #expect(lists.count <= 66)
        #expect(lists.reduce(0) { $0 + Int($1.count) } == 1_000)
    }

    // MARK: - The size

    @Test func aFloodNeitherGrowsTheLogNorPushesGrantsOut() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        let vault = try Self.vault(at: path)
        for name in ["mail", "token"] { try vault.adding(Cast.item(name), "s3cret") }
        try Self.addGuarded(to: vault)
        for number in 0..<100 { try vault.reading("mail", as: Self.caller("editor \(number)")) }
        for number in 0..<6_000 {
            try vault.reading("missing \(number)", as: Self.caller("prober \(number)"))
            try vault.reading("guarded", as: Self.caller("prober \(number)"))
            if number.isMultiple(of: 50) { try vault.flushAudit() }
        }
        let records = try vault.auditLog().records
        #expect(records.filter { $0.caller.hasPrefix("editor") && $0.kind == .granted }.count == 100)
        #expect(records.contains { $0.kind == .dropped && $0.action == "refusals" && $0.count > 1_000 })
        #expect(!records.contains { $0.kind == .dropped && $0.action == "grants" })
        #expect(Self.times(records, [.denied, .challenged], dropped: "refusals") == 12_000)
        #expect(try vault.verify().findings == [])
        vault.close()
        #expect(try Self.size(of: path) <= Self.limit + 64 * 1024)
    }

    /// Adds and deletes need no authentication, so they must not push records of reads out. Each item here is a new
    /// one.
    @Test func aLoopOfAddsAndDeletesPushesNoReadsOut() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        let vault = try Self.vault(at: path)
        for name in ["mail", "token"] { try vault.adding(Cast.item(name), "s3cret") }
        for number in 0..<100 { try vault.reading("mail", as: Self.caller("editor \(number)")) }
        try vault.flushAudit()
        let before = try Self.size(of: path)
        let churner = Self.caller("churner")
        for number in 0..<3_000 {
            #expect(try vault.adding(Cast.item("new \(number)"), "x", as: churner) == "granted")
            _ = try vault.delete(Cast.key("new \(number)"), for: churner)
        }
        let (records, damage) = try vault.auditLog()
        #expect(damage == nil)
        #expect(records.filter { $0.caller.hasPrefix("editor") && $0.action == "readData" }.count == 100)
        #expect(!records.contains { $0.kind == .dropped })
        let churned = records.filter { $0.caller.hasPrefix("churner") && $0.kind == .granted }
        // The first requests have records of their own. A record that counts several items names none of them.
        #expect(churned.count == 66)
        #expect(churned.filter { $0.subject.isEmpty }.map(\.action).sorted() == ["add", "delete"])
        for action in ["add", "delete"] {
            #expect(churned.filter { $0.action == action }.reduce(0) { $0 + Int($1.count) } == 3_000)
        }
        #expect(try Self.size(of: path) < before + 64 * 1024)
        #expect(try vault.verify().findings == [])
    }

    @Test func changesBeyondTheAllowanceAreARecordAMinute() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let vault = try Self.vault(at: folder.path("vault"))
        let churner = Self.caller("churner")
        for minute in 0..<3 {
            for number in 0..<100 { try vault.adding(Cast.item("\(minute) \(number)"), "x", as: churner) }
            try vault.pass(.minutes(1))
        }
        let adds = try vault.auditLog().records.filter { $0.action == "add" }
        // Each minute allows one more record of its own.
        #expect(adds.filter { !$0.subject.isEmpty }.count == 66)
        #expect(adds.filter(\.subject.isEmpty).map(\.count) == [36, 99, 99])
    }

    /// Each item that is read is named, as long as these records fit into their part of the log. Further ones are
    /// counted.
    @Test func readsOfDifferentItemsAreRecordsOfTheirOwn() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let vault = try Self.vault(at: folder.path("vault"))
        let room = Int(Self.limit / 2048)
        let reader = Self.caller("reader")
        for number in 0..<(room + 100) {
            try vault.adding(Cast.item("\(number)"), "x")
            #expect(try vault.reading("\(number)", as: reader) == "x")
        }
        let reads = try vault.auditLog().records.filter { $0.action == "readData" }
        #expect(Set(reads.map(\.subject)).count == room + 1)
        #expect(reads.filter(\.subject.isEmpty).map(\.count) == [100])
        #expect(reads.filter { !$0.subject.isEmpty }.allSatisfy { $0.count == 1 })
    }

    /// Returns the number of bytes of the log's pages in the database.
    static func size(of path: String) throws -> Int64 {
        let database = try RawDatabase(path + "/vault.db")
        return try database.numbers(
            "SELECT TOTAL(LENGTH(sealed) + LENGTH(COALESCE(repeats, x''))) FROM audit"
        )[0] + database.numbers("SELECT TOTAL(LENGTH(sealed)) FROM archive")[0]
    }

    /// Compares the log with a model that only counts. In any order of requests, every record is there or counted as
    /// dropped, grants are dropped last, the log stays within its limit, and both directions of reading agree.
    @Test(arguments: 0..<6) func nothingIsLostThatIsNotSaidToBeDropped(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        var vault = try Self.vault(at: path)
        try vault.adding(Cast.item("mail"), "s3cret")
        try Self.addGuarded(to: vault)
        var (granted, refused) = (2, 0)  // both were added
        // With few programs most requests are repeats, and with many most are new.
        let programs = [3, 40, 5_000, 5_000][seed % 4]
        for _ in 0..<5_000 {
            let caller = Self.caller("\(Int.random(in: 0..<programs, using: &random))")
            switch Int.random(in: 0..<40, using: &random) {
            case 0: try vault.flushAudit()
            case 1: try vault.pass(.seconds(Int64.random(in: 1...300, using: &random)))
            case 2 where seed % 2 == 1:
                if Int.random(in: 0..<20, using: &random) == 0 {
                    vault.close()
                    vault = try Vault.open(at: path)
                    try vault.enter(passcode: Cast.bytes("1234"))
                }
            case 3...12:
                try vault.reading("missing \(Int.random(in: 0..<9, using: &random))", as: caller)
                refused += 1
            case 13...24:
                try vault.reading("guarded", as: caller)
                refused += 1
            default:
                #expect(try vault.reading("mail", as: caller) == "s3cret")
                granted += 1
            }
        }
        let (records, damage) = try vault.auditLog()
        #expect(damage == nil)
        #expect(Self.times(records, [.granted], dropped: "grants") == granted)
        #expect(Self.times(records, [.denied, .challenged], dropped: "refusals") == refused)
        #expect(records.allSatisfy { $0.hour <= $0.last })
        let kept = records.filter { $0.kind != .dropped }.map(\.place)
        #expect(kept == Array(Set(kept)).sorted())
        #expect(try vault.verify().findings == [])
        try Self.readInStretches(vault, records, &random)
        vault.close()
        #expect(try Self.size(of: path) <= Self.limit + 64 * 1024)
    }

    /// Stretches of any length, from either end, contain the same records.
    private static func readInStretches(
        _ vault: Vault, _ records: [AuditRecord], _ random: inout SeededGenerator
    ) throws {
        var forwards: [AuditRecord] = []
        while true {
            let stretch = try vault.auditRecords(
                after: forwards.last?.place ?? 0, atMost: Int.random(in: 1...700, using: &random))
            #expect(stretch.damage == nil)
            if stretch.records.isEmpty { break }
            forwards += stretch.records
        }
        #expect(forwards == records)
        var backwards: [AuditRecord] = []
        while true {
            let stretch = try vault.auditRecords(
                before: backwards.last?.place ?? .max, atMost: Int.random(in: 1...700, using: &random))
            #expect(stretch.damage == nil)
            if stretch.records.isEmpty { break }
            backwards += stretch.records
        }
        #expect(backwards.reversed() == records)
    }

    // MARK: - Failures

    /// Returns a vault with an item, which waits for its file only a moment, and the connection of another program to the file.
    private static func contested(in folder: TemporaryFolder) throws -> (Vault, RawDatabase) {
        let path = folder.path("vault")
        try vault(at: path).close()
        let vault = try Vault.open(at: path, patience: 1)
        try vault.enter(passcode: Cast.bytes("1234"))
        try vault.adding(Cast.item("mail"), "s3cret")
        return (vault, try RawDatabase(path + "/vault.db"))
    }

    @Test func whatCouldNotBeWrittenIsWrittenLaterAndOnce() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (vault, other) = try Self.contested(in: folder)
        for round in 0..<5 {
            try vault.reading("mail", as: Self.caller("a"))
            try other.run("BEGIN IMMEDIATE")
            for program in ["a", "b \(round)"] { try vault.reading("mail", as: Self.caller(program)) }
            #expect(throws: VaultError.self) { try vault.flushAudit() }
            try other.run("ROLLBACK")
            try vault.flushAudit()
        }
        let records = try vault.auditLog().records.filter { $0.action == "readData" }
        #expect(records.reduce(0) { $0 + Int($1.count) } == 15)
        #expect(Set(records.filter { $0.caller.hasPrefix("b") }.map(\.caller)).count == 5)
        #expect(try vault.verify().findings == [])
    }

    @Test func aFloodOfMissesDoesNotFillWhatCannotBeWritten() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (vault, other) = try Self.contested(in: folder)
        try other.run("BEGIN IMMEDIATE")
        for number in 0..<20_000 { try vault.reading("missing \(number)", as: Self.caller("prober", process: number)) }
        #expect(try vault.reading("mail") == "s3cret")
        try other.run("ROLLBACK")
    }

    /// A process that holds the vault's lock hides no read: once no more records can wait, nothing is read.
    @Test func noSecretIsReadWithoutRoomForItsRecord() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (vault, other) = try Self.contested(in: folder)
        try vault.flushAudit()
        try other.run("BEGIN IMMEDIATE")
        let most = 16_384
        for number in 0..<most {
            guard try vault.reading("mail", as: Self.caller("\(number)")) == "s3cret" else {
                Issue.record("read \(number) was refused")
                return
            }
        }
        for caller in [Self.caller("late"), Self.caller("0")] {
            #expect(throws: VaultError.auditFull) { try vault.reading("mail", as: caller) }
        }
        try other.run("ROLLBACK")
        #expect(try vault.reading("mail", as: Self.caller("late")) == "s3cret")
        let records = try vault.auditLog().records.filter { $0.action == "readData" || $0.kind == .dropped }
        #expect(Self.times(records, [.granted], dropped: "grants") >= most + 1)
    }

    /// A program that was killed is an opening without a closing.
    @Test func aSuddenEndShows() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        try Self.vault(at: path).close()
        func unclosed() throws -> Int {
            let vault = try Vault.open(at: path)
            defer { vault.close() }
            let kinds = try vault.auditLog().records.map(\.kind)
            // This opening is not closed yet.
            return kinds.count { $0 == .opened } - kinds.count { $0 == .closed } - 1
        }
        #expect(try unclosed() == 0)
        var child = try SpawnedProgram("vault-exerciser", ["share", "enter", path, "1234"])
        #expect(child.line() == "ready")
        child.kill()
        child.end()
        #expect(try unclosed() == 1)
        // It shows for good.
        #expect(try unclosed() == 1)
    }

    // MARK: - Settings

    @Test func theSizeAndWhetherItIsDurableCanBeChanged() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        let vault = try Self.vault(at: path, limit: 64 << 20)
        #expect(try vault.auditSettings == Vault.AuditSettings(limit: 64 << 20, isDurable: false))
        try vault.adding(Cast.item("mail"), "s3cret")
        try vault.setAudit(limit: Self.limit, isDurable: true, for: Cast.app)
        #expect(throws: VaultError.auditSize(Self.limit - 1)) {
            try vault.setAudit(limit: Self.limit - 1, for: Cast.app)
        }
        #expect(try vault.reading("mail", as: Self.caller("reader")) == "s3cret")
        // Another program sees the read at once, although no program has flushed the log.
        let other = try Vault.open(at: path)
        #expect(try other.auditSettings == Vault.AuditSettings(limit: Self.limit, isDurable: true))
        let records = try other.auditLog().records
        #expect(records.contains { $0.caller.hasPrefix("reader") && $0.kind == .granted })
        #expect(records.contains { $0.action == "set-log" && $0.caller == Cast.app.name })
        #expect(throws: VaultError.eventNeedsAuthentication) { try other.setAudit(isDurable: false, for: Cast.app) }
        try other.enter(passcode: Cast.bytes("1234"))
        try other.setAudit(isDurable: false, for: Cast.app)
        #expect(try vault.auditSettings == Vault.AuditSettings(limit: Self.limit, isDurable: false))
    }

    /// A lock does not wait for a thread that holds the vault, even if the log became durable after the vault was
    /// opened.
    @Test func aLogThatBecameDurableDelaysNoLock() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        let vault = try Self.vault(at: path)
        try vault.setAudit(isDurable: true, for: Cast.app)
        let (isBusy, isLocked) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isFirst = Atomic(true)
        try vault.observeTransactions { _ in
            guard isFirst.exchange(false, ordering: .relaxed) else { return }
            isBusy.signal()
            _ = isLocked.wait(timeout: .now() + .seconds(Patience.seconds))
        }
        Thread.detachNewThread { _ = try? vault.adding(Cast.item("mail"), "s3cret") }
        isBusy.wait()
        let time = try ContinuousClock().measure { try vault.lock() }
        #expect(time < Patience.withoutWaiting)
        #expect(!vault.isUnlocked)
        isLocked.signal()
        let other = try Vault.open(at: path)
        #expect(try Patience.wait { try other.auditLog().records.contains { $0.action == "lock" } })
    }

    /// If the log is durable, a lock without a record throws an error. The keys are wiped either way.
    @Test func aDurableLockWithoutARecordIsAnError() throws {
        // On a busy machine, writing may take longer than a lock waits for its record. The record then succeeds or
        // fails later.
        let isReported = try (0..<20).contains { _ in
            let folder = try TemporaryFolder(inMemory: true)
            let vault = try Self.vault(at: folder.path("vault"))
            try vault.setAudit(isDurable: true, for: Cast.app)
            try RawDatabase(folder.path("vault/vault.db")).run("UPDATE ledger SET sealed = zeroblob(length(sealed))")
            defer { #expect(!vault.isUnlocked) }
            do throws(VaultError) { try vault.lock() } catch {
                #expect(vault.hasClosedItself)
                return true
            }
            return false
        }
        #expect(isReported)
    }

    /// A reader may find damage at any place, but `verify` always names the first place.
    @Test func damageHasOneNumber() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        let vault = try Self.vault(at: path)
        try vault.adding(Cast.item("mail"), "s3cret")
        for number in 0..<40 {
            try vault.reading("mail", as: Self.caller("reader \(number)"))
            try vault.flushAudit()
        }
        #expect(try vault.auditDamage == nil)
        let database = try RawDatabase(path + "/vault.db")
        let page = try #require(try database.numbers("SELECT record FROM audit ORDER BY record").dropFirst(3).first)
        // The last byte belongs to the tag that the next page is sealed with.
        let box = try #require(try database.blobs("SELECT sealed FROM audit WHERE record = \(page)").first)
        try database.run(
            "UPDATE audit SET sealed = ? WHERE record = \(page)", Array(box.dropLast()) + [box[box.count - 1] ^ 1])
        let met = try #require(try vault.auditRecords(before: .max, atMost: .max).damage)
        let first = try #require(try vault.auditDamage)
        #expect(first == page && met > first)
        #expect(try vault.verify().findings.contains(.audit(first)))
    }

    @Test func aSmallerSizeIsReachedInSteps() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        let vault = try Self.vault(at: path, limit: 64 << 20)
        try vault.adding(Cast.item("mail"), "s3cret")
        for number in 0..<6_000 {
            try vault.reading("mail", as: Self.caller("\(number)"))
            if number.isMultiple(of: 500) { try vault.flushAudit() }
        }
        try vault.setAudit(limit: Self.limit, for: Cast.app)
        for number in 0..<40 {
            try vault.reading("mail", as: Self.caller("late \(number)"))
            try vault.flushAudit()
        }
        let records = try vault.auditLog().records
        #expect(Self.times(records, [.granted], dropped: "grants") == 6_041)
        #expect(try vault.verify().findings == [])
        vault.close()
        #expect(try Self.size(of: path) <= Self.limit + 64 * 1024)
    }
}
