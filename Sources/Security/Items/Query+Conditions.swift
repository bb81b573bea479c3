internal import AccessPolicy
internal import Foundation
internal import Latchkey
internal import SecretVault

extension Query {
    mutating func takeMatch(_ key: String, _ value: Any) throws(Unfit) {
        matches.insert(key)
        switch key {
        case kSecMatchLimit: limit = try readLimit(value)
        case kSecMatchTrustedOnly:
            if boolean(value) == nil { throw Unfit(errSecParam, "\(key) takes true or false") }
        case kSecMatchValidOnDate:
            if !(value is Date) { throw Unfit(errSecParam, "\(key) takes a date") }
        case kSecMatchEmailAddressIfPresent, kSecMatchHostOrSubdomainOfHost:
            guard let text = value as? String else { throw Unfit(errSecParam, "\(key) takes a text") }
            if key == kSecMatchHostOrSubdomainOfHost { host = text }
        case kSecMatchPolicy, kSecMatchIssuers, kSecMatchItemList, kSecMatchSearchList, kSecMatchSubjectContains,
            kSecMatchSubjectStartsWith, kSecMatchSubjectEndsWith, kSecMatchSubjectWholeString, kSecMatchCaseInsensitive,
            kSecMatchDiacriticInsensitive, kSecMatchWidthInsensitive:
            try requireSomething(key, value)
        default: throw Unfit(errSecParam, "there is no key \(key)")
        }
    }

    private func readLimit(_ value: Any) throws(Unfit) -> ItemQuery.Limit {
        switch value {
        case let text as String where text == kSecMatchLimitOne: return .one
        case let text as String where text == kSecMatchLimitAll: return .all
        case let number as NSNumber where boolean(value) == nil:
            if let count = Int(exactly: number), count > 0 { return count == 1 ? .one : .upTo(count) }
        default: break
        }
        throw Unfit(errSecParam, "\(kSecMatchLimit) takes a number from 1 on, kSecMatchLimitOne or kSecMatchLimitAll")
    }

    mutating func takeUse(_ key: String, _ value: Any) throws(Unfit) {
        switch key {
        case kSecUseAuthenticationContext:
            guard let context = value as? any KeychainContextSource else {
                throw Unfit(errSecParam, "\(key) takes an LAContext")
            }
            use.context = context
        case kSecUseOperationPrompt:
            guard let text = value as? String else { throw Unfit(errSecParam, "\(key) takes a text") }
            use.prompt = text
        case kSecUseNoAuthenticationUI:
            guard let isForbidden = boolean(value) else { throw Unfit(errSecParam, "\(key) takes true or false") }
            if isForbidden { use.interaction = .fail }
        case kSecUseAuthenticationUI:
            switch value as? String {
            case kSecUseAuthenticationUIAllow: break
            case kSecUseAuthenticationUIFail: use.interaction = .fail
            case kSecUseAuthenticationUISkip: use.interaction = .skip
            default: throw Unfit(errSecParam, "\(key) takes one of kSecUseAuthenticationUI…")
            }
        case "u_CredRef": use.hasCredential = true
        case kSecUseUserIndependentKeychain: try requireSomething(key, value)  // there is but one user
        default: throw Unfit(errSecParam, "\(key) is not for this keychain")
        }
    }

    /// Throws where what is looked for can be said only of other classes, or needs certificates as objects.
    func requireMatchable(_ itemClass: ItemClass) throws(Unfit) {
        let isCertificate = itemClass == .certificate || itemClass == .identity
        let ofCertificates = [
            kSecMatchPolicy, kSecMatchIssuers, kSecMatchValidOnDate, kSecMatchTrustedOnly,
            kSecMatchEmailAddressIfPresent,
        ]
        for key in ofCertificates where matches.contains(key) {
            let isRefused = key == kSecMatchPolicy || key == kSecMatchIssuers
            if isCertificate || isRefused { throw Unfit(errSecUnimplemented, "\(key) needs certificates as objects") }
        }
        if host != nil && itemClass != .internetPassword {
            throw Unfit(errSecUnimplemented, "\(kSecMatchHostOrSubdomainOfHost) is for internet passwords")
        }
    }
}
