import Foundation
import LocalAuthentication

/// The lock in front of the app. It stays closed until the user authenticates as the device's owner.
@MainActor
final class AppLock {
    enum State: Equatable {
        case locked
        case unlocked
        case unavailable(String)
    }

    private(set) var state = State.locked
    private let makeContext: () -> LAContext
    private var enrollment: Data?

    init(makeContext: @escaping () -> LAContext = { LAContext() }) { self.makeContext = makeContext }

    var kind: String {
        let context = makeContext()
        _ = context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
        switch context.biometryType {
        case .faceID: return "Face ID"
        case .touchID: return "Touch ID"
        default: return "Passcode"
        }
    }

    func unlock() async {
        let context = makeContext()
        context.localizedCancelTitle = "Not now"
        var error: NSError?
        guard context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error) else {
            state = .unavailable(error?.localizedDescription ?? "")
            return
        }
        do {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open your notes")
            state = .unlocked
        } catch LAError.userCancel, LAError.appCancel, LAError.systemCancel {
            state = .locked
        } catch let error as LAError {
            state = error.code == .passcodeNotSet ? .unavailable("Set a passcode.") : .locked
        } catch {
            state = .locked
        }
    }

    func lock() { state = .locked }

    /// Returns true if the set of enrolled fingers or faces has changed since the last call.
    func enrollmentHasChanged() -> Bool {
        let context = makeContext()
        guard context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil) else { return false }
        let present = context.evaluatedPolicyDomainState
        defer { enrollment = present }
        return enrollment != nil && enrollment != present
    }
}
