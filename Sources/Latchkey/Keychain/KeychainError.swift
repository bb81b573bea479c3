public import AccessPolicy
public import DeviceModel
public import SecretVault
public import UserPresence

/// Why a keychain did not do what was asked. Each says what is wrong with what, and the way out.
public enum KeychainError: Error, Sendable {
    /// It was decided so.
    case denied(Denied)
    /// The request is not one that can be understood.
    case request(RequestError)
    /// The vault could not.
    case vault(VaultError)
    /// The sensor could not.
    case sensor(SensorError)
    /// The authenticator of the passcode did not check.
    case authenticator(AuthenticatorError)
    /// The passcode is wrong.
    case wrongPasscode
    /// It cannot happen to the device as it is.
    case refused(Refusal)
    /// A simulated device was asked for something that only a real vault has, or the other way round.
    case wrongKind(String)
    /// The context was made on another keychain.
    case foreignContext

    /// A denial, with what Apple's interfaces answer for it.
    public struct Denied: Hashable, Sendable {
        /// Why, and what would turn it.
        public let denial: Denial
        /// Apple's numbers; nil where Apple has none for the rule.
        public let status: AppleStatus?
    }

    /// What a keychain call of Apple's returns for it; nil where Apple has no number that means it.
    public var status: OSStatusCode? {
        switch self {
        case .denied(let denied): denied.status?.status
        case .request(let fault): fault.status
        case .vault(.damaged(.item)): .decode
        case .wrongPasscode: .authFailed
        case .vault, .sensor, .authenticator, .refused, .wrongKind, .foreignContext: nil
        }
    }

    /// The rule by which it was denied, if that is what happened.
    public var rule: Rule? {
        if case .denied(let denied) = self { denied.denial.rule } else { nil }
    }
}

extension KeychainError: CustomStringConvertible {
    /// What is wrong, and the way out.
    public var description: String {
        switch self {
        case .denied(let denied):
            "denied: \(denied.denial.rule.summary) (\(denied.denial.rule.identifier)); \(denied.denial.rule.remedy.text)"
        case .request(let fault): fault.description
        case .vault(let error): error.description
        case .sensor(let failure): failure.description
        case .authenticator(let trouble): trouble.description
        case .wrongPasscode: "the passcode is wrong: try again"
        case .refused(let refusal): "this cannot happen to the device as it is: \(refusal.rawValue)"
        case .wrongKind(let what): what
        case .foreignContext: "the context was made on another keychain: make one on this keychain"
        }
    }
}

extension Keychain {
    /// What a denial is to those who asked.
    package func denied(_ denial: Denial) -> KeychainError {
        .denied(KeychainError.Denied(denial: denial, status: AppleStatus(denial.rule, fidelity)))
    }

    /// Runs `body` on the vault, with its errors in the keychain's words.
    func onVault<Result: ~Copyable>(_ body: (Vault) throws(VaultError) -> Result) throws(KeychainError) -> Result {
        do throws(VaultError) { return try body(vault) } catch { throw .vault(error) }
    }
}
