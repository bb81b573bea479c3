public import AccessPolicy
public import ApplePlatform
public import DeviceModel
public import KeyKit
public import SecretVault
public import UserPresence

/// The reason why a keychain did not do what a call asked for.
public enum KeychainError: Error, Sendable {
    /// A rule denied the request.
    case denied(Denied)
    /// The request makes no sense.
    case request(ItemRequestError)
    /// The vault failed or refused the operation.
    case vault(VaultError)
    /// The sensor failed.
    case sensor(SensorError)
    /// The authenticator could not check the passcode.
    case authenticator(AuthenticatorError)
    /// The passcode is wrong.
    case wrongPasscode
    /// The device refuses this event in its present state.
    case refused(Refusal)
    /// The call needs a simulated device and the vault keeps secrets, or the other way round, or the sensor does not
    /// fit the vault.
    case wrongKind(String)
    /// The context was made on another keychain.
    case foreignContext
    /// The use of a private key was granted, and the operation failed on its input.
    case key(KeyError)

    /// A denial, with the answer of Apple's interfaces.
    public struct Denied: Hashable, Sendable {
        /// The rule that denied the request, and what would change the answer.
        public let denial: Denial
        /// The codes that Apple's interfaces answer with; nil if Apple has none for the rule.
        public let status: AppleStatus?
    }

    /// The status that Apple's keychain calls return for the error; nil if Apple has none with this meaning.
    public var status: OSStatusCode? {
        switch self {
        case .denied(let denied): denied.status?.status
        case .request(let fault): fault.status
        case .vault(.damaged(.item)): .decode
        case .wrongPasscode: .authFailed
        case .vault, .sensor, .authenticator, .refused, .wrongKind, .foreignContext, .key: nil
        }
    }

    /// The rule that denied the request; nil if no rule did.
    public var rule: Rule? {
        if case .denied(let denied) = self { denied.denial.rule } else { nil }
    }
}

extension KeychainError: CustomStringConvertible {
    /// The reason in words, with what to do about it.
    public var description: String {
        switch self {
        case .denied(let denied): "denied: \(denied.denial.rule.inWords)"
        case .request(let fault): fault.description
        case .vault(let error): error.description
        case .sensor(let failure): failure.description
        case .authenticator(let trouble): trouble.description
        case .wrongPasscode: "the passcode is wrong: try again"
        case .refused(let refusal): "the device refuses this in its present state: \(refusal.text)"
        case .wrongKind(let what): what
        case .foreignContext: "the context was made on another keychain: make one on this keychain"
        case .key(let error): error.description
        }
    }
}

extension Rule {
    /// The reason, the identifier, and the remedy if there is one.
    fileprivate var inWords: String {
        "\(summary) (\(identifier))" + (remedy == .nothing ? "" : "; remedy: \(remedy.text)")
    }
}

extension Keychain {
    /// Returns the error that a denial becomes for the caller.
    package func denied(_ denial: Denial) -> KeychainError {
        .denied(KeychainError.Denied(denial: denial, status: AppleStatus(denial.rule, fidelity)))
    }

    /// Runs `body`, which calls the vault, and turns its errors into the keychain's.
    func onVault<Result: ~Copyable>(
        _ body: @autoclosure () throws(VaultError) -> Result
    ) throws(KeychainError) -> Result {
        do { return try body() } catch { throw .vault(error) }
    }
}
