import AccessPolicy
import DeviceModel
import Foundation
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import Testing

/// Several programs and several threads on one vault.
@Suite(.waitsForProcesses) struct SeveralProcessesTests {
    private func vault(_ folder: TemporaryFolder) throws -> (path: String, vault: Vault) {
        let path = folder.path("vault")
        let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
        try vault.apply(.enrolled(Cast.index))
        return (path, vault)
    }

    private func carryOut(_ arguments: String...) throws {
        var child = try SpawnedProgram("vault-exerciser", ["share"] + arguments)
        let said = child.lines()
        #expect(child.end() == 0, "\(arguments) said \(said.prefix(5))")
    }

    @Test(.timeLimit(.minutes(20))) func writersLoseNothingAndReadersSeeNothingTorn() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (path, vault) = try vault(folder)
        let children = try (0..<8).map { number in
            try SpawnedProgram(
                "vault-exerciser", ["share", number < 4 ? "write" : "read", path, "1234", "\(number)", "2500"])
        }
        let heard = Mutex<[[String]]>([])
        let ends = Mutex<[Int32]>([])
        DispatchQueue.concurrentPerform(iterations: children.count) { number in
            var child = children[number]
            let lines = child.lines()
            let end = child.end()
            heard.withLock { $0.append(lines) }
            ends.withLock { $0.append(end) }
        }
        #expect(ends.withLock { $0 } == Array(repeating: 0, count: 8), "nobody was turned away")
        let lines = heard.withLock { $0.flatMap { $0 } }
        #expect(lines.filter { $0.hasPrefix("wrong") }.prefix(5) == [])

        var last: [String: Int] = [:]
        var writes = 0
        var reads = 0
        for line in lines {
            let words = line.split(separator: " ").map(String.init)
            if words[0] == "done" {
                last[words[1]] = Int(words[2])
                writes += 1
            } else if words[0] == "reads" {
                reads += Int(words[1]) ?? 0
            }
        }
        var lost: [String] = []
        for (account, number) in last {
            let size = number % 7 == 3 ? 900 : 1 + number % 5
            let expected = String(repeating: "\(account)=\(number);", count: size)
            if try vault.reading(account) != expected, lost.count < 5 { lost.append("\(account) \(number)") }
        }
        #expect(lost == [])
        let report = try vault.verify()
        #expect(report.findings.prefix(5) == [])
        #expect(report.items == last.count)
        print("eight processes: \(writes) writes acknowledged, \(reads) reads, \(last.count) items")
        #expect(writes > 100)
        #expect(reads > 100)
    }

    @Test func anEnrollmentElsewhereTakesAwayWhatWasProvedHere() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (path, vault) = try vault(folder)
        try vault.adding(Cast.item("bound", Cast.control(.biometryCurrentSet)), "s3cret")
        try vault.adding(Cast.item("any", Cast.control(.biometryAny)), "other")
        let context = try vault.makeContext()
        try vault.record(.presented(Cast.index), in: context)
        #expect(try vault.reading("bound", in: context) == "s3cret")
        try carryOut("enrol", path, "1234", "1")
        let afterwards = try vault.reading("bound", in: context)
        #expect(afterwards == "biometry.current-set.changed")
        #expect(try vault.device.enrolled.contains(Cast.thumb))
        // The match before the change still counts as one on this sensor.
        try vault.record(.presented(Cast.thumb), in: context)
        #expect(try vault.reading("any", in: context) == "other")
        let inTheEnd = try vault.reading("bound", in: context)
        #expect(inTheEnd == "item.not-found", "a lost item goes with the next write")
        #expect(try vault.verify().findings == [])
    }

    @Test func aPasscodeChangedElsewhereClosesWhatIsOpenHere() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (path, vault) = try vault(folder)
        try vault.adding(Cast.item("mail"), "s3cret")
        try vault.adding(Cast.item("guarded", Cast.control(.devicePasscode)), "guarded")
        let context = try vault.makeContext()
        try vault.enter(passcode: Cast.bytes("1234"), in: context)
        #expect(try vault.reading("guarded", in: context) == "guarded")
        try carryOut("change", path, "1234", "5678")
        #expect(try vault.reading("mail", in: context) == "class.before-first-unlock")
        #expect(try vault.reading("guarded", in: context) == "class.before-first-unlock")
        #expect(try !vault.enter(passcode: Cast.bytes("1234"), in: context).authenticated(.passcode))
        #expect(try vault.enter(passcode: Cast.bytes("5678"), in: context).authenticated(.passcode))
        #expect(try vault.reading("mail") == "s3cret")
        #expect(try vault.reading("guarded", in: context) == "guarded")
    }

    /// A PAM module that uses OpenSSL comes after the vault is opened. Later OpenSSL would refuse to wipe.
    @Test func openSSLWipesItsMemoryOnceAVaultIsOpen() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (path, vault) = try vault(folder)
        defer { withExtendedLifetime(vault) {} }
        var child = try SpawnedProgram("vault-exerciser", ["openssl", path])
        #expect(child.lines() == ["wiping"])
        #expect(child.end() == 0)
    }

    @Test func wrongPasscodesTypedAtOnceBothCount() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (path, vault) = try vault(folder)
        for round in 0..<10 {
            var children = try ["a", "b"].map {
                try SpawnedProgram("vault-exerciser", ["share", "enter", path, "\($0)\(round)"])
            }
            for number in children.indices { #expect(children[number].line() == "ready") }
            for child in children { child.go() }
            for number in children.indices { #expect(children[number].lines() == ["wrong"]) }
            for child in children { #expect(child.end() == 0) }
            #expect(try vault.device.wrongPasscodes.count == 2)
            #expect(try vault.enter(passcode: Cast.bytes("1234")).authenticated(.passcode))
            #expect(try vault.device.wrongPasscodes.count == 0)
        }
    }

    /// The process that ends in its attempt may not be the attacker's, so it erases nothing.
    @Test func anAttemptThatIsCutShortIsNotTheOneThatErases() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        var settings = DeviceSettings(attemptEnd: .erases)
        settings.fidelity.passcodeDelays = .none
        let vault = try Vault.create(at: path, .simulated(settings), passcode: Cast.bytes("1234")).vault
        try vault.adding(Cast.item("mail"), "s3cret")
        let most = settings.fidelity.passcodeDelays.limit
        for number in 1..<most { try vault.enter(passcode: Cast.bytes("wrong \(number)")) }
        #expect(try vault.device.wrongPasscodes.count == most - 1)
        var child = try SpawnedProgram("vault-exerciser", ["share", "attempt", path, "the last"])
        #expect(child.line() == "asked")
        child.kill()
        child.end()
        let next = try Vault.open(at: path)
        #expect(try next.enter(passcode: Cast.bytes("1234")).authenticated(.passcode))
        #expect(try next.reading("mail") == "s3cret")
        // An attempt that is judged does erase.
        for number in 1...most { try next.enter(passcode: Cast.bytes("wrong \(number)")) }
        #expect(try next.device.passcode == nil)
        #expect(try next.reading("mail") == "item.not-found")
    }

    @Test func threadsShareAVault() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (_, vault) = try vault(folder)
        let complaints = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            do {
                let account = "thread\(thread)"
                var wrong: [String] = []
                if try vault.adding(Cast.item(account), "0") != "granted" { wrong.append("add") }
                for number in 1...40 where wrong.isEmpty {
                    let context = try vault.makeContext()
                    let isGranted = try vault.update(
                        Cast.key(account), secret: .replace(Cast.bytes("\(number)")), for: Cast.app, in: context
                    ).isGranted
                    if !isGranted { wrong.append("update") }
                    if try vault.reading(account, in: context) != "\(number)" { wrong.append("read") }
                    if number % 10 == 0,
                        try !vault.enter(passcode: Cast.bytes("1234"), in: context).authenticated(.passcode)
                    {
                        wrong.append("passcode")
                    }
                }
                complaints.withLock { $0 += wrong }
            } catch {
                complaints.withLock { $0.append("\(error)") }
            }
        }
        #expect(complaints.withLock { $0 } == [])
        for thread in 0..<8 { #expect(try vault.reading("thread\(thread)") == "40") }
        #expect(try vault.verify().findings == [])
    }

    @Test func vaultsOfOneProcessOnTheSameFolderSeeEachOther() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (path, first) = try vault(folder)
        let second = try Vault.open(at: path)
        try second.enter(passcode: Cast.bytes("1234"))
        for number in 0..<20 {
            let (writer, reader) = number % 2 == 0 ? (first, second) : (second, first)
            #expect(try writer.adding(Cast.item("n\(number)"), "\(number)") == "granted")
            #expect(try reader.reading("n\(number)") == "\(number)")
        }
        #expect(try first.verify().findings == [])
        #expect(try second.verify().items == 20)
    }

    @Test(.timeLimit(.minutes(20))) func whoOpensTheVaultWhileKeysAreReplacedFindsItWhole() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (path, vault) = try vault(folder)
        vault.close()
        let control = folder.path("control")
        try Data(count: 4096).write(to: URL(filePath: control))
        var child = try SpawnedProgram("vault-exerciser", ["churn", path, "7", control, "1234"])
        #expect(child.line() == "ready")
        var openings = 0
        var generations: Set<Int> = []
        let (end, limit) = (Date(timeIntervalSinceNow: 2), Patience.end)
        while Date() < end || ((openings <= 10 || generations.count < 2) && Date() < limit) {
            let other = try Vault.open(at: path)
            if openings % 10 == 0 { #expect(try other.verify().findings == []) }
            generations.insert(Int(try other.device.domainState.epoch))
            if openings % 2 == 0 { other.close() }
            openings += 1
        }
        child.kill()
        let said = child.lines()
        #expect(child.end() == -SIGKILL || said.last?.hasPrefix("done 2000") == true)
        #expect(said.filter { $0.hasPrefix("refused") } == [])
        #expect(try Vault.open(at: path).verify().findings == [])
        #expect(openings > 10 && generations.count > 1, "nothing was changed meanwhile")
        print("opened \(openings) times while keys were replaced; \(generations.count) enrollment sets seen")
    }

    @Test func itemsAreChangedAndDeletedByIdentifierAndByName() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (path, vault) = try vault(folder)
        let other = try Vault.open(at: path)
        try other.enter(passcode: Cast.bytes("1234"))
        for size in [3, 9000] {
            try vault.adding(Cast.item("mail"), String(repeating: "a", count: size))
            let found = try #require(try other.find(ItemSearch(.genericPassword)).first)
            let changed = try other.update(.id(found.id), secret: .replace(Cast.bytes("b")), for: Cast.app).isGranted
            #expect(changed)
            #expect(try vault.reading("mail") == "b")
            let attributes = ItemChanges(attributes: Cast.item("post").attributes)
            let renamed = try vault.update(Cast.key("mail"), attributes, secret: .keep, for: Cast.app).isGranted
            #expect(renamed)
            #expect(try other.reading("post") == "b")
            #expect(try other.reading("mail") == "item.not-found")
            let deleted = try other.delete(size == 3 ? .id(found.id) : Cast.key("post"), for: Cast.app).isGranted
            #expect(deleted)
            #expect(try vault.reading("post") == "item.not-found")
            let report = try vault.verify()
            #expect(report.findings == [])
            #expect(report.items == 0)
        }
    }
}
