import AccessPolicy
import DeviceModel
import Foundation
import Latchkey
import SecretVault
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// A watcher that would have every call fail.
private final class Watcher: KeychainWatcher {
    func decided(_ decision: WatchedDecision) {}
    func decided(_ decision: WatchedFileDecision) {}
    func asked(_ content: PromptContent, ending: Prompt.Ending) {}
    func called(_ call: FaceCall, about what: String, code: Int, because why: String) {}
    func plannedFailure(of call: FaceCall) -> Int? { 1 }
    var outlivesMisuse: Bool { true }
}

/// Law 8: no test, scenario or default can reach another device's items or the user's own vault.
@Suite(.serialized, .setsTheProcess) struct CurrentTests {
    @Test func theDefaultIsASimulatedDeviceWhateverTheEnvironmentSays() throws {
        let folder = try TemporaryFolder()
        let real = try Keychain.create(at: folder.path("vault"), passcode: SecureBytes("123456")).keychain
        try real.keep("real secret", as: "x")
        setenv("LATCHKEY_HOME", folder.path("vault"), 1)
        defer { unsetenv("LATCHKEY_HOME") }
        Keychain.use(nil)
        #expect(try !Keychain.current.isReal)
        #expect(try Keychain.current.reading("x") == "item.not-found")
        #expect(try Keychain.current === Keychain.current)
        real.close()
    }

    @Test func aRealVaultIsCurrentOnlyWhereAProgramSaysSo() throws {
        let folder = try TemporaryFolder()
        let created = try Keychain.create(at: folder.path("vault"), passcode: SecureBytes("123456")).keychain
        try created.keep("real secret", as: "x")
        created.close()
        defer { Keychain.use(nil) }
        let used = try Keychain.use(vaultAt: folder.path("vault"))
        #expect(try Keychain.current === used)
        #expect(try used.reading("x") == "class.before-first-unlock")
        try used.unlock(passcode: SecureBytes("123456"))
        #expect(try Keychain.current.reading("x") == "real secret")
        let simulated = try Keychain.simulated()
        let (inside, read) = try simulated.asCurrent { (try Keychain.current, try Keychain.current.reading("x")) }
        #expect(inside === simulated)
        #expect(read == "item.not-found")
        #expect(try Keychain.current === used)
        used.close()
    }

    @Test func everyTaskHasItsOwn() async throws {
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let keychain = try Keychain.simulated()
                    return try await keychain.asCurrent {
                        try Keychain.current.keep("secret \(number)", as: "x")
                        await Task.yield()
                        return try await Task { try Keychain.current.reading("x") }.value
                    }
                }
            }
            var found: Set<String> = []
            for try await secret in group { found.insert(secret) }
            #expect(found == Set((0..<8).map { "secret \($0)" }))
        }
    }

    @Test func oneKeychainsContextIsNothingToAnother() throws {
        let one = try Keychain.simulated()
        let other = try Keychain.simulated()
        try one.keep("secret", as: "x", Cast.control(.biometryAny))
        try other.keep("another", as: "x", Cast.control(.biometryAny))
        let context = try one.makeContext()
        try context.evaluate(.biometry)
        #expect(throws: KeychainError.self) { try other.reading("x", in: context) }
        let item = other.password(account: "x", service: "service")
        #expect(throws: KeychainError.self) { try other.decision(.readData, item, in: context) }
        #expect(try one.reading("x", in: context) == "secret")
    }

    @Test func realAndSimulatedAreNeverConfused() throws {
        let folder = try TemporaryFolder()
        let real = try Keychain.create(at: folder.path("real"), passcode: SecureBytes("123456")).keychain
        try Keychain.createSimulated(at: folder.path("simulated"), passcode: "1234").close()
        #expect(throws: KeychainError.self) { try Keychain.open(at: folder.path("simulated")) }
        #expect(throws: KeychainError.self) { try Keychain.openSimulated(at: folder.path("real")) }
        #expect(throws: KeychainError.self) { try Keychain.open(at: folder.path("real"), sensor: .fake) }
        let fake = SensorChoice.external(FakeSensor(.touchID))
        #expect(throws: KeychainError.self) { try Keychain.open(at: folder.path("real"), sensor: fake) }
        #expect(throws: KeychainError.self) { try real.simulate(.biometryReset) }
        #expect(throws: KeychainError.self) { try real.advance(by: .seconds(1)) }
        #expect(throws: KeychainError.self) { try real.removePasscode(SecureBytes("123456")) }
        #expect(throws: KeychainError.self) {
            try real.restore(from: folder.path("backup"), passphrase: SecureBytes("x"))
        }
        // Nothing watches a keychain that keeps secrets, and nothing has its calls fail.
        try real.keep("real secret", as: "x")
        #expect(throws: KeychainError.self) { try real.watch(by: Watcher()) }
        #expect(real.watcher == nil && real.everything.isEmpty)
        #expect(real.isReal && !real.hasFakeSensor)
        var options = KeychainOptions()
        options.sensor = .touchID
        options.allowsFakeSensor = true
        let marked = try Keychain.create(
            at: folder.path("marked"), options, passcode: SecureBytes("123456"), sensor: .fake)
        #expect(marked.keychain.hasFakeSensor)
        marked.keychain.close()
        let again = try Keychain.open(at: folder.path("marked"), sensor: .fake)
        #expect(again.hasFakeSensor)
        again.close()
        real.close()
    }

    @Test func waitingForAnAnswerBlocksNoTask() async throws {
        let keychain = try Keychain.simulated(user: ClosureUser { _ in .touch(showing: "right index") })
        try keychain.keep("secret", as: "x", Cast.control(.biometryAny))
        let secret = try await keychain.asynchronously { try $0.reading("x") }
        #expect(secret == "secret")
        await #expect(throws: KeychainError.self) {
            try await keychain.asynchronously { try $0.update(ItemQuery(.genericPassword, ["srvr": .string("x")])) }
        }
    }
}
