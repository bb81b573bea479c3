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
            guard let isTrusted = boolean(value) else { throw StatusError(errSecParam, "\(key) takes true or false") }
            certificateConditions.isTrusted = isTrusted
        case Name.kSecMatchValidOnDate:
            guard let date = value is NSNull ? Date() : value as? Date else {
                throw StatusError(errSecParam, "\(key) takes a date, or NSNull for today")
            }
            certificateConditions.date = date
        case Name.kSecMatchPolicy:
            guard let policy = value as? SecPolicy else { throw StatusError(errSecParam, "\(key) takes a SecPolicy") }
            certificateConditions.policy = policy
        case Name.kSecMatchIssuers:
            certificateConditions.givenIssuers = try requireSomething(key, value)
        case Name.kSecMatchEmailAddressIfPresent, Name.kSecMatchHostOrSubdomainOfHost:
            guard let text = text(value) else { throw StatusError(errSecParam, "\(key) takes a string") }
            if key == Name.kSecMatchHostOrSubdomainOfHost {
                host = text
            } else {
                certificateConditions.address = text
            }
        // The other match keys are never read, but each still counts as a match key.
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

    /// Throws if a match key applies only to other classes.
    func requireMatchable(_ itemClass: ItemClass) throws(StatusError) {
        let isCertificate = itemClass == .certificate || itemClass == .identity
        for key in [Name.kSecMatchPolicy, Name.kSecMatchIssuers] where matches.contains(key) && !isCertificate {
            throw StatusError(errSecUnimplemented, "\(key) applies only to certificates and identities")
        }
        if host != nil && itemClass != .internetPassword {
            throw StatusError(
                errSecUnimplemented, "\(Name.kSecMatchHostOrSubdomainOfHost) applies only to internet passwords")
        }
    }
}
