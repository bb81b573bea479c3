internal import AccessPolicy
internal import Foundation
internal import Latchkey
internal import SecretVault

extension Query {
    mutating func parseMatch(_ key: String, _ value: Any) throws(StatusError) {
        matches.insert(key)
        switch key {
        case Name.kSecMatchLimit: limit = try readLimit(value)
        case Name.kSecMatchTrustedOnly:
            if boolean(value) == nil { throw StatusError(errSecParam, "\(key) takes true or false") }
        case Name.kSecMatchValidOnDate:
            if !(value is Date) { throw StatusError(errSecParam, "\(key) takes a date") }
        case Name.kSecMatchEmailAddressIfPresent, Name.kSecMatchHostOrSubdomainOfHost:
            guard let text = text(value) else { throw StatusError(errSecParam, "\(key) takes a string") }
            if key == Name.kSecMatchHostOrSubdomainOfHost { host = text }
        // The other match keys concern certificates or are never read, but each still counts as a match key.
        default: try requireSomething(key, value)
        }
    }

    private func readLimit(_ value: Any) throws(StatusError) -> ItemQuery.Limit {
        switch text(value) {
        case Name.kSecMatchLimitOne: return .one
        case Name.kSecMatchLimitAll: return .all
        default: break
        }
        if let number = value as? NSNumber, boolean(value) == nil, let count = Int(exactly: number) {
            return count == 1 ? .one : .upTo(count)
        }
        throw StatusError(
            errSecParam, "\(Name.kSecMatchLimit) takes a whole number, kSecMatchLimitOne or kSecMatchLimitAll")
    }

    mutating func parseUse(_ key: String, _ value: Any) throws(StatusError) {
        switch key {
        case Name.kSecUseAuthenticationContext:
            guard let context = value as? any KeychainContextSource else {
                throw StatusError(errSecParam, "\(key) takes an LAContext")
            }
            use.context = context
        // The checks of value types do not cover the next three keys (semantics 3.4).
        case Name.kSecUseOperationPrompt: use.prompt = text(try requireSomething(key, value))
        case Name.kSecUseNoAuthenticationUI: use.isSilent = boolean(try requireSomething(key, value)) ?? false
        case Name.kSecUseAuthenticationUI:
            switch text(try requireSomething(key, value)) {
            case Name.kSecUseAuthenticationUIFail: use.explicitInteraction = .fail
            case Name.kSecUseAuthenticationUISkip: use.explicitInteraction = .skip
            default: use.explicitInteraction = .allowed
            }
        case "u_CredRef": use.hasCredential = true
        case Name.kSecUseUserIndependentKeychain: try requireSomething(key, value)  // There is only one user.
        default: throw StatusError(errSecParam, "\(key) does not apply to this keychain: leave it out")
        }
    }

    /// Throws if a match key applies only to other classes, or needs certificates as objects.
    func requireMatchable(_ itemClass: ItemClass) throws(StatusError) {
        let isCertificate = itemClass == .certificate || itemClass == .identity
        let ofCertificates = [
            Name.kSecMatchPolicy, Name.kSecMatchIssuers, Name.kSecMatchValidOnDate, Name.kSecMatchTrustedOnly,
            Name.kSecMatchEmailAddressIfPresent,
        ]
        for key in ofCertificates where matches.contains(key) {
            let isRefused = key == Name.kSecMatchPolicy || key == Name.kSecMatchIssuers
            if isCertificate || isRefused {
                throw StatusError(errSecUnimplemented, "\(key) needs certificates as objects")
            }
        }
        if host != nil && itemClass != .internetPassword {
            throw StatusError(
                errSecUnimplemented, "\(Name.kSecMatchHostOrSubdomainOfHost) applies only to internet passwords")
        }
    }
}
