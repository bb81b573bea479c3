import AccessPolicy
import DeviceModel
import Foundation
import Glibc
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import Testing

/// Functions that read and write a file in place, because creating it again thousands of times would take too long.
enum RawFile {
    static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, filled in
            filled = max(0, Glibc.read(file, buffer.baseAddress, buffer.count))
        }
    }

    static func write(_ bytes: some Collection<UInt8>, to path: String, mode: mode_t = 0o600) throws {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode)
        try #require(file >= 0, "\(path) does not open")
        defer { close(file) }
        let bytes = [UInt8](bytes)
        let count = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
        try #require(count == bytes.count)
        try #require(ftruncate(file, off_t(count)) == 0)
    }
}

/// The files of a vault at one moment.
struct VaultFiles: Sendable, Equatable {
    var database: [UInt8]
    var device: [UInt8]
    var log: [UInt8]?

    /// Reads the files in `folder`.
    init(in folder: String) throws {
        database = try #require(RawFile.read(folder + "/vault.db"))
        device = try #require(RawFile.read(folder + "/device"))
        log = RawFile.read(folder + "/vault.db-wal")
    }

    /// Writes the files into `folder`, over a vault that is there. Creates the folder if needed.
    func write(to folder: String) throws {
        if mkdir(folder, 0o700) != 0 { try #require(errno == EEXIST) }
        for name in ["/vault.db-shm", "/vault.db-wal"] { unlink(folder + name) }
        try RawFile.write(database, to: folder + "/vault.db")
        try RawFile.write(device, to: folder + "/device")
        try RawFile.write([], to: folder + "/lock")
        if let log { try RawFile.write(log, to: folder + "/vault.db-wal") }
    }
}

/// The outcome of opening a changed vault, reading all items and verifying it.
enum TamperOutcome: Hashable, Sendable {
    /// Every answer is right, and verifying finds nothing: the change has no visible effect.
    case unseen
    /// The vault was refused, for this reason.
    case refused(String)
    /// It opened; a request or verifying named what is wrong.
    case named(String)
    /// Something happened that must never happen.
    case broken(String)

    /// The heading under which the outcome is counted.
    var heading: String {
        switch self {
        case .unseen: "unseen"
        case .refused(let reason): "refused: \(reason)"
        case .named(let what): "named: \(what)"
        case .broken: "BROKEN"
        }
    }
}

/// A small closed vault that holds an item of every kind.
struct Specimen: Sendable {
    static let passcode = "1234"
    static let password = "app"
    static let pageSize = 512
    static let secrets: [(account: String, flags: AccessControlFlags, protection: Accessibility, secret: String)] = [
        ("plain", [], .whenUnlocked, "plain secret"),
        ("always", [], .always, "always secret"),
        ("finger", .biometryCurrentSet, .whenUnlocked, "finger secret"),
        ("code", .devicePasscode, .whenPasscodeSetThisDeviceOnly, "code secret"),
        ("password", .applicationPassword, .afterFirstUnlock, "password secret"),
        ("long", [], .whenUnlocked, String(repeating: "0123456789", count: 512)),
    ]

    let files: VaultFiles
    /// The row of each item.
    let rows: [String: Int64]

    init() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        do {
            var options = VaultOptions.simulated()
            options.pageSize = Self.pageSize
            let vault = try Vault.create(at: path, options, passcode: Cast.bytes(Self.passcode)).vault
            try vault.apply(.enrolled(Cast.index))
            try Self.fill(vault)
            vault.close()
        }
        files = try VaultFiles(in: path)
        try #require(files.log == nil)
        let database = try RawDatabase(path + "/vault.db")
        // Rows are written in the order of the list, so the version in the record tells which item a row holds.
        let numbers = try database.numbers("SELECT row FROM items ORDER BY substr(record, 20, 1)")
        rows = Dictionary(uniqueKeysWithValues: zip(Self.secrets.map(\.account), numbers))
        try #require(rows.count == Self.secrets.count)
    }

    static func fill(_ vault: Vault) throws {
        let context = try vault.makeContext()
        try context.setApplicationPassword(Cast.bytes(password))
        for (account, flags, protection, secret) in secrets {
            let control = flags.isEmpty ? AccessControl(protection) : try Cast.control(flags, protection)
            try #require(try vault.adding(Cast.item(account, control), secret, in: context) == "granted")
        }
    }

    /// A folder in which one changed vault after the other is opened.
    struct Bench {
        let folder: TemporaryFolder
        let path: String

        init() throws {
            folder = try TemporaryFolder(inMemory: true)
            path = folder.path("vault")
        }
    }

    /// Writes `changed` to the bench, opens it, reads all items and verifies it.
    ///
    /// `known` are the secrets that a read may return besides the right ones.
    static func outcome(
        of changed: VaultFiles, on bench: Bench, allowing known: [String] = []
    ) throws -> TamperOutcome {
        try changed.write(to: bench.path)
        return outcome(of: changed, at: bench.path, allowing: known)
    }

    static func outcome(of changed: VaultFiles, at path: String, allowing known: [String] = []) -> TamperOutcome {
        let outcome = look(at: path, known)
        guard case .refused = outcome else { return outcome }
        guard let after = try? VaultFiles(in: path), after.database == changed.database, after.device == changed.device
        else { return .broken("\(outcome.heading), but a file was changed") }
        if let log = changed.log, after.log != log {
            return .broken("\(outcome.heading), but the log was changed")
        }
        return outcome
    }

    private static func look(at path: String, _ known: [String]) -> TamperOutcome {
        let vault: Vault
        do throws(VaultError) {
            vault = try Vault.open(at: path, patience: 100)
        } catch {
            return .refused(error.heading)
        }
        defer { vault.close() }
        var named: [String] = []
        var silent: [String] = []
        var wrong: [String] = []
        func note(_ body: () throws -> Void) {
            do { try body() } catch let error as VaultError { named.append(error.heading) } catch {
                wrong.append("\(error)")
            }
        }
        note {
            let context = try vault.makeContext()
            if try !vault.enter(passcode: Cast.bytes(passcode), in: context).authenticated(.passcode) {
                silent.append("the passcode is refused")
            }
            if try !vault.record(.presented(Cast.index), in: context).authenticated(.biometry) {
                silent.append("the finger is refused")
            }
            for (account, _, _, secret) in secrets {
                note {
                    // The context drops a password that was wrong for an item, so it is set again.
                    if account == "password" { try context.setApplicationPassword(Cast.bytes(password)) }
                    switch try vault.read(Cast.key(account), for: Cast.app, in: context) {
                    case .granted(let found):
                        let text = found.text ?? "nothing"
                        if text != secret && !known.contains(text) { wrong.append("\(account) gives \(text)") }
                    case .challenge: silent.append("\(account) asks for a proof")
                    case .denied(let denial): silent.append("\(account): \(denial.rule.identifier)")
                    }
                }
                note {
                    switch try vault.attributes(Cast.key(account), for: Cast.app, in: context) {
                    case .granted(let item):
                        if item.description.attributes != Cast.item(account).attributes
                            || item.description.group != "com.example.app"
                        {
                            wrong.append("the attributes of \(account) are \(item.description.attributes)")
                        }
                    case .challenge: silent.append("the attributes of \(account) ask for a proof")
                    case .denied(let denial): silent.append("\(account): \(denial.rule.identifier)")
                    }
                }
            }
            note {
                let found = try vault.find(ItemSearch(.genericPassword, [.svce: .string("service")]))
                if found.count != secrets.count { silent.append("a search finds \(found.count)") }
            }
        }
        var isClean = false
        note {
            let report = try vault.verify()
            isClean = report.findings.isEmpty
            named += report.findings.map(\.heading)
        }
        if let first = wrong.first { return .broken("wrong: \(first)") }
        if isClean, let first = silent.first { return .broken("verifying is content, but: \(first)") }
        if let last = named.last { return .named(last) }
        return .unseen
    }
}

extension VaultError {
    /// The name of the case, for counting.
    var heading: String {
        switch self {
        case .damaged(let part): "damaged \(part.heading)"
        case .system(_, let code, _): "system \(code)"
        default: String("\(Mirror(reflecting: self).children.first?.label ?? "\(self)")")
        }
    }
}

extension VaultError.Part {
    fileprivate var heading: String {
        switch self {
        case .file: "file"
        case .keybag: "keybag"
        case .settings: "settings"
        case .ledger: "ledger"
        case .item: "item"
        case .audit: "audit"
        case .backup: "backup"
        case .transfer: "transfer"
        }
    }
}

extension VerifyFinding {
    /// The name of the case, for counting.
    var heading: String {
        switch self {
        case .structure: "structure"
        case .damaged: "damaged row"
        case .changed: "changed row"
        case .missing: "missing row"
        case .added: "added row"
        case .several: "several rows"
        case .strayedSecret: "strayed secret"
        case .removed: "deleted items"
        case .settings: "settings"
        case .ledger: "ledger"
        case .older: "older"
        case .audit: "audit"
        case .archive: "archive"
        case .lost: "lost"
        }
    }
}

/// The number of each outcome, and the first failures.
struct Tally: Sendable {
    private(set) var counts: [String: Int] = [:]
    private(set) var broken: [String] = []

    /// The number of failures after which a run stops.
    static let limit = 10

    var isFull: Bool { broken.count >= Self.limit }

    mutating func add(_ outcome: TamperOutcome, _ what: @autoclosure () -> String) {
        counts[outcome.heading, default: 0] += 1
        if case .broken(let why) = outcome, !isFull { broken.append("\(what()): \(why)") }
    }

    mutating func add(_ other: Tally) {
        counts.merge(other.counts, uniquingKeysWith: +)
        broken += other.broken.prefix(Self.limit - min(Self.limit, broken.count))
    }

    /// Prints the counts, and records an issue for each failure.
    func report(_ title: String) {
        let lines = counts.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }
        print("\(title): \(counts.values.reduce(0, +)) mutations: \(lines.joined(separator: ", "))")
        for text in broken { Issue.record("\(title): \(text)") }
    }
}

/// Runs `body` for all of `places` on two threads, each with a bench of its own.
func tally(_ places: [Int], _ body: @escaping @Sendable (Int, Specimen.Bench, inout Tally) throws -> Void) throws
    -> Tally
{
    let total = Mutex(Tally())
    let next = Atomic(0)
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
        var mine = Tally()
        do {
            let bench = try Specimen.Bench()
            while !mine.isFull {
                let first = next.add(16, ordering: .relaxed).oldValue
                guard first < places.count else { break }
                for place in places[first..<min(first + 16, places.count)] { try body(place, bench, &mine) }
            }
        } catch {
            failure.withLock { $0 = error }
        }
        total.withLock { $0.add(mine) }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    return total.withLock { $0 }
}
