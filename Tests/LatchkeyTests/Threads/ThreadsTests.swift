import AccessPolicy
import DeviceModel
import Foundation
import Latchkey
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import Testing
import UserPresence

/// Tests of many threads on one keychain while other threads change the device in every way.
@Suite(.serialized) struct ThreadsTests {
    /// A thread that reads, changes, adds and finds items, and reports every result that is impossible.
    private struct User {
        let keychain: Keychain
        let number: Int
        let shared: KeychainContext
        let complaints: Complaints

        /// The answers that a caller may get while everything changes.
        static let explicable: Set<String> = [
            "class.locked", "class.before-first-unlock", "context.invalidated", "sheet.system-cancelled",
            "sheet.app-cancelled", "sheet.failed", "biometry.passcode-required", "biometry.locked-out",
            "sheet.hit-lockout", "passcode.delayed", "biometry.no-hardware", "biometry.not-enrolled",
            "interaction.not-allowed", "sheet.cancelled", "device.locked",
        ]

        func run(_ rounds: Int) {
            var random = SeededGenerator(seed: UInt64(number))
            for round in 0..<rounds {
                do { try step(round, &random) } catch {
                    // An error about a sensor that is being changed at the moment is correct.
                    if let rule = (error as? KeychainError)?.rule, Self.explicable.contains(rule.identifier) {
                        continue
                    }
                    complaints.add("\(number): \(error)")
                }
            }
        }

        private func step(_ round: Int, _ random: inout SeededGenerator) throws {
            let own = try keychain.makeContext()
            let context = random.once(in: 2) ? shared : own
            switch Int.random(in: 0..<8, using: &random) {
            case 0: try expect("plain", ["plain"], in: random.once(in: 2) ? nil : context)
            case 1: try expect("any", ["any"], in: context)
            case 2: try expect("typed", ["typed"], in: context)
            case 3: try expect("bound", ["bound", "biometry.current-set.changed", "item.not-found"], in: context)
            case 4:
                let account = "own \(number) \(round)"
                try keychain.keep(account, as: account)
                try expect(account, [account], in: nil)
            case 5:
                let item = keychain.password(account: "counter \(number)", service: "service")
                try keychain.update(item, secret: .replace(SecureBytes("counter \(number)")))
            case 6:
                let found = try keychain.find(
                    ItemQuery(.genericPassword, ["acct": .string("plain")], wanted: [.data, .attributes]))
                for each in found where each.secret?.bytes.text() != "plain" { complaints.add("found something else") }
            default: try own.evaluate(random.once(in: 2) ? .presence : .biometry)
            }
        }

        private func expect(_ account: String, _ expected: Set<String>, in context: KeychainContext?) throws {
            let found = try keychain.reading(account, in: context)
            if !expected.contains(found) && !Self.explicable.contains(found) { complaints.add("\(account): \(found)") }
        }
    }

    private final class Complaints: Sendable {
        private let list = Mutex<[String]>([])
        func add(_ complaint: String) { list.withLock { $0.append(complaint) } }
        var all: [String] { list.withLock { $0 } }
    }

    /// A user with every finger and both passcodes who sometimes answers with a delay.
    private struct Somebody: DeviceUser {
        let passcode: @Sendable () -> String

        func answer(_ prompt: Prompt) -> Response {
            switch prompt.content.kind {
            case .biometry: .touch(showing: "right index")
            case .passcode: (try? .typed(SecureBytes(passcode()))) ?? .cancel
            default: .cancel
            }
        }
    }

    private func exercise(_ keychain: Keychain, rounds: Int) throws -> Complaints {
        let passcode = Mutex("1234")
        keychain.user = Somebody { "1234" }
        for (account, flags) in [
            ("any", AccessControlFlags.biometryAny), ("bound", .biometryCurrentSet), ("typed", .devicePasscode),
        ] { try keychain.keep(account, as: account, Cast.control(flags)) }
        try keychain.keep("plain", as: "plain")
        for number in 0..<16 { try keychain.keep("counter \(number)", as: "counter \(number)") }

        let complaints = Complaints()
        let contexts = Mutex(try (0..<4).map { _ in try keychain.makeContext() })
        let users = (0..<16).map { number in
            Background {
                let shared = contexts.withLock { $0[number % 4] }
                User(keychain: keychain, number: number, shared: shared, complaints: complaints)
                    .run(rounds)
            }
        }
        let state = Flag()
        let world = Background {
            var random = SeededGenerator(seed: 99)
            while !state.isSet {
                do {
                    switch Int.random(in: 0..<7, using: &random) {
                    case 0: try keychain.lock()
                    case 1: try keychain.unlockBySensor(showing: "right index")
                    case 2: try keychain.enroll("left thumb")
                    case 3: try keychain.removeEnrolled("left thumb")
                    case 4:
                        let present = passcode.withLock { $0 }
                        let next = present == "1234" ? "5678" : "1234"
                        let effects = try keychain.changePasscode(from: SecureBytes(present), to: SecureBytes(next))
                        if effects.refusal == nil && !effects.contains(.rejected(.passcode)) {
                            passcode.withLock { $0 = next }
                        }
                    case 5: try keychain.makeContext().invalidate()
                    default: break
                    }
                    try keychain.unlock(passcode: SecureBytes(passcode.withLock { $0 }))
                    usleep(2_000)
                } catch let error as KeychainError {
                    switch error {
                    case .sensor(.alreadyEnrolled), .sensor(.unsteady): break
                    default: complaints.add("the world: \(error)")
                    }
                } catch { complaints.add("the world: \(error)") }
            }
        }
        for user in users { try user.value() }
        state.set()
        try world.value()
        try keychain.unlock(passcode: SecureBytes(passcode.withLock { $0 }))

        // The answer of a sequential check.
        let last = passcode.withLock { $0 }
        keychain.user = Somebody { last }
        if try keychain.device.isLocked { complaints.add("locked in the end") }
        for account in ["any", "typed", "plain"] {
            let found = try keychain.reading(account)
            if found != account { complaints.add("in the end \(account): \(found)") }
        }
        for number in 0..<16 {
            let found = try keychain.reading("counter \(number)")
            if found != "counter \(number)" { complaints.add("in the end \(number): \(found)") }
        }
        return complaints
    }

    private final class Flag: Sendable {
        private let flag = Mutex(false)
        var isSet: Bool { flag.withLock { $0 } }
        func set() { flag.withLock { $0 = true } }
    }

    @Test(.timeLimit(.minutes(20))) func sixteenThreadsInMemory() throws {
        let keychain = try Keychain.simulated(DeviceSettings(lockGrace: .zero))
        let complaints = try exercise(keychain, rounds: 60).all
        #expect(complaints.isEmpty, "\(complaints.count), \(complaints.prefix(8))")
    }

    @Test(.timeLimit(.minutes(20))) func sixteenThreadsOnDisk() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        let keychain = try Keychain.createSimulated(
            at: path, DeviceSettings(lockGrace: .zero), passcode: "1234", enrolled: ["right index"])
        let complaints = try exercise(keychain, rounds: 30).all
        #expect(complaints.isEmpty, "\(complaints.count), \(complaints.prefix(8))")
        keychain.close()
        #expect(try Vault.open(at: path).verify().findings == [])
    }

    @Test(.timeLimit(.minutes(20))) func everybodyChangesTheEnrollments() throws {
        let keychain = try Keychain.simulated()
        let enrolling = (0..<4).map { number in
            Background {
                try (0..<8).map { _ in
                    let added = try keychain.enroll("finger \(number)").refusal
                    let removed = try keychain.removeEnrolled("finger \(number)").refusal
                    return [added, removed]
                }
            }
        }
        let removedTooSoon: Set<Refusal?> = [nil, .nothingToChange, .notEnrolled]
        for each in enrolling {
            let outcomes: [[Refusal?]]
            do { outcomes = try each.value() } catch KeychainError.sensor(.unsteady) { continue }
            for outcome in outcomes.joined() { #expect(removedTooSoon.contains(outcome)) }
        }
        let names = try keychain.enrolledNames
        #expect(names.contains("right index"))
        #expect(Set(names).count == names.count)
    }
}
