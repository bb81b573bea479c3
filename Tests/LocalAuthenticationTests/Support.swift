import Foundation
import Latchkey
import LatchkeyTesting
import LocalAuthentication
import SodiumKit
import Testing
import UserPresence

// Apps declare this for Apple's class themselves; outside of this package as `@unchecked @retroactive`.
extension LAContext: @unchecked Sendable {}

/// A fact of the page on semantics that a client can observe.
struct Fact: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable () async throws -> Void

    /// It runs on threads of its own. A prompt times out after two minutes, and other tests may occupy the threads that
    /// tasks share for longer than that.
    init(_ words: String, _ check: @escaping @Sendable () async throws -> Void) {
        testDescription = words
        self.check = { try await withTaskExecutorPreference(OwnThreads()) { try await check() } }
    }

    /// Creates a fact about a device, which is the current one while the fact is played.
    init(
        _ words: String, on device: @escaping @Sendable () -> SimulatedDevice,
        _ check: @escaping @Sendable (SimulatedDevice) async throws -> Void
    ) {
        self.init(words) {
            let device = device()
            try await device.run { try await check(device) }
        }
    }
}

/// An executor that gives each job a thread of its own.
private final class OwnThreads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

typealias Policy = LAPolicy

extension LAContext {
    /// Returns the code that an evaluation ends with; zero for success.
    func outcome(_ policy: LAPolicy = .deviceOwnerAuthenticationWithBiometrics) async -> Int {
        do {
            return try await evaluatePolicy(policy, localizedReason: "a test") ? 0 : .max
        } catch {
            return (error as? LAError)?.code.rawValue ?? .min
        }
    }

    /// Returns the code of `canEvaluatePolicy`; zero if the policy could be satisfied.
    func preflight(_ policy: LAPolicy = .deviceOwnerAuthenticationWithBiometrics) -> Int {
        var error: NSError?
        let isPossible = canEvaluatePolicy(policy, error: &error)
        return isPossible == (error == nil) ? error?.code ?? 0 : .min
    }

    /// Returns the code that the evaluation of an access control ends with; zero for success.
    func outcome(
        of flags: SecAccessControlCreateFlags, _ operation: LAAccessControlOperation = .useItem
    ) async -> Int {
        guard
            let access = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, nil)
        else { return .max }
        do {
            return try await evaluateAccessControl(access, operation: operation, localizedReason: "a test") ? 0 : .max
        } catch {
            return (error as? LAError)?.code.rawValue ?? .min
        }
    }
}

/// Stores a generic password for this account, with these flags.
@discardableResult
func add(
    _ account: String, _ flags: SecAccessControlCreateFlags, in context: LAContext? = nil, secret: String = "s3cret"
) -> OSStatus {
    var query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
        kSecValueData as String: Data(secret.utf8),
    ]
    query[kSecAttrAccessControl as String] = SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, nil)
    if let context { query[kSecUseAuthenticationContext as String] = context }
    return SecItemAdd(query as CFDictionary, nil)
}

/// Reads the password.
func read(_ account: String, in context: LAContext? = nil) -> OSStatus {
    var query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
        kSecReturnData as String: true,
    ]
    if let context { query[kSecUseAuthenticationContext as String] = context }
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    return status == errSecSuccess && item as? Data == nil ? errSecInternalError : status
}

extension SimulatedDevice {
    /// The factors that the user was asked for, in order.
    var factors: [PromptRecord.Factor] { prompts.map(\.factor) }

    /// Runs code that may block on a thread of its own, because tasks share few threads.
    func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.run(body)) }
        }
    }

    /// Sets a user who watches every prompt until it is over and does nothing. The result yields each prompt that is
    /// shown.
    func holdStill() -> AsyncStream<Void> {
        let (shown, told) = AsyncStream<Void>.makeStream()
        keychain.user = ClosureUser { prompt in
            let over = DispatchSemaphore(value: 0)
            prompt.whenOver { over.signal() }
            told.yield()
            over.wait()
            return .cancel
        }
        return shown
    }
}

extension AsyncStream<Void> {
    /// Waits for the next prompt.
    func next() async { for await _ in self { return } }
}
