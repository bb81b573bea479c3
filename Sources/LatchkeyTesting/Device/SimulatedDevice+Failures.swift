internal import Latchkey
public import LocalAuthentication
public import Security

extension SimulatedDevice {
    /// A call of `Security` that can be made to fail.
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
    }

    /// A call of `LocalAuthentication` that can be made to fail.
    public enum ContextCall: Hashable, Sendable, CaseIterable {
        /// `LAContext.canEvaluatePolicy`.
        case canEvaluate
        /// `LAContext.evaluatePolicy`.
        case evaluate
        /// `LAContext.evaluateAccessControl`.
        case evaluateAccessControl
    }

    /// Lets the next such call fail with this status, without doing anything; or the next few, after some that are carried out.
    ///
    ///     device.fail(next: .read, with: errSecIO)
    public func fail(next call: KeychainCall, with status: OSStatus, times: Int = 1, after carriedOut: Int = 0) {
        logbook.plan(Int(status), for: call.face, times: times, after: carriedOut)
    }

    /// Lets the next such call fail with this error, without doing anything; or the next few, after some that are carried out.
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
