internal import PlainText
internal import SodiumKit
internal import Synchronization
internal import UserPresence

/// Whoever the story has in front of the device. What they are asked and what they do is told as it happens.
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

    /// From now on they show this finger, and type these passcodes one after another.
    func play(finger: String? = nil, typing: [String] = []) {
        part.withLock { $0 = Part(finger: finger, typing: typing) }
    }

    /// True if anybody was asked for anything since they were told what to play.
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

/// An authenticator that reports its verdicts.
struct DemoAuthenticator: PasscodeAuthenticator {
    let authenticator: any PasscodeAuthenticator
    let narrator: Narrator

    func authenticate(_ passcode: borrowing SecureBytes) -> PasscodeResult {
        let result = authenticator.authenticate(passcode)
        switch result.verdict {
        case .accepted: narrator.row("PAM", "accepts it", .good)
        case .wrong: narrator.row("PAM", "refuses it; the attempt counts", .bad)
        case .unavailable: break  // the keychain says why
        }
        return result
    }
}
