import Foundation
import LocalAuthentication
import Security

// Code as apps have it, which a test compiles as that of another package: in Swift 5 and 6, with warnings as errors.

extension LAContext: @unchecked @retroactive Sendable {}

func words(for laError: LAError) -> String {
    switch laError.code {
    case .authenticationFailed: return "not recognized"
    case .userCancel, .appCancel, .systemCancel: return "cancelled"
    case .userFallback: return "fallback"
    case .passcodeNotSet: return "no passcode"
    case .biometryNotAvailable, .biometryNotEnrolled, .biometryNotPaired, .biometryDisconnected: return "no biometry"
    case .biometryLockout: return "locked out"
    case .invalidContext, .invalidDimensions, .notInteractive, .companionNotAvailable: return "not now"
    @unknown default: return "unknown"
    }
}

func name(of type: LABiometryType) -> String {
    switch type {
    case .none: return "no biometry"
    case .touchID: return "Touch ID"
    case .faceID: return "Face ID"
    case .opticID: return "Optic ID"
    @unknown default: return "unknown"
    }
}

func isBiometric(_ policy: LAPolicy) -> Bool {
    switch policy {
    case .deviceOwnerAuthenticationWithBiometrics: return true
    case .deviceOwnerAuthentication, .deviceOwnerAuthenticationWithCompanion,
        .deviceOwnerAuthenticationWithBiometricsOrCompanion:
        return false
    @unknown default: return false
    }
}

actor Vault {
    private let context = LAContext()

    func open() async throws -> Data? {
        try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open your vault")
        let query =
            [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: "vault", kSecReturnData: true,
                kSecUseAuthenticationContext: context,
            ] as [CFString: Any]
        var item: AnyObject?
        guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess else { return nil }
        return item as? Data
    }
}

@MainActor final class Screen {
    var isUnlocked = false
    let context = LAContext()

    func unlock() {
        Task {
            do {
                self.isUnlocked = try await context.evaluatePolicy(
                    .deviceOwnerAuthenticationWithBiometrics, localizedReason: "Unlock")
            } catch let error as LAError where error.code == .userFallback {
                self.isUnlocked = false
            }
        }
    }
}

final class StateMock: LAContext, @unchecked Sendable {
    override var evaluatedPolicyDomainState: Data? { Data() }
    override var biometryType: LABiometryType { .opticID }
    override func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool { true }
    override func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String
    ) async throws -> Bool { false }
}

func guardedRight() async throws -> Data {
    let right = LARight(requirement: .biometry(fallback: .devicePasscode))
    right.tag = 1
    let persisted = try await LARightStore.shared.saveRight(right, identifier: "right", secret: Data([1]))
    try await persisted.authorize(localizedReason: "Use it")
    guard persisted.state == .authorized else { return Data() }
    return try await persisted.secret.rawData
}
