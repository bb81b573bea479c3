import AccessPolicy
import CFaultFileSystem
import DeviceModel
import Foundation
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// If any call into the file system fails, acknowledged changes are kept, and each other change is there completely or
/// not at all.
@Suite(.serialized) struct FaultTests {
    /// A call that fails, in the database's files or at the keys of the device.
    enum Fault: Hashable, CustomStringConvertible {
        case file(String, latchkey_fault, lasting: Bool)
        case device(FailingKeys.Failure)

        static let all: [Self] = [
            .file("write", LATCHKEY_FAULT_WRITE, lasting: false),
            .file("write for good", LATCHKEY_FAULT_WRITE, lasting: true),
            .file("short write", LATCHKEY_FAULT_SHORT_WRITE, lasting: false),
            .file("full", LATCHKEY_FAULT_FULL, lasting: false),
            .file("full for good", LATCHKEY_FAULT_FULL, lasting: true),
            .file("sync", LATCHKEY_FAULT_SYNC, lasting: false),
            .file("sync for good", LATCHKEY_FAULT_SYNC, lasting: true),
            .file("truncate", LATCHKEY_FAULT_TRUNCATE, lasting: false),
            .file("open", LATCHKEY_FAULT_OPEN, lasting: false), .file("lock", LATCHKEY_FAULT_LOCK, lasting: false),
            .file("read", LATCHKEY_FAULT_READ, lasting: false), .file("map", LATCHKEY_FAULT_MAP, lasting: false),
            .device(.before), .device(.after),
        ]

        var description: String {
            switch self {
            case .file(let name, _, _): name
            case .device(.before): "device key, before"
            case .device(.after): "device key, after"
            }
        }
    }

    /// An operation during which a call fails.
    enum Operation: String, CaseIterable {
        case add, addLong, update, rename, delete, bind, passcode, enroll, enter, wrong, open
    }

    static let long = String(repeating: "l", count: 9000)

    /// Creates the vault that each attempt begins with a copy of.
    private func prototype(_ folder: TemporaryFolder) throws -> String {
        let path = folder.path("prototype")
        let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
        try vault.apply(.enrolled(Cast.index))
        try vault.adding(Cast.item("a0"), "zero")
        try vault.adding(Cast.item("a1"), Self.long)
        try vault.adding(Cast.item("bound", Cast.control(.biometryCurrentSet)), "tied")
        vault.close()
        return path
    }

    static func copy(_ from: String, to: String) throws {
        try FileManager.default.createDirectory(
            atPath: to, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        // The index of the log is left out, because it does not exist once every program has closed the database.
        for name in ["vault.db", "vault.db-wal", "device", "lock"] {
            guard let data = FileManager.default.contents(atPath: from + "/" + name) else { continue }
            guard
                FileManager.default.createFile(
                    atPath: to + "/" + name, contents: data, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
        }
    }

    /// Returns the contents that the vault should have after the operation.
    private func after(_ operation: Operation, _ before: CrashTests.Contents) -> CrashTests.Contents {
        var next = before
        switch operation {
        case .add: next.items["a2"] = "two"
        case .addLong: next.items["a2"] = Self.long
        case .update: next.items["a0"] = Self.long
        case .rename: next.items["a3"] = next.items.removeValue(forKey: "a1")
        case .delete: next.items["a1"] = nil
        case .bind: next.bound = "anew"
        case .passcode: next.passcode = "5678"
        case .enroll:
            next.fingers.insert(1)
            next.bound = nil
        case .enter, .wrong, .open: break
        }
        return next
    }

    /// Runs the operation, and returns true if it was granted.
    private func carryOut(_ operation: Operation, on vault: Vault) throws -> Bool {
        switch operation {
        case .add: return try vault.adding(Cast.item("a2"), "two") == "granted"
        case .addLong: return try vault.adding(Cast.item("a2"), Self.long) == "granted"
        case .update:
            return try vault.update(
                Cast.key("a0"), secret: .replace(Cast.bytes(Self.long)), for: Cast.app
            ).isGranted
        case .rename:
            let changes = ItemChanges(attributes: Cast.item("a3").attributes)
            return try vault.update(Cast.key("a1"), changes, secret: .keep, for: Cast.app).isGranted
        case .delete: return try vault.delete(Cast.key("a1"), for: Cast.app).isGranted
        case .bind:
            _ = try vault.delete(Cast.key("bound"), for: Cast.app)
            return try vault.adding(Cast.item("bound", Cast.control(.biometryCurrentSet)), "anew") == "granted"
        case .passcode:
            return try vault.changePasscode(from: Cast.bytes("1234"), to: Cast.bytes("5678")).refusal == nil
        case .enroll: return try vault.apply(.enrolled(Cast.thumb)).refusal == nil
        case .enter: return try vault.enter(passcode: Cast.bytes("1234")).authenticated(.passcode)
        case .wrong: return try !vault.enter(passcode: Cast.bytes("wrong")).authenticated(.passcode)
        case .open: return true
        }
    }

    /// Opens the vault at `path`, and returns a description of what is wrong; nil if nothing is.
    private func fault(_ path: String, _ allowed: [CrashTests.Contents], wrongs: ClosedRange<Int>? = nil) -> String? {
        do {
            let vault = try Vault.open(at: path)
            if let wrongs {
                // An attempt that was never checked is counted at the next attempt.
                try vault.enter(passcode: Cast.bytes("another"))
                let count = try vault.device.wrongPasscodes.count - 1
                if !wrongs.contains(count) { return "\(count) wrong passcodes before" }
            }
            guard let found = try CrashTests.Contents(of: vault, passcodes: allowed.map(\.passcode)) else {
                return "it cannot be read"
            }
            let report = try vault.verify()
            vault.close()
            if !report.findings.isEmpty { return "\(report.findings.prefix(3))" }
            return allowed.contains(found)
                ? nil : "it holds \(found.items.keys.sorted()), \(found.passcode), \(found.fingers)"
        } catch {
            return "\(error)"
        }
    }

    @Test(.timeLimit(.minutes(20)), arguments: Operation.allCases)
    func whateverFails(_ operation: Operation) throws {
        try #require(latchkey_faults_register())
        let folder = try TemporaryFolder(inMemory: true)
        let prototype = try prototype(folder)
        var before = CrashTests.Contents()
        before.items = ["a0": "zero", "a1": Self.long]
        before.bound = "tied"
        var injected: [Fault: Int] = [:]
        var complaints: [String] = []
        for fault in Fault.all {
            // By day the first calls fail, and one in five of the rest. After the last call nothing fires any more.
            for number in 1...400 where complaints.count < 5 && (number <= 2 || DaySample.takes(number, oneIn: 5)) {
                let path = folder.path("\(operation)")
                let torn = folder.path("\(operation)-torn")
                try Self.copy(prototype, to: path)
                defer { for path in [path, torn] { try? FileManager.default.removeItem(atPath: path) } }
                let outcome = try attempt(operation, fault, number, path, torn, before)
                if let complaint = outcome.complaint { complaints.append("\(fault) \(number): \(complaint)") }
                injected[fault, default: 0] += outcome.fired ? 1 : 0
                if !outcome.fired { break }
            }
        }
        #expect(complaints == [])
        print(
            "faults during \(operation.rawValue): \(injected.values.reduce(0, +)):",
            Fault.all.map { "\($0) \(injected[$0] ?? 0)" }.joined(separator: ", "))
        #expect(injected.values.reduce(0, +) > 0)
    }

    /// Runs an operation in which call `number` of a kind fails.
    private func attempt(
        _ operation: Operation, _ fault: Fault, _ number: Int, _ path: String, _ torn: String,
        _ before: CrashTests.Contents
    ) throws -> (fired: Bool, complaint: String?) {
        let keys = try FailingKeys(opening: path + "/device")
        let isOpening = operation == .open
        let next = after(operation, before)
        var vault: Vault?
        if !isOpening {
            let opened = try Vault.open(at: path, fileSystem: "latchkey-faults", keys: keys)
            try opened.enter(passcode: Cast.bytes("1234"))
            if operation == .bind { try opened.flushAudit() }
            vault = opened
        }
        switch fault {
        case .file(_, let kind, let lasting): latchkey_faults_arm(kind, Int32(number), lasting)
        case .device(let failure): keys.arm(failure, number)
        }
        var isAcknowledged = false
        var complaint: String?
        do {
            if isOpening {
                vault = try Vault.open(at: path, patience: 300, fileSystem: "latchkey-faults", keys: keys)
                isAcknowledged = true
            } else if let vault {
                isAcknowledged = try carryOut(operation, on: vault)
                if !isAcknowledged { complaint = "it was refused" }
            }
        } catch let error as VaultError {
            if error.description.count < 10 { complaint = "it says only \(error.description)" }
            if case .damaged = error { complaint = "it says \(error)" }
        }
        let fired = Int(latchkey_faults_disarm()) + keys.disarm() > 0
        if !fired && !isAcknowledged { complaint = complaint ?? "it fails by itself" }
        var allowed = isAcknowledged ? [next] : [before, next]
        if operation == .bind && !isAcknowledged {
            var between = before
            between.bound = nil
            allowed.append(between)
        }
        // A copy of the files is what a process that ends here would leave.
        if complaint == nil {
            try Self.copy(path, to: torn)
            let wrongs = operation == .wrong ? (isAcknowledged ? 1...1 : 0...1) : nil
            complaint = self.fault(torn, allowed, wrongs: wrongs).map { "after an end without a word: \($0)" }
        }
        // Otherwise the process goes on.
        if complaint == nil, let vault {
            do {
                if operation != .passcode {
                    try vault.enter(passcode: Cast.bytes("1234"))
                    let found = try CrashTests.Contents(of: vault, passcodes: allowed.map(\.passcode))
                    if found.map(allowed.contains) != true {
                        complaint = "it goes on with \(String(describing: found?.items.keys))"
                    }
                }
                let report = try vault.verify()
                if !report.findings.isEmpty { complaint = "it goes on with \(report.findings.prefix(3))" }
                if try vault.enter(passcode: Cast.bytes(next.passcode)).authenticated(.passcode) {
                    try vault.apply(.enrolled(Cast.finger(5)))
                }
            } catch VaultError.closed {
                // The vault has closed itself, because the outcome is unknown.
            } catch {
                complaint = "it cannot go on: \(error)"
            }
            vault.close()
        }
        vault = nil
        if complaint == nil {
            // The enrollment above has invalidated the item that was bound to the earlier set.
            let later =
                allowed
                + allowed.map { contents in
                    var contents = contents
                    contents.bound = nil
                    return contents
                }
            complaint = self.fault(path, later).map { "opened anew: \($0)" }
        }
        return (fired, complaint)
    }

    @Test func anAttemptWhoseVerdictCannotBeWrittenCounts() throws {
        try #require(latchkey_faults_register())
        let folder = try TemporaryFolder(inMemory: true)
        let path = try prototype(folder)
        let vault = try Vault.open(at: path, fileSystem: "latchkey-faults", keys: nil)
        latchkey_faults_arm(LATCHKEY_FAULT_SYNC, 2, false)  // the first call records the attempt
        #expect(throws: VaultError.self) { try vault.enter(passcode: Cast.bytes("wrong")) }
        #expect(latchkey_faults_disarm() == 1)
        #expect(try vault.enter(passcode: Cast.bytes("another")).authenticated(.passcode) == false)
        #expect(try vault.device.wrongPasscodes.count == 2)
    }

    /// A store of the device's keys in which call `number` fails, before or after it has done its work.
    final class FailingKeys: DeviceKeyStore {
        enum Failure: Hashable { case before, after }

        private let keys: DeviceBlocks
        private var failure: Failure?
        private var remaining = 0
        private var fired = 0

        init(opening path: String) throws { keys = try DeviceBlocks(opening: path) }

        func arm(_ failure: Failure, _ number: Int) {
            self.failure = failure
            remaining = number
            fired = 0
        }

        func disarm() -> Int {
            failure = nil
            defer { fired = 0 }
            return fired
        }

        private func call<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
            guard let failure else { return try body() }
            remaining -= 1
            guard remaining == 0 else { return try body() }
            fired += 1
            if failure == .after { _ = try body() }
            throw VaultError.system("device", code: EIO, text: "the device's keys do not answer")
        }

        var vaultID: [UInt8] { keys.vaultID }
        func fixedKey() throws -> Key { try call { try keys.fixedKey() } }
        func eraseKeys() throws -> EraseKeys { try call { try keys.eraseKeys() } }
        func add(_ eraseKey: borrowing Key) throws {
            try call { try keys.add(eraseKey) }
        }
        func keep(_ kept: EraseKeys.Age) throws { try call { try keys.keep(kept) } }
        func counter() throws -> UInt64 { try call { try keys.counter() } }
        func setCounter(_ value: UInt64, lasting: Bool) throws {
            try call { try keys.setCounter(value, lasting: lasting) }
        }
    }
}
