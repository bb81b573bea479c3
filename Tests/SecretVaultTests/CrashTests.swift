import AccessPolicy
import DeviceModel
import Foundation
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import Testing

/// After a crash, every acknowledged change is there, and every other change is there completely or not at all.
///
/// `make soak` kills four times as many processes as a daily run, whose moments the day chooses.
@Suite(.waitsForProcesses) struct CrashTests {
    /// Everything that a vault in these tests can hold.
    struct Contents: Equatable {
        var items: [String: String] = [:]
        /// The item bound to the enrolled set, while it can be read.
        var bound: String?
        var passcode = "1234"
        var fingers: Set<UInt8> = []

        /// Returns the contents after an operation that the exerciser has announced.
        func after(_ words: [Substring]) -> Self? {
            var next = self
            let rest = words.dropFirst().map(String.init)
            switch (words.first, rest.count) {
            case ("add", 3), ("update", 3):
                let size = Int(rest[2]) ?? 0
                next.items[rest[0]] = rest[1] + String(repeating: ".", count: max(0, size - rest[1].utf8.count))
            case ("rename", 2): next.items[rest[1]] = next.items.removeValue(forKey: rest[0])
            case ("delete", 1): next.items[rest[0]] = nil
            case ("bind", 1): next.bound = rest[0]
            case ("passcode", 1): next.passcode = rest[0]
            case ("enrol", 1):
                next.fingers.insert(UInt8(rest[0]) ?? 0)
                next.bound = nil
            case ("unenroll", 1):
                next.fingers.remove(UInt8(rest[0]) ?? 0)
                next.bound = nil
            case ("lock", 0), ("enter", 0), ("wrong", 0): break
            default: return nil
            }
            return next
        }

        static let accounts = (0..<12).map { "a\($0)" }

        /// Reads the contents of an open vault, with whichever of two passcodes is right.
        init?(of vault: Vault, passcodes: [String]) throws {
            passcode = ""
            for code in Set(passcodes) where try vault.enter(passcode: SecureBytes(code)).authenticated(.passcode) {
                guard passcode.isEmpty else { return nil }
                passcode = code
            }
            guard !passcode.isEmpty else { return nil }
            for account in Self.accounts {
                switch try vault.read(Cast.key(account), for: Cast.app) {
                case .granted(let secret): items[account] = secret.text
                case .challenge: return nil
                case .denied(let denial): guard denial.rule == .itemNotFound else { return nil }
                }
            }
            let enrolled = try vault.device.enrolled
            for number in UInt8(1)...2 where enrolled.contains(Cast.finger(number)) { fingers.insert(number) }
            let context = try vault.makeContext()
            try vault.record(.presented(Cast.index), in: context)
            switch try vault.read(Cast.key("bound"), for: Cast.app, in: context) {
            case .granted(let secret): bound = secret.text
            case .challenge: return nil
            case .denied(let denial):
                guard denial.rule == .itemNotFound || denial.rule == .biometrySetChanged else { return nil }
            }
        }

        init() {}
    }

    struct Tally {
        var kills = 0
        var inTransaction = 0
        var betweenKeySteps = 0
        var unacknowledged = 0
        var done = 0
        var complaints: [String] = []

        mutating func complain(_ text: String) {
            if complaints.count < 5 { complaints.append(String(text.prefix(1500))) }
        }
    }

    /// The moment at which a round ends, as it appears in the exerciser's control file.
    enum End {
        case anywhere
        /// A little after a transaction begins.
        case after(microseconds: UInt32)
        /// The point where the exerciser waits: transaction begun, key added, or committed with two keys.
        case at(UInt8)
    }

    @Test(.timeLimit(.minutes(20))) func aKilledProcessLosesNothingAcknowledged() throws {
        let tallies = Mutex<[Tally]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { lane in
            var tally = Tally()
            do { try Self.lane(UInt64(lane), &tally) } catch { tally.complain("lane \(lane): \(error)") }
            let result = tally
            tallies.withLock { $0.append(result) }
        }
        let all = tallies.withLock { $0 }
        #expect(all.flatMap(\.complaints) == [])
        let kills = all.map(\.kills).reduce(0, +)
        let inTransaction = all.map(\.inTransaction).reduce(0, +)
        let between = all.map(\.betweenKeySteps).reduce(0, +)
        print(
            "killed \(kills) times: \(inTransaction) between BEGIN and COMMIT, \(between) between the steps of an erase-key",
            "change; \(all.map(\.unacknowledged).reduce(0, +)) operations announced only,",
            "\(all.map(\.done).reduce(0, +)) of them done")
        #expect(kills >= 4 * Self.killsOfVault)
        #expect(inTransaction * 3 >= kills)
        #expect(between * 8 >= kills)
    }

    /// The number of processes that are killed on each of four vaults.
    private static let killsOfVault = Soak.isExhaustive ? 130 : 32

    private static func lane(_ lane: UInt64, _ tally: inout Tally) throws {
        for vaultNumber in 0..<2 {
            let folder = try TemporaryFolder(inMemory: true)
            let path = folder.path("vault")
            var contents = Contents()
            do {
                let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
                try vault.apply(.enrolled(Cast.index))
                vault.close()
            }
            let control = try Control(folder.path("control"))
            var random = SeededGenerator(seed: DaySample.seed << 8 + lane * 100 + UInt64(vaultNumber))
            var round: UInt64 = 0
            let target = (vaultNumber + 1) * killsOfVault
            while tally.kills < target && round < 400 && tally.complaints.isEmpty {
                round += 1
                try Self.round(path, control, lane * 1000, round, &random, &contents, &tally)
            }
        }
    }

    /// The number of the last operation of `vault-exerciser churn`.
    private static let lastOperation = 2000

    private static func round(
        _ path: String, _ control: Control, _ base: UInt64, _ round: UInt64, _ random: inout SeededGenerator,
        _ contents: inout Contents, _ tally: inout Tally
    ) throws {
        control.reset()
        let seed = base + round
        var child = try SpawnedProgram("vault-exerciser", ["churn", path, "\(seed)", control.path, contents.passcode])
        var end: End
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: end = .anywhere
        case 3..<7: end = .after(microseconds: UInt32.random(in: 0..<400, using: &random))
        case 7: end = .at(1)
        case 8: end = .at(2)
        default: end = .at(3)
        }
        if tally.betweenKeySteps * 6 < tally.kills { end = .at(round.isMultiple(of: 2) ? 2 : 3) }
        // On a busy machine, few timed kills hit a transaction. The exerciser then waits inside one.
        if tally.inTransaction * 2 < tally.kills { end = .at(round.isMultiple(of: 2) ? 1 : 2) }
        var heard: [String] = []
        let wait = Int.random(in: 0..<30, using: &random)
        while heard.count <= wait, let line = child.line() { heard.append(line) }
        switch end {
        case .anywhere: usleep(UInt32.random(in: 0..<1500, using: &random))
        case .after(let microseconds):
            control.await { $0 == 1 }
            let stop = DispatchTime.now() + .microseconds(Int(microseconds))
            while DispatchTime.now() < stop { sched_yield() }
        case .at(let moment):
            control.linger(at: moment)
            control.await(patiently: true) { $0 == moment }
        }
        child.kill()
        heard += child.lines()
        let status = child.end()
        let moment = control.moment
        if status == -SIGKILL {
            tally.kills += 1
            if moment == 1 || moment == 2 { tally.inTransaction += 1 }
            if moment == 2 || moment == 3 { tally.betweenKeySteps += 1 }
        } else if status != 0 || heard.last != "done \(lastOperation)" {
            // On a busy machine, the process may finish before it is killed. Any other end is a fault.
            return tally.complain("round \(seed) ended by itself, \(status): \(heard.suffix(2))")
        }

        var pending: Contents?
        for line in heard where line != "ready" {
            let words = line.split(separator: " ")
            switch words.first {
            case "op":
                pending = contents.after(Array(words.dropFirst(2)))
                if pending == nil { return tally.complain("round \(seed) said \(line)") }
            case "done":
                if let pending { contents = pending }
                pending = nil
            default: return tally.complain("round \(seed) said \(line)")
            }
        }
        if pending != nil { tally.unacknowledged += 1 }

        let vault = try Vault.open(at: path)
        let found = try Contents(of: vault, passcodes: [contents.passcode, pending?.passcode ?? contents.passcode])
        let report = try vault.verify()
        vault.close()
        guard report.findings.isEmpty else { return tally.complain("round \(seed), \(moment): \(report.findings)") }
        guard let found, found == contents || found == pending else {
            return tally.complain(
                "round \(seed), at \(moment): \(heard) of \(contents) left \(String(describing: found))")
        }
        if found == pending && found != contents { tally.done += 1 }
        contents = found
    }

    /// The file in which the exerciser reports its position.
    final class Control {
        let path: String
        private let bytes: UnsafeMutablePointer<Atomic<UInt8>>

        init(_ path: String) throws {
            self.path = path
            try Data(count: 4096).write(to: URL(filePath: path))
            let file = open(path, O_RDWR)
            defer { close(file) }
            let mapped = try #require(mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0))
            try #require(mapped != MAP_FAILED)
            bytes = mapped.assumingMemoryBound(to: Atomic<UInt8>.self)
        }

        deinit { munmap(bytes, 4096) }

        var moment: UInt8 { bytes[0].load(ordering: .sequentiallyConsistent) }
        func reset() { for place in 0..<2 { bytes[place].store(0, ordering: .sequentiallyConsistent) } }
        func linger(at moment: UInt8) { bytes[1].store(moment, ordering: .sequentiallyConsistent) }

        /// Waits until the exerciser reaches a wanted moment, but not forever.
        func await(patiently: Bool = false, _ isWanted: (UInt8) -> Bool) {
            let stop = DispatchTime.now() + .seconds(3)
            while !isWanted(moment) && DispatchTime.now() < stop {
                if patiently { usleep(200) } else { sched_yield() }
            }
        }
    }
}
