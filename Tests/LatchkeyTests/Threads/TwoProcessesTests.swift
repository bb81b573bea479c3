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

/// Tests of two programs on one device.
@Suite(.waitsForProcesses) struct TwoProcessesTests {
    /// The lines that the other program has printed so far.
    private final class Heard: Sendable {
        private let acknowledged = Mutex<(count: Int, epoch: UInt32)>((0, 0))
        var count: Int { acknowledged.withLock { $0.count } }
        /// The present set, as last printed.
        var epoch: UInt32 { acknowledged.withLock { $0.epoch } }

        func hear(_ line: String) {
            let words = line.split(separator: " ")
            guard words.count == 2, words[0] != "enrolling", let epoch = UInt32(words[1]) else { return }
            acknowledged.withLock { $0 = ($0.count + 1, epoch) }
        }
    }

    private func bind(_ secret: String, on keychain: Keychain) throws {
        let control = try Cast.control(.biometryCurrentSet)
        try? keychain.delete(keychain.password(account: "bound", service: "service"))
        // While the other program changes the set, no item that is bound to a set can be stored.
        for _ in 0..<200 {
            do throws(KeychainError) {
                try keychain.add(
                    Cast.item("bound", control), secret: secretBytes(secret))
                return
            } catch {
                guard error.rule == .biometryNoHardware else { throw error }
            }
        }
        Issue.record("the sensor was never steady")
    }

    private func secretBytes(_ text: String) throws(KeychainError) -> SecureBytes {
        do { return try SecureBytes(text) } catch { throw .vault(.memory(error)) }
    }

    @Test(.timeLimit(.minutes(20))) func whatIsBoundToAnOlderSetIsGoneOnceAnotherIsAcknowledged() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        let keychain = try Keychain.createSimulated(at: path, passcode: "1234")
        try keychain.keep("any", as: "any", Cast.control(.biometryAny))
        try keychain.keep("plain", as: "plain")
        var child = try SpawnedProgram("keychain-exerciser", ["enrol", path, "1234"])
        #expect(child.line() == "ready")
        let heard = Heard()
        let listening = Background { [child] in
            var child = child
            while let line = child.line() { heard.hear(line) }
        }
        var (wrong, reads, losses) = ([String](), 0, 0)
        let shared = try keychain.makeContext()
        let (end, limit) = (Date(timeIntervalSinceNow: 4), Patience.end)
        var round = 0
        // On a busy machine the other process may not have started yet.
        while Date() < end || ((losses == 0 || heard.count <= 4) && Date() < limit), wrong.count < 5 {
            round += 1
            let secret = "bound \(round)"
            try bind(secret, on: keychain)
            // The item is bound to this set or to an earlier one.
            let set = try keychain.device.domainState.epoch
            // Until another set is printed, both answers are possible. After that the item is gone for good.
            for _ in 0..<4 {
                let known = heard.epoch
                let found = try keychain.reading("bound", in: round % 2 == 0 ? shared : nil)
                reads += 1
                usleep(1_000)
                if found == secret {
                    if known > set { wrong.append("\(found) of set \(set) under set \(known)") }
                } else if ["biometry.current-set.changed", "item.not-found"].contains(found) {
                    losses += 1
                } else if !["biometry.no-hardware", "sheet.failed"].contains(found) {
                    wrong.append("bound: \(found)")
                }
            }
            usleep(3_000)
            let any = try keychain.reading("any")
            if any != "any" && any != "biometry.no-hardware" { wrong.append("any: \(any)") }
            let plain = try keychain.reading("plain")
            if plain != "plain" { wrong.append("plain: \(plain)") }
        }
        kill(child.process, SIGKILL)
        try listening.value()
        child.end()
        #expect(wrong == [])
        #expect(losses > 0 && heard.count > 4, "\(reads) reads, \(losses) lost, \(heard.count) sets")
        #expect(try keychain.reading("any") == "any")
        keychain.close()
        #expect(try Vault.open(at: path).verify().findings == [])
    }

    @Test(.timeLimit(.minutes(20))) func aKillAtAnyMomentLeavesTheVaultSound() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let path = folder.path("vault")
        let keychain = try Keychain.createSimulated(at: path, passcode: "1234")
        try keychain.keep("any", as: "any", Cast.control(.biometryAny))
        var random = SeededGenerator(seed: 5)
        for _ in 0..<12 {
            try bind("bound", on: keychain)
            let before = try keychain.device.domainState
            var child = try SpawnedProgram("keychain-exerciser", ["enrol", path, "1234"])
            #expect(child.line() == "ready")
            #expect(child.line() == "enrolling 1")
            usleep(UInt32.random(in: 0...30_000, using: &random))
            kill(child.process, SIGKILL)
            var isAcknowledged = false
            while let line = child.line() { isAcknowledged = isAcknowledged || line.hasPrefix("enrolled") }
            #expect(child.end() == -SIGKILL)
            let found = try keychain.reading("bound")
            let after = try keychain.device.domainState
            #expect((found == "bound") == (after == before), "\(found)")
            if isAcknowledged { #expect(after != before) }
            #expect(try keychain.reading("any") == "any")
            // Afterwards the sensor and the record have to agree.
            if try keychain.enrolledNames.contains("left thumb") { try keychain.removeEnrolled("left thumb") }
            #expect(try keychain.enrolledNames == ["right index"])
            let other = try Vault.open(at: path)
            #expect(try other.verify().findings == [])
            other.close()
        }
    }

    // MARK: - Attempts

    private func vault(authenticator: ScriptedAuthenticator? = nil) throws -> (
        folder: TemporaryFolder, keychain: Keychain
    ) {
        let folder = try TemporaryFolder(inMemory: true)
        var options = KeychainOptions()
        options.hasRecoveryKey = false
        let keychain = try Keychain.create(
            at: folder.path("vault"), options, passcode: SecureBytes("1234"), authenticator: authenticator
        ).keychain
        return (folder, keychain)
    }

    @Test(.timeLimit(.minutes(20))) func anAttemptThatIsCutShortCountsForWhoComesNext() throws {
        let (folder, keychain) = try vault()
        for (number, attempt) in ["wrong", "wrong too", "wrong"].enumerated() {
            var child = try SpawnedProgram("keychain-exerciser", ["attempt", folder.path("vault"), attempt])
            #expect(child.line() == "asked")
            child.kill()
            child.end()
            // The next attempt counts this one first, and a right passcode would reset the count. So the test types a
            // wrong one.
            if number == 0 {
                #expect(try keychain.device.wrongPasscodes.isEmpty, "nobody has tried since")
                #expect(try !keychain.unlock(passcode: SecureBytes("another")).authenticated(.passcode))
                #expect(try keychain.device.wrongPasscodes.count == 2)
            }
        }
        #expect(try !keychain.unlock(passcode: SecureBytes("another")).authenticated(.passcode))
        #expect(try keychain.device.wrongPasscodes.count == 3, "the same wrong one counts once")
        #expect(try keychain.unlock(passcode: SecureBytes("1234")).authenticated(.passcode))
        #expect(try keychain.device.wrongPasscodes.isEmpty)
    }

    @Test func anAttemptThatNobodyCouldJudgeDoesNotCount() throws {
        let isThere = Mutex(true)
        let authenticator = ScriptedAuthenticator { _ in
            isThere.withLock { $0 } ? .accepted : .unavailable(.hung(seconds: 1))
        }
        let (folder, keychain) = try vault(authenticator: authenticator)
        isThere.withLock { $0 = false }
        for attempt in ["wrong", "1234"] {
            #expect(throws: KeychainError.self) { try keychain.unlock(passcode: SecureBytes(attempt)) }
        }
        #expect(try keychain.device.wrongPasscodes.isEmpty)
        let other = try Keychain.open(at: folder.path("vault"))
        #expect(try !other.unlock(passcode: SecureBytes("wrong")).authenticated(.passcode))
        #expect(try other.device.wrongPasscodes.count == 1, "this one only")
    }

    @Test(.timeLimit(.minutes(20))) func anAttemptThatIsUnderWayIsNotCountedByOthers() throws {
        let (isAsked, mayAnswer) = (Signal(), Signal())
        let isSlow = Mutex(false)
        let authenticator = ScriptedAuthenticator { _ in
            guard isSlow.withLock({ $0 }) else { return .accepted }
            isAsked.give()
            mayAnswer.wait(40)
            return .unavailable(.hung(seconds: 1))
        }
        let (folder, keychain) = try vault(authenticator: authenticator)
        isSlow.withLock { $0 = true }
        let attempt = Background { try keychain.unlock(passcode: SecureBytes("wrong")) }
        try #require(isAsked.wait())
        // One call waits until it learns that the vault is busy.
        var busy = try SpawnedProgram("keychain-exerciser", ["unlock", folder.path("vault"), "1234"])
        #expect(busy.line() == "ready")
        busy.go()
        #expect(busy.line() == "busy")
        #expect(busy.end() == 0)
        // Another call arrives while it waits, and continues as soon as it may.
        var waiting = try SpawnedProgram("keychain-exerciser", ["unlock", folder.path("vault"), "also wrong"])
        #expect(waiting.line() == "ready")
        waiting.go()
        usleep(200_000)
        #expect(try keychain.device.wrongPasscodes.isEmpty, "what is under way is not counted")
        mayAnswer.give()
        #expect(throws: KeychainError.self) { try attempt.value() }
        #expect(waiting.line() == "wrong")
        #expect(waiting.end() == 0)
        #expect(try keychain.device.wrongPasscodes.count == 1, "what was withdrawn is not counted")
    }
}
