internal import AccessPolicy
internal import Foundation
internal import Latchkey

/// The options of a call. They stay with a key in the Secure Enclave that the call returns.
struct CallOptions: @unchecked Sendable {  // a context guards its own state
    var context: (any KeychainContextSource)?
    var hasCredential = false
    var prompt: String?
    /// The value of `kSecUseAuthenticationUI`. It wins over `kSecUseNoAuthenticationUI`, even if it is unknown.
    var explicitInteraction: Interaction?
    var isSilent = false
    var interaction: Interaction { explicitInteraction ?? (isSilent ? .fail : .allowed) }
}

extension CallOptions {
    /// The options that a key in the Secure Enclave keeps.
    static let ofKeys: Set = [
        Name.kSecUseAuthenticationContext, Name.kSecUseOperationPrompt, Name.kSecUseAuthenticationUI,
    ]

    /// Reads the options of a dictionary that a key in the Secure Enclave keeps.
    init(ofKeyIn dictionary: CFDictionary) throws(StatusError) {
        for name in Self.ofKeys.sorted() {
            guard let value = dictionary[name] else { continue }
            try parse(name, something(in: value) ?? value)
        }
    }

    mutating func parse(_ key: String, _ value: Any) throws(StatusError) {
        switch key {
        case Name.kSecUseAuthenticationContext:
            guard let context = value as? any KeychainContextSource else {
                throw StatusError(errSecParam, "\(key) takes an LAContext")
            }
            self.context = context
        // The checks of value types do not cover the next three keys (semantics 3.4).
        case Name.kSecUseOperationPrompt: prompt = text(try requireSomething(key, value))
        case Name.kSecUseNoAuthenticationUI: isSilent = boolean(try requireSomething(key, value)) ?? false
        case Name.kSecUseAuthenticationUI:
            switch text(try requireSomething(key, value)) {
            case Name.kSecUseAuthenticationUIFail: explicitInteraction = .fail
            case Name.kSecUseAuthenticationUISkip: explicitInteraction = .skip
            default: explicitInteraction = .allowed
            }
        case "u_CredRef": hasCredential = true
        case Name.kSecUseUserIndependentKeychain: try requireSomething(key, value)  // There is only one user.
        default: throw StatusError(errSecParam, "\(key) does not apply to this keychain: leave it out")
        }
    }

    /// Returns the context of the call; nil if it makes its own.
    func keychainContext(on keychain: Keychain) throws(KeychainError) -> KeychainContext? {
        if let context { return try context.keychainContext(on: keychain) }
        guard let prompt else { return nil }
        var words = KeychainContext.Wording()
        words.reason = prompt
        return try keychain.makeContext(words)
    }
}
