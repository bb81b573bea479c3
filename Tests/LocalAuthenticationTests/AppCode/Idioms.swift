import Foundation
import LocalAuthentication

// The code of apps for Apple's platforms, unchanged. That it compiles is half of the test: it is compiled with the
// tests in Swift 6, and by one of them in Swift 5.

/// The code of most apps: a check, and then the evaluation.
enum Login {
    enum Outcome: Equatable {
        case success, canceled, fallback, unavailable(LABiometryType), failed(String)
    }

    static func authenticate(completion: @escaping @Sendable (Outcome) -> Void) {
        let context = LAContext()
        context.localizedCancelTitle = "Enter Username/Password"
        var error: NSError?
        guard context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error) else {
            completion(.unavailable(context.biometryType))
            return
        }
        context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Log in to your account") {
            success, error in
            if success {
                completion(.success)
            } else {
                completion(outcome(of: error))
            }
        }
    }

    static func outcome(of error: (any Error)?) -> Outcome {
        guard let laError = error as? LAError else { return .failed(error?.localizedDescription ?? "") }
        switch laError.code {
        case .userCancel, .appCancel, .systemCancel: return .canceled
        case .userFallback: return .fallback
        case .biometryLockout, .biometryNotAvailable, .biometryNotEnrolled, .passcodeNotSet: return .unavailable(.none)
        case .authenticationFailed: return .failed("not recognized")
        case LAError.notInteractive: return .failed("not interactive")
        case LAError.touchIDLockout: return .unavailable(.touchID)
        default: return .failed("\(laError.code.rawValue)")
        }
    }

    static func authenticate() async -> Outcome {
        do {
            try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Log in")
            return .success
        } catch LAError.userCancel {
            return .canceled
        } catch LAError.userFallback, LAError.appCancel {
            return .fallback
        } catch let error as LAError where error.code == .biometryNotEnrolled {
            return .unavailable(.none)
        } catch let error as LAError {
            return .failed(error.localizedDescription)
        } catch {
            return .failed("\(error)")
        }
    }

    static func number(of error: any Error) -> Int? {
        let error = error as NSError
        guard error.domain == LAErrorDomain else { return nil }
        switch error.code {
        case LAError.userCancel.rawValue: return -2
        case Int(LAError.Code.biometryLockout.rawValue): return -8
        default: return LAError.Code(rawValue: error.code)?.rawValue
        }
    }
}

/// A view model that holds its context.
@MainActor final class LockScreen {
    private(set) var isUnlocked = false
    private(set) var message: String?
    var context = LAContext()

    func unlock() {
        context = LAContext()
        context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Unlock your notes") {
            [weak self] success, error in
            DispatchQueue.main.async {
                self?.isUnlocked = success
                self?.message = error?.localizedDescription
            }
        }
    }

    func unlockAndWait() async {
        do {
            isUnlocked = try await context.evaluatePolicy(
                .deviceOwnerAuthentication, localizedReason: "Unlock your notes")
        } catch {
            message = error.localizedDescription
        }
    }

    func cancel() { context.invalidate() }
}

/// The protocol that apps put in front of the class, so that tests can replace it.
protocol Authenticating {
    var biometryType: LABiometryType { get }
    func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool
    func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void)
}

extension LAContext: Authenticating {}

/// The class that apps write for their tests.
final class ContextMock: LAContext, @unchecked Sendable {
    var policies: [LAPolicy] = []
    var error: (any Error)?
    var isInvalidated = false

    override var biometryType: LABiometryType { .faceID }
    override var evaluatedPolicyDomainState: Data? { Data([1, 2, 3]) }
    override func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        policies.append(policy)
        error?.pointee = self.error.map { $0 as NSError }
        return self.error == nil
    }
    override func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        policies.append(policy)
        reply(error == nil, error)
    }
    override func invalidate() { isInvalidated = true }
    override func setCredential(_ credential: Data?, type: LACredentialType) -> Bool { true }
}

final class AsyncContextMock: LAContext, @unchecked Sendable {
    override func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        throw LAError(.biometryLockout)
    }
}

/// A keychain call in the context of an evaluation.
func readSecret(in context: LAContext) -> (OSStatus, Data?) {
    context.localizedReason = "Read your secret"
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrAccount as String: "secret",
        kSecMatchLimit as String: kSecMatchLimitOne,
        kSecReturnData as String: true,
        kSecUseAuthenticationContext as String: context,
    ]
    var item: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &item)
    return (status, item as? Data)
}

/// The name of a device's kind of biometry.
func sensorName(_ context: LAContext = LAContext()) -> String {
    _ = context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
    context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
    switch context.biometryType {
    case .none: return "no biometry"
    case .touchID: return "Touch ID"
    case .faceID: return "Face ID"
    default: return "another one"
    }
}

/// A view model that confirms payments with the key of a right.
@MainActor final class Payments {
    private var right: LAPersistedRight?
    private(set) var signature: Data?

    func prepare() async throws {
        if let saved = try? await LARightStore.shared.right(forIdentifier: "payments") {
            right = saved
        } else {
            right = try await LARightStore.shared.saveRight(
                LARight(requirement: .biometryCurrentSet), identifier: "payments", secret: Data([1]))
        }
    }

    func confirm(_ payment: Data) async throws -> Bool {
        guard let right, right.key.canSign(using: .ecdsaSignatureMessageX962SHA256) else { return false }
        try await right.authorize(localizedReason: "Confirm the payment")
        let signed = try await right.key.sign(payment, algorithm: .ecdsaSignatureMessageX962SHA256)
        let publicKey = right.key.publicKey
        try await publicKey.verify(payment, signature: signed, algorithm: .ecdsaSignatureMessageX962SHA256)
        signature = signed
        let bytes = try await publicKey.bytes
        let secret = try await right.secret.rawData
        await right.deauthorize()
        return bytes.count == 65 && secret == Data([1])
    }
}
