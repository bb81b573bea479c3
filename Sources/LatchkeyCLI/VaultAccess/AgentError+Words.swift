internal import AccessPolicy
package import AgentProtocol
internal import CommandLineKit

extension AgentError {
    /// The error for authentication without a terminal.
    package static var noTerminal: AgentError {
        AgentError(
            .noTerminal,
            "authentication is needed and there is no terminal: run the command in one, or in a desktop session with a pinentry"
        )
    }

    /// Returns the error in the words of the command line: an item is called a secret, and the remedy is a command to type.
    /// `name` is the name of the requested secret or key, if the request was about one, and `isKey` is true for a key.
    package func inCommandWords(for name: String? = nil, isKey: Bool = false) -> AgentError {
        if kind == .noTerminal && rule != nil { return .noTerminal }
        guard let rule, let known = Rule.allCases.first(where: { $0.identifier == rule }),
            let words = Self.words(known, name, isKey)
        else { return self }
        return AgentError(kind, kind == .denied ? "\(words) (\(rule))" : words)
    }

    /// Returns the advice to save a secret again, or to generate another key. Without its access policy, it would get the
    /// default one.
    private static func saveAgain(_ name: String?, _ isKey: Bool) -> String {
        let word = name.map { Shell.word($0) } ?? "NAME"
        return isKey
            ? "delete it with `latchkey key rm \(word)`, then run `latchkey key generate \(word)` with the same --preset or "
                + "--require, and give the new public key to those who had the old one"
            : "save it again with `latchkey set \(word)` and the same --preset or --require"
    }

    private static func words(_ rule: Rule, _ name: String?, _ isKey: Bool) -> String? {
        let it = name ?? "it"
        return switch rule {
        case .itemNotFound where isKey, .groupHidden where isKey:
            "\(name.map { "no key \($0)" } ?? "there is no such key"): run `latchkey key list` to see the names"
        case .itemNotFound, .groupHidden:
            "\(name.map { "no secret \($0)" } ?? "there is no such secret"): run `latchkey list` to see the names"
        case .itemDuplicate: "a secret has this name already: remove it with `latchkey rm`, or choose another name"
        case .classLocked, .classBeforeFirstUnlock, .deviceLocked, .addBeforeFirstUnlock:
            "the vault is locked: run `latchkey unlock` in a terminal"
        case .biometrySetChanged:
            "\(it) is invalidated, because a finger or face was added or removed since it was saved: "
                + saveAgain(name, isKey)
        case .biometrySensorChanged:
            "\(it) is invalidated, because the sensor was reset or replaced since it was saved: "
                + saveAgain(name, isKey)
        case .keyInvalidated:
            "\(it) is invalidated, because a finger or face that it is bound to was added or removed: "
                + saveAgain(name, isKey)
        case .sheetCanceled, .sheetFallback: "the prompt was dismissed, and nothing was done"
        case .sheetSystemCanceled: "the vault was locked before you answered, and nothing was done: try again"
        case .sheetFailed:
            "authentication failed, and nothing was done: try again. If you forgot the passcode, run `latchkey recover` "
                + "with the recovery key"
        case .sheetHitLockout, .biometryLockedOut, .biometryPasscodeRequired:
            "the sensor does not count until you enter the passcode: run `latchkey unlock`"
        case .biometryNotEnrolled:
            "no finger or face is enrolled: run `latchkey biometry enroll NAME`"
        case .biometryNoHardware:
            "no sensor serves the vault now: run `latchkey status` to see why, or `latchkey biometry setup` to add one"
        case .sheetAuthenticatorUnavailable:
            "PAM or the sensor is not available, and nothing was done: run `latchkey unlock` to see why, or "
                + "`latchkey status` for the sensor"
        case .passcodeDisabled:
            "no passcode is accepted any more, because too many were wrong: set a new one with `latchkey recover` and the "
                + "recovery key"
        default: nil
        }
    }
}
