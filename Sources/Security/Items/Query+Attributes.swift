internal import AccessPolicy
internal import Foundation
internal import KeyKit
internal import Latchkey
internal import SecretVault

extension Query {
    mutating func parseAttribute(_ key: String, _ value: Any) throws(StatusError) {
        switch key {
        case Name.kSecAttrAccessGroup:
            guard let name = AttributeValue(value)?.asText else {
                throw StatusError(errSecParam, "\(key) takes a string")
            }
            group = name
        case Name.kSecAttrAccessible:
            guard let text = text(value), let accessibility = Accessibility(rawValue: text) else {
                throw StatusError(errSecParam, "\(key) takes one of kSecAttrAccessible…")
            }
            protection = accessibility
        case Name.kSecAttrAccessControl:
            guard let access = value as? SecAccessControl else {
                throw StatusError(errSecParam, "\(key) takes a SecAccessControl")
            }
            control = access.policy
            endsWithRestart = access.policy == nil
        case Name.kSecAttrSynchronizable: synchronizable = try readSynchronizable(value)
        case Name.kSecUseDataProtectionKeychain: try requireSomething(key, value)  // There is no other keychain.
        case Self.issuerName:
            // A whole name in DER is stored and compared in the form of the certificates' issuers.
            guard let data = value as? Data else { throw StatusError(errSecParam, "\(key) takes Data") }
            attributes[key] = .data(DistinguishedName.normalizedContent(of: Array(data)) ?? Array(data))
        case "sha1":
            guard let data = value as? Data else { throw StatusError(errSecParam, "\(key) takes Data") }
            fingerprint = Array(data)
        case "musr", "tomb", Name.kSecAttrPersistentReference:
            try requireSomething(key, value)
            speaksOfRows = true  // Every row that can be found has the same values.
        case "clip": throw StatusError(errSecParam, "\(key) is reserved for the system: leave it out")
        default:
            let isOfOtherKind =
                boolean(value) != nil && !AttributeTable.acceptsFlag(key)
                || value is UUID && !AttributeTable.acceptsUUID(key)
            guard !isOfOtherKind, let value = AttributeValue(value) else {
                throw StatusError(errSecParam, "\(key) takes no value of this kind")
            }
            attributes[key] = value
        }
    }

    private static let issuerName = kSecAttrIssuer as String

    private func readSynchronizable(_ value: Any) throws(StatusError) -> ItemQuery.Synchronizable {
        if let text = text(value), text == Name.kSecAttrSynchronizableAny { return .either }
        switch AttributeValue(value) {
        case .number(let number): return number == 0 ? .no : .yes
        case .string(let text):
            if let number = Int64(text) { return number == 0 ? .no : .yes }
        default: break
        }
        throw StatusError(errSecParam, "\(Name.kSecAttrSynchronizable) takes true, false or kSecAttrSynchronizableAny")
    }
}
