import Foundation
import Latchkey
import LatchkeyTesting
import LocalAuthentication
import SodiumKit
import Testing
import UserPresence

// Apps say so of Apple's class for themselves; outside of this package as `@unchecked @retroactive`.
extension LAContext: @unchecked Sendable {}

/// A fact of the semantics page that a client can observe.
struct Fact: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable () async throws -> Void

    /// It runs on threads of its own: a prompt is over after two minutes, and those that tasks share may be taken by other
    /// tests for longer than that.
    init(_ words: String, _ check: @escaping @Sendable () async throws -> Void) {
        testDescription = words
        self.check = { try await withTaskExecutorPreference(OwnThreads()) { try await check() } }
    }

    /// A fact about a device, which is the current one meanwhile.
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

/// Gives each job a thread of its own.
private final class OwnThreads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

typealias Policy = LAPolicy

extension LAContext {
    /// The number that an evaluation ends with; zero where it succeeds.
    func outcome(_ policy: LAPolicy = .deviceOwnerAuthenticationWithBiometrics) async -> Int {
        do {
            return try await evaluatePolicy(policy, localizedReason: "a test") ? 0 : .max
        } catch {
            return (error as? LAError)?.code.rawValue ?? .min
        }
    }

    /// The number that a look ahead ends with; zero where the policy could be met.
    func preflight(_ policy: LAPolicy = .deviceOwnerAuthenticationWithBiometrics) -> Int {
        var error: NSError?
        let isPossible = canEvaluatePolicy(policy, error: &error)
        return isPossible == (error == nil) ? error?.code ?? 0 : .min
    }

    /// The number that the evaluation of an access control ends with; zero where it succeeds.
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

/// A generic password of this account, under these flags.
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

/// Reads it.
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
    /// What the user was asked for, in order.
    var factors: [PromptRecord.Factor] { prompts.map(\.factor) }

    /// Runs what may block on a thread of its own: those that tasks share are few.
    func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.run(body)) }
        }
    }

    /// Puts somebody there who looks at every sheet and does nothing, until it is over; each sheet that is shown comes out.
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
    /// Waits for the next.
    func next() async { for await _ in self { return } }
}
