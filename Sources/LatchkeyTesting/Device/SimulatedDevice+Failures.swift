internal import Latchkey
public import LocalAuthentication
public import Security

extension SimulatedDevice {
    /// A call of `Security` that a test can make fail.
    public enum KeychainCall: Hashable, Sendable, CaseIterable {
        /// `SecItemAdd`.
        case add
        /// `SecItemCopyMatching`.
        case read
        /// `SecItemUpdate`.
        case update
        /// `SecItemDelete`.
        case delete
        /// `SecAccessControlCreateWithFlags`.
        case createAccessControl
        /// `SecKeyCreateRandomKey` and `SecKeyGeneratePair`, and a new key of CryptoKit's `SecureEnclave`.
        case generateKey
        /// `SecKeyCreateSignature`, and `signature(for:)` of a key of `SecureEnclave`.
        case sign
        /// `SecKeyCreateDecryptedData`.
        case decrypt
        /// `SecKeyCopyKeyExchangeResult`, and `sharedSecretFromKeyAgreement(with:)` of a key of `SecureEnclave`.
        case agree
    }

    /// A call of `LocalAuthentication` that a test can make fail.
    public enum ContextCall: Hashable, Sendable, CaseIterable {
        /// `LAContext.canEvaluatePolicy`.
        case canEvaluate
        /// `LAContext.evaluatePolicy`.
        case evaluate
        /// `LAContext.evaluateAccessControl`.
        case evaluateAccessControl
    }

    /// Makes the next call of this kind fail with `status`, without effect.
    ///
    /// - Parameters:
    ///   - call: The kind of call.
    ///   - status: The status that the call returns.
    ///   - times: The number of calls that fail.
    ///   - carriedOut: The number of calls to carry out first.
    ///
    ///     device.fail(next: .read, with: errSecIO)
    public func fail(next call: KeychainCall, with status: OSStatus, times: Int = 1, after carriedOut: Int = 0) {
        logbook.plan(Int(status), for: call.face, times: times, after: carriedOut)
    }

    /// Makes the next call of this kind fail with `code`, without effect.
    ///
    /// - Parameters:
    ///   - call: The kind of call.
    ///   - code: The code of the `LAError`.
    ///   - times: The number of calls that fail.
    ///   - carriedOut: The number of calls to carry out first.
    ///
    ///     device.fail(next: .evaluate, with: .systemCancel)
    public func fail(next call: ContextCall, with code: LAError.Code, times: Int = 1, after carriedOut: Int = 0) {
        logbook.plan(code.rawValue, for: call.face, times: times, after: carriedOut)
    }
}

extension SimulatedDevice.KeychainCall {
    fileprivate var face: FaceCall {
        switch self {
        case .add: .add
        case .read: .read
        case .update: .update
        case .delete: .delete
        case .createAccessControl: .createAccessControl
        case .generateKey: .generateKey
        case .sign: .sign
        case .decrypt: .decrypt
        case .agree: .agree
        }
    }
}

extension SimulatedDevice.ContextCall {
    fileprivate var face: FaceCall {
        switch self {
        case .canEvaluate: .canEvaluate
        case .evaluate: .evaluate
        case .evaluateAccessControl: .evaluateAccessControl
        }
    }
}
