internal import LatchkeyCLI
internal import PlainText
internal import SodiumKit
internal import Synchronization
internal import UserPresence

/// The simulated users of the device. Each prompt and its answer is shown as it happens.
final class DemoPeople: DeviceUser, Sendable {
    private struct Part {
        var finger: String?
        var typing: [String] = []
        var wasAsked = false
    }

    private let narrator: Narrator
    private let part = Mutex(Part())

    init(_ narrator: Narrator) { self.narrator = narrator }

    var answersAtOnce: Bool { true }

    /// Sets the finger that the user shows from now on, and the passcodes that the user types, one after another.
    func play(finger: String? = nil, typing: [String] = []) {
        part.withLock { $0 = Part(finger: finger, typing: typing) }
    }

    /// True if there was a prompt since the last call of ``play(finger:typing:)``.
    var wereAsked: Bool { part.withLock { $0.wasAsked } }

    func answer(_ prompt: Prompt) -> Response {
        part.withLock { $0.wasAsked = true }
        let again = prompt.content.attempt > 1 ? ", again" : ""
        switch prompt.content.kind {
        case .passcode:
            let next = part.withLock { $0.typing.isEmpty ? nil : $0.typing.removeFirst() }
            guard let next, let passcode = try? SecureBytes(next) else { return .cancel }
            narrator.row("asked for", "the passcode\(again); \"\(next)\" is typed")
            return .typed(passcode)
        case .biometry:
            guard let finger = part.withLock({ $0.finger }) else { return .cancel }
            narrator.row("asked for", "biometry\(again); the \(finger) is shown")
            return .touch(showing: finger)
        default: return .cancel
        }
    }
}

/// An authenticator that shows each of its verdicts.
struct DemoAuthenticator: PasscodeAuthenticator {
    let authenticator: any PasscodeAuthenticator
    let narrator: Narrator

    func authenticate(_ passcode: borrowing SecureBytes) -> PasscodeResult {
        let result = authenticator.authenticate(passcode)
        switch result.verdict {
        case .accepted: narrator.row("PAM", "accepts it", .good)
        case .wrong: narrator.row("PAM", "refuses it; the attempt counts", .bad)
        case .unavailable: break  // the keychain throws an error that says why
        }
        return result
    }
}
