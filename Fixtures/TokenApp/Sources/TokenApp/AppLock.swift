import Foundation
import LocalAuthentication

/// The gate in front of the app: closed until whoever holds the device shows that they own it.
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

    /// Whether somebody was enrolled or removed since it was last asked.
    func enrollmentHasChanged() -> Bool {
        let context = makeContext()
        guard context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil) else { return false }
        let present = context.evaluatedPolicyDomainState
        defer { enrollment = present }
        return enrollment != nil && enrollment != present
    }
}
