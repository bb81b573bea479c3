internal import AccessPolicy
internal import Foundation
internal import Latchkey
internal import SecretVault

extension Query {
    mutating func takeMatch(_ key: String, _ value: Any) throws(Unfit) {
        matches.insert(key)
        switch key {
        case Name.kSecMatchLimit: limit = try readLimit(value)
        case Name.kSecMatchTrustedOnly:
            if boolean(value) == nil { throw Unfit(errSecParam, "\(key) takes true or false") }
        case Name.kSecMatchValidOnDate:
            if !(value is Date) { throw Unfit(errSecParam, "\(key) takes a date") }
        case Name.kSecMatchEmailAddressIfPresent, Name.kSecMatchHostOrSubdomainOfHost:
            guard let text = text(value) else { throw Unfit(errSecParam, "\(key) takes a text") }
            if key == Name.kSecMatchHostOrSubdomainOfHost { host = text }
        case Name.kSecMatchPolicy, Name.kSecMatchIssuers, Name.kSecMatchItemList, Name.kSecMatchSearchList,
            Name.kSecMatchSubjectContains,
            Name.kSecMatchSubjectStartsWith, Name.kSecMatchSubjectEndsWith, Name.kSecMatchSubjectWholeString,
            Name.kSecMatchCaseInsensitive,
            Name.kSecMatchDiacriticInsensitive, Name.kSecMatchWidthInsensitive:
            try requireSomething(key, value)
        default: throw Unfit(errSecParam, "there is no key \(key)")
        }
    }

    private func readLimit(_ value: Any) throws(Unfit) -> ItemQuery.Limit {
        switch text(value) {
        case Name.kSecMatchLimitOne: return .one
        case Name.kSecMatchLimitAll: return .all
        default: break
        }
        if let number = value as? NSNumber, boolean(value) == nil, let count = Int(exactly: number), count > 0 {
            return count == 1 ? .one : .upTo(count)
        }
        throw Unfit(
            errSecParam, "\(Name.kSecMatchLimit) takes a number from 1 on, kSecMatchLimitOne or kSecMatchLimitAll")
    }

    mutating func takeUse(_ key: String, _ value: Any) throws(Unfit) {
        switch key {
        case Name.kSecUseAuthenticationContext:
            guard let context = value as? any KeychainContextSource else {
                throw Unfit(errSecParam, "\(key) takes an LAContext")
            }
            use.context = context
        case Name.kSecUseOperationPrompt:
            guard let text = text(value) else { throw Unfit(errSecParam, "\(key) takes a text") }
            use.prompt = text
        case Name.kSecUseNoAuthenticationUI:
            guard let isForbidden = boolean(value) else { throw Unfit(errSecParam, "\(key) takes true or false") }
            if isForbidden { use.interaction = .fail }
        case Name.kSecUseAuthenticationUI:
            switch text(value) {
            case Name.kSecUseAuthenticationUIAllow: break
            case Name.kSecUseAuthenticationUIFail: use.interaction = .fail
            case Name.kSecUseAuthenticationUISkip: use.interaction = .skip
            default: throw Unfit(errSecParam, "\(key) takes one of kSecUseAuthenticationUI…")
            }
        case "u_CredRef": use.hasCredential = true
        case Name.kSecUseUserIndependentKeychain: try requireSomething(key, value)  // there is but one user
        default: throw Unfit(errSecParam, "\(key) is not for this keychain")
        }
    }

    /// Throws where what is looked for can be said only of other classes, or needs certificates as objects.
    func requireMatchable(_ itemClass: ItemClass) throws(Unfit) {
        let isCertificate = itemClass == .certificate || itemClass == .identity
        let ofCertificates = [
            Name.kSecMatchPolicy, Name.kSecMatchIssuers, Name.kSecMatchValidOnDate, Name.kSecMatchTrustedOnly,
            Name.kSecMatchEmailAddressIfPresent,
        ]
        for key in ofCertificates where matches.contains(key) {
            let isRefused = key == Name.kSecMatchPolicy || key == Name.kSecMatchIssuers
            if isCertificate || isRefused { throw Unfit(errSecUnimplemented, "\(key) needs certificates as objects") }
        }
        if host != nil && itemClass != .internetPassword {
            throw Unfit(errSecUnimplemented, "\(Name.kSecMatchHostOrSubdomainOfHost) is for internet passwords")
        }
    }
}
