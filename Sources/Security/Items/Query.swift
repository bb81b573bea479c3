internal import AccessPolicy
internal import Foundation
internal import Latchkey
internal import SecretVault

/// What the dictionary of a call says, before anything is looked up (semantics 3.4).
struct Query {
    /// What a call would have back.
    struct Returns: OptionSet {
        let rawValue: UInt8
        static let data = Returns(rawValue: 1)
        static let attributes = Returns(rawValue: 2)
        static let object = Returns(rawValue: 4)
        static let reference = Returns(rawValue: 8)
    }

    /// How a call is to be carried out.
    struct Use {
        var context: (any KeychainContextSource)?
        var hasCredential = false
        var prompt: String?
        /// The value of `kSecUseAuthenticationUI`. It wins over `kSecUseNoAuthenticationUI`, even if it is unknown.
        var explicitInteraction: Interaction?
        var isSilent = false
        var interaction: Interaction { explicitInteraction ?? (isSilent ? .fail : .allowed) }
    }

    var itemClass: ItemClass?
    var attributes = Attributes()
    var group: String?
    var synchronizable: ItemQuery.Synchronizable?
    var protection: Accessibility?
    var control: AccessControl?
    /// True if it names a protection that no stored item can have.
    var endsWithRestart = false
    /// What a row as it is now is known by: `sha1` among the attributes of what was found.
    var fingerprint: [UInt8]?
    /// True if it names something else that every row has, and alike.
    var speaksOfRows = false

    var returns: Returns = []
    var limit: ItemQuery.Limit?
    /// The match keys that it has.
    var matches: Set<String> = []
    var host: String?

    var secret: Data?
    var reference: PersistentReference?
    var use = Use()
}

extension Query {
    /// Reads a dictionary. Where several things are wrong with one, the first in the order of the keys is told.
    init(reading dictionary: CFDictionary) throws(StatusError) {
        if dictionary.count > 128 {
            throw StatusError(errSecParam, "a query has at most 128 keys; this one has \(dictionary.count)")
        }
        do throws(StatusError) {
            for (key, value) in dictionary { try parse(key, value) }
        } catch {
            var again = Query()
            for (key, value) in dictionary.sorted(by: { "\($0.key)" < "\($1.key)" }) { try again.parse(key, value) }
            throw error
        }
        try requireSense()
    }

    private mutating func parse(_ key: AnyHashable, _ value: Any) throws(StatusError) {
        guard let name = text(key.base) else {
            throw StatusError(errSecParam, "a key is a text, and this one is \(type(of: key.base))")
        }
        try parse(name, value)
    }

    private mutating func parse(_ key: String, _ value: Any) throws(StatusError) {
        do throws(StatusError) {
            try parseBare(key, value)
        } catch {
            // What does not fit may lie in an optional, as `kCFBooleanTrue` does. Looking for one first would take every value
            // its time.
            guard let inside = something(in: value) else { throw StatusError(errSecParam, "\(key) is nothing") }
            if !isWrapped(value) { throw error }
            try parseBare(key, inside)
        }
    }

    private mutating func parseBare(_ key: String, _ value: Any) throws(StatusError) {
        switch key {
        case Name.kSecClass: itemClass = try readClass(value)
        case Name.kSecReturnData: try wants(.data, key, value)
        case Name.kSecReturnAttributes: try wants(.attributes, key, value)
        case Name.kSecReturnRef: try wants(.object, key, value)
        case Name.kSecReturnPersistentRef: try wants(.reference, key, value)
        case Name.kSecValueData:
            guard let data = value as? Data else { throw StatusError(errSecParam, "\(key) takes Data") }
            secret = data
        case Name.kSecValuePersistentRef: reference = try PersistentReference(value)
        case Name.kSecValueRef:
            throw StatusError(
                errSecUnimplemented, "\(key): keys, certificates and identities as objects are not implemented")
        default: try parseByKind(key, value)
        }
    }

    /// Takes a key by its shape: four characters are an attribute, and of the others the first one tells (semantics 2).
    private mutating func parseByKind(_ key: String, _ value: Any) throws(StatusError) {
        if key.utf16.count == 4 || Self.longAttributes.contains(key) { return try parseAttribute(key, value) }
        guard key.utf16.count > 1 else { throw StatusError(errSecParam, "there is no key \(key)") }
        switch key.first {
        case "m": try parseMatch(key, value)
        case "u": try parseUse(key, value)
        case "f": try requireSomething(key, value)  // callbacks, which no query reads
        default: throw StatusError(errSecParam, "there is no key \(key)")
        }
    }

    private static let longAttributes: Set = [Name.kSecAttrPersistentReference]

    private func readClass(_ value: Any) throws(StatusError) -> ItemClass {
        guard let text = text(value) else { throw StatusError(errSecParam, "\(Name.kSecClass) takes a text") }
        guard let itemClass = ItemClass(rawValue: text) else {
            throw StatusError(errSecNoSuchClass, "\(Name.kSecClass) takes one of kSecClass…")
        }
        return itemClass
    }

    private mutating func wants(_ what: Returns, _ key: String, _ value: Any) throws(StatusError) {
        guard let isWanted = boolean(value) ?? (value as? NSNumber).map({ $0 != 0 }) else {
            throw StatusError(errSecParam, "\(key) takes true or false")
        }
        if isWanted { returns.insert(what) }
    }

    /// What is to be stored, and cannot be.
    func requireStorable() throws(StatusError) {
        if endsWithRestart {
            throw StatusError(errSecParam, "no stored item can have a protection that ends with a restart")
        }
    }

    /// What contradicts itself, whatever the call is.
    private func requireSense() throws(StatusError) {
        if use.hasCredential {
            throw use.context == nil
                ? StatusError(errSecUnimplemented, "a credential reference is not implemented: use an LAContext")
                : StatusError(
                    errSecParam, "\(Name.kSecUseAuthenticationContext) and a credential reference exclude each other")
        }
        if let control, let protection, control != AccessControl(protection) {
            throw StatusError(
                errSecParam,
                "\(Name.kSecAttrAccessControl) has its protection already: leave \(Name.kSecAttrAccessible) out")
        }
        if let itemClass, let reference, reference.itemClass != itemClass {
            throw StatusError(errSecNoSuchClass, "the persistent reference is of another class than \(Name.kSecClass)")
        }
    }
}

/// A value that may be nothing in several ways, as itself; nil for nothing.
func something(in value: Any) -> Any? {
    guard let value = unwrapped(value), !(value is NSNull) else { return nil }
    return value
}

/// Returns a value of any type as itself. Throws where it is nothing.
@discardableResult
func requireSomething(_ key: String, _ value: Any) throws(StatusError) -> Any {
    guard let inside = something(in: value) else { throw StatusError(errSecParam, "\(key) is nothing") }
    return inside
}
