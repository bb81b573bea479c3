import Foundation
import LocalAuthentication
import Observation

/// The sign-in screen. Once the device is registered with the password, a finger or face signs in.
@MainActor
@Observable
final class SignIn {
    enum State: Equatable {
        case signedOut
        case signedIn(token: String)
        /// The user has to register the device with the password, for this reason.
        case needsPassword(String)
        case failed(String)
    }

    private(set) var state = State.signedOut
    private let user: String
    private let server: any BankServer
    private let key: DeviceKey

    init(user: String, server: any BankServer, key: DeviceKey = DeviceKey()) {
        self.user = user
        self.server = server
        self.key = key
        if !key.exists { state = .needsPassword("Register this device with your password.") }
    }

    /// Registers the device with a new key.
    func register(password: String) async {
        do {
            try await server.register(key.create(), of: user, password: password)
            state = .signedOut
        } catch {
            key.delete()
            state = .needsPassword(message(for: error))
        }
    }

    /// Signs in with a finger or a face.
    func signIn() async {
        do {
            let challenge = try await server.challenge(for: user)
            let signature = try await confirm(challenge)
            state = .signedIn(token: try await server.signIn(user, signature: signature))
        } catch DeviceKey.Failure.canceled {
            state = .signedOut
        } catch let failure as DeviceKey.Failure where failure == .biometryChanged || failure == .notRegistered {
            // Nothing brings the key back, so the next registration makes another one.
            key.delete()
            state = .needsPassword(message(for: failure))
        } catch {
            state = .failed(message(for: error))
        }
    }

    func signOut() { state = .signedOut }

    /// Waits for the user outside the main actor, so that the screen does not freeze.
    private nonisolated func confirm(_ challenge: Data) async throws -> Data {
        try key.sign(challenge, reason: "Sign in to your bank")
    }

    private func message(for error: Error) -> String {
        switch error as? DeviceKey.Failure {
        case .biometryChanged:
            "The fingers or faces of this device have changed. Register it again with your password."
        case .notRegistered: "Register this device with your password."
        case .notRecognized: "You were not recognized."
        case .lockedOut: "Too many attempts. Unlock your device with its passcode first."
        case .noBiometry: "Set up a passcode and Face ID or Touch ID first."
        case .canceled: ""
        case .unexpected, nil: error.localizedDescription
        }
    }
}
