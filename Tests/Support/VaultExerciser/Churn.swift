import AccessPolicy
import DeviceModel
import Foundation
import SecretVault
import SodiumKit
import Synchronization
import TestSupport

/// Changes a vault until the test kills the process: `churn <folder> <seed> <control file> <passcode>`.
///
/// It prints a line before and after each operation. The test maps the control file, reads from it how far the present
/// transaction is, and writes into it at which moment the process has to wait for its end.
func churn(_ arguments: [String]) throws {
    guard arguments.count == 4, let seed = UInt64(arguments[1]) else { exit(64) }
    let control = try ChurnControl(arguments[2])
    let vault = try Vault.open(at: arguments[0])
    try vault.enter(passcode: SecureBytes(arguments[3]))
    try vault.observeTransactions { control.reached($0) }
    var churner = Churner(vault, SeededGenerator(seed: seed), passcode: arguments[3])
    try churner.look()
    say("ready")
    for number in 1...2000 {
        let operation = churner.next(number)
        say("op \(number) \(operation.words.joined(separator: " "))")
        let isDone = try churner.carryOut(operation)
        control.isOver()
        say(isDone ? "done \(number)" : "refused \(number)")
    }
}

/// Writes a line at once, so that it is out before the process can be killed.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}

/// The first bytes of the control file, which both processes map.
private final class ChurnControl: Sendable {
    private nonisolated(unsafe) let bytes: UnsafeMutablePointer<Atomic<UInt8>>

    init(_ path: String) throws {
        let file = open(path, O_RDWR)
        guard file >= 0, let mapped = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
            mapped != MAP_FAILED
        else { throw CocoaError(.fileReadUnknown) }
        close(file)
        bytes = mapped.assumingMemoryBound(to: Atomic<UInt8>.self)
    }

    /// Stores the moment, and waits there for the end if the test has asked for it.
    func reached(_ moment: TransactionMoment) {
        let value = moment == .ended ? 0 : moment.rawValue
        bytes[0].store(value, ordering: .sequentiallyConsistent)
        if value != 0, bytes[1].load(ordering: .sequentiallyConsistent) == value { sleep(5) }
    }

    func isOver() { bytes[0].store(0, ordering: .sequentiallyConsistent) }
}

private enum ChurnOperation {
    case add(String, String, Int)
    case update(String, String, Int)
    case rename(String, String)
    case delete(String)
    case bind(String)
    case passcode(String)
    case enroll(UInt8)
    case unenroll(UInt8)
    case lock, enter, wrong

    var words: [String] {
        switch self {
        case .add(let account, let token, let size): ["add", account, token, "\(size)"]
        case .update(let account, let token, let size): ["update", account, token, "\(size)"]
        case .rename(let account, let other): ["rename", account, other]
        case .delete(let account): ["delete", account]
        case .bind(let token): ["bind", token]
        case .passcode(let code): ["passcode", code]
        case .enroll(let finger): ["enrol", "\(finger)"]
        case .unenroll(let finger): ["unenroll", "\(finger)"]
        case .lock: ["lock"]
        case .enter: ["enter"]
        case .wrong: ["wrong"]
        }
    }
}

private struct Churner {
    private let vault: Vault
    private var random: SeededGenerator
    private var passcode: String
    private var present: Set<String> = []
    private var fingers: Set<UInt8> = []
    private var isBound = false
    private var isLocked = false

    static let accounts = (0..<12).map { "a\($0)" }
    static let caller = Caller("churn", groups: ["com.example.app"], interaction: .fail, date: 700_000_000)

    init(_ vault: Vault, _ random: SeededGenerator, passcode: String) {
        self.vault = vault
        self.random = random
        self.passcode = passcode
    }

    static func item(_ account: String, _ control: AccessControl = AccessControl(.whenUnlocked)) -> ItemDescription {
        ItemDescription(
            .genericPassword, ["acct": .string(account), "svce": .string("service")], control, group: "com.example.app")
    }

    static func key(_ account: String) -> ItemReference { .key(item(account).primaryKey) }

    /// Finds out which items exist.
    mutating func look() throws {
        for account in Self.accounts
        where try vault.decision(.readData, Self.key(account), for: Self.caller).isGranted {
            present.insert(account)
        }
        let enrolled = try vault.device.enrolled
        for number in UInt8(1)...2 where enrolled.contains(try Self.finger(number)) { fingers.insert(number) }
        switch try vault.decision(.readData, Self.key("bound"), for: Self.caller).denial?.rule {
        case .itemNotFound, .biometrySetChanged: isBound = false
        default: isBound = true
        }
    }

    static func finger(_ number: UInt8) throws -> Finger {
        guard let finger = Finger(rawValue: number) else { throw CocoaError(.coderInvalidValue) }
        return finger
    }

    mutating func next(_ number: Int) -> ChurnOperation {
        if isLocked { return .enter }
        let absent = Self.accounts.filter { !present.contains($0) }
        let there = present.sorted()
        let token = "v\(number)-\(UInt32.random(in: 0 ... .max, using: &random))"
        let size = random.once(in: 4) ? Int.random(in: 4000...9000, using: &random) : token.utf8.count
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<4 where !absent.isEmpty: return .add(random.pick(absent), token, size)
        case 4..<8 where !there.isEmpty: return .update(random.pick(there), token, size)
        case 8 where !there.isEmpty && !absent.isEmpty: return .rename(random.pick(there), random.pick(absent))
        case 9..<11 where !there.isEmpty: return .delete(random.pick(there))
        case 11 where !isBound: return .bind(token)
        case 12..<15: return .passcode("p\(UInt32.random(in: 0 ... .max, using: &random))")
        case 15: return .lock
        case 16: return .wrong
        case 17: return .enter
        default:
            let finger = UInt8.random(in: 1...2, using: &random)
            return fingers.contains(finger) ? .unenroll(finger) : .enroll(finger)
        }
    }

    /// Runs the operation, and returns true if it was granted.
    mutating func carryOut(_ operation: ChurnOperation) throws -> Bool {
        switch operation {
        case .add(let account, let token, let size):
            present.insert(account)
            return try vault.add(
                Self.item(account), secret: Self.secret(token, size), for: Self.caller
            ).isGranted
        case .update(let account, let token, let size):
            return try vault.update(
                Self.key(account), secret: .replace(Self.secret(token, size)), for: Self.caller
            ).isGranted
        case .rename(let account, let other):
            present.remove(account)
            present.insert(other)
            let changes = ItemChanges(attributes: Self.item(other).attributes)
            return try vault.update(Self.key(account), changes, secret: .keep, for: Self.caller).isGranted
        case .delete(let account):
            present.remove(account)
            return try vault.delete(Self.key(account), for: Self.caller).isGranted
        case .bind(let token):
            isBound = true
            let control = try AccessControl(protection: .whenUnlocked, flags: .biometryCurrentSet)
            return try vault.add(
                Self.item("bound", control), secret: SecureBytes(token), for: Self.caller
            ).isGranted
        case .passcode(let next):
            let effects = try vault.changePasscode(from: SecureBytes(passcode), to: SecureBytes(next))
            passcode = next
            return effects.refusal == nil
        case .enroll(let finger):
            fingers.insert(finger)
            isBound = false
            return try vault.apply(.enrolled(Self.finger(finger))).refusal == nil
        case .unenroll(let finger):
            fingers.remove(finger)
            isBound = false
            return try vault.apply(.removed(Self.finger(finger))).refusal == nil
        case .lock:
            isLocked = true
            return try vault.lock().refusal == nil
        case .enter:
            isLocked = false
            return try vault.enter(passcode: SecureBytes(passcode)).authenticated(.passcode)
        case .wrong: return try !vault.enter(passcode: SecureBytes("wrong")).authenticated(.passcode)
        }
    }

    /// Returns the token, padded to this size.
    static func secret(_ token: String, _ size: Int) throws -> SecureBytes {
        try SecureBytes(token + String(repeating: ".", count: max(0, size - token.utf8.count)))
    }
}
