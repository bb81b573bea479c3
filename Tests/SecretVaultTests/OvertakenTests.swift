import AccessPolicy
import DeviceModel
import Foundation
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import Testing

/// An operation that runs while the device is locked neither uses a key nor puts one back.
@Suite(.timeLimit(.minutes(20))) struct OvertakenTests {
    /// Locks a vault from another thread once an event has happened a number of times, and waits until the lock is
    /// done.
    private final class Overtaker: Sendable {
        private let vault: Vault
        private let left: Atomic<Int>

        init(_ vault: Vault, after count: Int) {
            self.vault = vault
            left = Atomic(count)
        }

        var hasCome: Bool { left.load(ordering: .sequentiallyConsistent) < 0 }

        func count() {
            guard left.subtract(1, ordering: .sequentiallyConsistent).newValue == -1 else { return }
            let isLocked = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [vault] in
                _ = try? vault.lock()
                isLocked.signal()
            }
            isLocked.wait()
        }
    }

    private static func vault() throws -> Vault { try Cast.vault(DeviceSettings(lockGrace: .zero)) }

    /// Runs `body` again and again on a new vault, each time with a lock at another moment of its transactions, until
    /// every moment has had its turn.
    private func atEachMoment(
        _ prepare: (Vault) throws -> Void = { _ in }, _ body: (Vault) throws -> Void, then check: (Vault) throws -> Void
    ) throws {
        for moment in 0... {
            let vault = try Self.vault()
            try prepare(vault)
            let overtaker = Overtaker(vault, after: moment)
            try vault.observeTransactions { _ in overtaker.count() }
            try body(vault)
            guard overtaker.hasCome else {
                #expect(moment > 0, "no transaction was overtaken")
                return
            }
            #expect(!vault.isUnlocked, "moment \(moment)")
            #expect(try vault.device.isLocked)
            #expect(try vault.reading("plain") == "class.locked")
            try check(vault)
            vault.close()
        }
    }

    private func store(_ vault: Vault) throws {
        try vault.adding(Cast.item("plain"), "plain")
        try vault.adding(Cast.item("typed", Cast.control(.devicePasscode)), "typed")
    }

    @Test(arguments: [true, false]) func aPasscodeAttempt(isLockedBefore: Bool) throws {
        let context = Mutex<VaultContext?>(nil)
        try atEachMoment { vault in
            try store(vault)
            if isLockedBefore { try vault.lock() }
        } _: { vault in
            let made = try vault.makeContext()
            context.withLock { $0 = made }
            let effects = try vault.enter(passcode: Cast.bytes("1234"), in: made)
            if !vault.isUnlocked { #expect(effects.refusal == .promptOver) }
        } then: { vault in
            // The attempt did not count as wrong, and what was typed before the lock is no evidence after the next
            // unlock.
            #expect(try vault.device.wrongPasscodes.isEmpty)
            try vault.enter(passcode: Cast.bytes("1234"))
            #expect(try vault.reading("plain") == "plain")
            #expect(try vault.reading("typed", in: context.withLock { $0 }) != "typed")
        }
    }

    @Test func aChangeOfThePasscode() throws {
        try atEachMoment(store) { vault in
            _ = try vault.changePasscode(from: Cast.bytes("1234"), to: Cast.bytes("5678"))
        } then: { vault in
            // The passcode is either the old or the new one, and it opens the vault.
            let isOld = try vault.enter(passcode: Cast.bytes("1234")).authenticated(.passcode)
            if !isOld { #expect(try vault.enter(passcode: Cast.bytes("5678")).authenticated(.passcode)) }
            #expect(try vault.reading("plain") == "plain")
        }
    }

    /// One addition succeeds and one does not. After a failure everything is as before, apart from the lock.
    @Test(arguments: ["new", "plain"]) func anAddition(account: String) throws {
        try atEachMoment(store) { vault in
            try vault.adding(Cast.item(account), "new")
        } then: { vault in
            #expect(try vault.enter(passcode: Cast.bytes("1234")).authenticated(.passcode))
            #expect(try vault.reading("plain") == "plain")
            let new = try vault.reading("new")
            #expect(["new", "item.not-found"].contains(new))
            #expect(try vault.verify().findings == [])
        }
    }

    @Test func aMatchThatUnlocks() throws {
        let vault = try Self.vault()
        try store(vault)
        try vault.lock()
        let ticket = try vault.openPromptToUnlock()
        try vault.lock()
        #expect(try vault.record(.presented(Cast.index), at: ticket).refusal == .promptOver)
        #expect(!vault.isUnlocked)
        #expect(try vault.record(.presented(Cast.index)).authenticated(.biometry))
        #expect(try vault.reading("plain") == "plain")
    }

    /// The device is locked after a read was granted: the read returns nothing. One secret is in its row, one outside
    /// it, and one under a gate.
    @Test(arguments: ["plain", "long", "bound"]) func aRead(account: String) throws {
        let vault = try Self.vault()
        try store(vault)
        try vault.adding(Cast.item("long"), String(repeating: "long ", count: 40_000))
        try vault.adding(Cast.item("bound", Cast.control(.biometryCurrentSet)), "bound")
        let context = try vault.makeContext()
        try vault.record(.presented(Cast.index), in: context)
        #expect(try vault.reading(account, in: context).hasPrefix(account))
        let overtaker = Overtaker(vault, after: 0)
        try vault.watch { if $0.decision.isGranted { overtaker.count() } }
        #expect(try vault.reading(account, in: context) == "class.locked")
        #expect(overtaker.hasCome)
        #expect(try vault.attributes(Cast.key(account), for: Cast.app, in: context).denial?.rule == .classLocked)
    }

    @Test func aBackup() throws {
        let folder = try TemporaryFolder()
        for moment in 0... {
            let vault = try Self.vault()
            try store(vault)
            let path = folder.path("backup \(moment)")
            let overtaker = Overtaker(vault, after: moment)
            try vault.watch { _ in overtaker.count() }
            let (effects, _) = try vault.export(
                to: path, BackupProtection(Cast.bytes("passphrase"), cost: .test))
            guard overtaker.hasCome else {
                #expect(moment > 0)
                #expect(FileManager.default.fileExists(atPath: path))
                return
            }
            #expect(effects.refusal != nil, "what a lock has cut short is no backup")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        }
    }

    /// A device without a passcode cannot be locked, so its operations continue.
    @Test func aRefusedLockEndsNothing() throws {
        let vault = try Cast.vault(passcode: nil)
        let ticket = try vault.openPromptToUnlock()
        #expect(try vault.lock().refusal == .passcodeNotSet)
        #expect(try !vault.isOver(ticket))
        #expect(vault.isUnlocked)
    }

    /// Other threads see at once that the device is unlocked or locked, and the audit log has every lock in its place.
    @Test func locksAreOnRecord() throws {
        let folder = try TemporaryFolder()
        let vault = try Vault.create(at: folder.path("vault"), .simulated(), passcode: Cast.bytes("1234")).vault
        let overtaker = Overtaker(vault, after: 0)
        try vault.observeTransactions { _ in overtaker.count() }
        try vault.adding(Cast.item("plain"), "plain")
        #expect(!vault.isUnlocked)
        try vault.enter(passcode: Cast.bytes("1234"))
        try vault.lock()
        let trail = try vault.auditLog()
        #expect(trail.damage == nil)
        #expect(
            trail.records.filter { $0.kind == .event }.map(\.action) == [
                "passcodeEntered", "lock", "passcodeEntered", "lock",
            ])
    }

    /// Many threads use one vault while one locks it. Every read that begins after a lock has returned is denied.
    @Test func threadsThatReadWriteTypeAndLock() throws {
        let vault = try Self.vault()
        try store(vault)
        let isOver = Atomic(false)
        let group = DispatchGroup()
        for number in 0..<4 {
            Thread.start(in: group) {
                while !isOver.load(ordering: .relaxed) {
                    switch number {
                    case 0: _ = try? vault.adding(Cast.item("new"), "new")
                    case 1: _ = try? vault.delete(Cast.key("new"), for: Cast.app)
                    case 2: _ = try? vault.enter(passcode: Cast.bytes("1234"))
                    default:
                        let answer = try? vault.reading("plain")
                        #expect(["plain", "class.locked"].contains(answer))
                    }
                }
            }
        }
        for _ in 0..<200 {
            try vault.lock()
            usleep(200)
        }
        isOver.store(true, ordering: .relaxed)
        group.wait()
        try vault.lock()
        #expect(try vault.reading("plain") == "class.locked")
        #expect(try vault.enter(passcode: Cast.bytes("1234")).authenticated(.passcode))
        #expect(try vault.reading("plain") == "plain")
        #expect(try vault.verify().findings == [])
    }
}

extension Thread {
    /// Runs `body` on a thread of its own, as a part of `group`.
    fileprivate static func start(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        detachNewThread {
            body()
            group.leave()
        }
    }
}
