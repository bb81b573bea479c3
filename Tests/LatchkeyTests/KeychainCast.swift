import AccessPolicy
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import Testing
import UserPresence

/// Values that the tests of the keychain use often.
enum Cast {
    static func control(_ flags: AccessControlFlags, _ protection: Accessibility = .whenUnlocked) throws
        -> AccessControl
    {
        try AccessControl(protection: protection, flags: flags)
    }

    /// Returns a password item for this account.
    static func item(_ account: String, _ control: AccessControl? = nil) -> NewItem {
        .password(account: account, service: "service", control)
    }

    static let stranger = SimulatedPerson(fingers: ["left little"], passcode: "0000")
    static let owner = SimulatedPerson(fingers: ["right index"], passcode: "1234")
}

extension Keychain {
    /// Stores a secret for this account.
    func keep(_ secret: String, as account: String, _ control: AccessControl? = nil, in context: KeychainContext? = nil)
        throws
    {
        try add(Cast.item(account, control), secret: SecureBytes(secret), in: context)
    }

    /// Returns the secret that a read gives, or the rule that denied it.
    func reading(
        _ account: String, in context: KeychainContext? = nil, interaction: Interaction = .allowed
    ) throws -> String {
        do throws(KeychainError) {
            let item = password(account: account, service: "service")
            switch try read(item, in: context, interaction: interaction) {
            case .some(let secret): return secret.text()
            case .none: return "nothing"
            }
        } catch {
            guard let rule = error.rule else { throw error }
            return rule.identifier
        }
    }
}

extension SecureBytes {
    borrowing func text() -> String {
        withBytes { bytes in bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }
}

/// A user that remembers every prompt and lets another user answer.
final class Remembering: DeviceUser {
    let somebody: any DeviceUser
    private let asked = Memory()

    final class Memory: @unchecked Sendable {  // one thread asks at a time in the tests that look
        var contents: [PromptContent] = []
    }

    init(_ somebody: any DeviceUser) { self.somebody = somebody }

    var contents: [PromptContent] { asked.contents }
    var kinds: [PromptContent.Kind] { asked.contents.map(\.kind) }
    var answersAtOnce: Bool { somebody.answersAtOnce }

    func answer(_ prompt: Prompt) -> Response {
        asked.contents.append(prompt.content)
        return somebody.answer(prompt)
    }

    func standBy(_ prompt: Prompt) { somebody.standBy(prompt) }
}
