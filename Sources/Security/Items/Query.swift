internal import AccessPolicy
internal import Foundation
internal import Latchkey
internal import SecretVault

/// The dictionary of a call, as read before anything is looked up (semantics 3.4).
struct Query {
    /// The results that a call asks for.
    struct Returns: OptionSet {
        let rawValue: UInt8
        static let data = Returns(rawValue: 1)
        static let attributes = Returns(rawValue: 2)
        static let object = Returns(rawValue: 4)
        static let reference = Returns(rawValue: 8)
    }

    var itemClass: ItemClass?
    var attributes = Attributes()
    var group: String?
    var synchronizable: ItemQuery.Synchronizable?
    var protection: Accessibility?
    var control: AccessControl?
    /// True if the dictionary names a class that no stored item can have.
    var endsWithRestart = false
    /// The fingerprint of a row in its present state: `sha1` among the attributes of a result.
    var fingerprint: [UInt8]?
    /// True if the dictionary names another value that all rows share.
    var speaksOfRows = false

    var returns: Returns = []
    var limit: ItemQuery.Limit?
    /// The match keys in the dictionary.
    var matches: Set<String> = []
    var host: String?
    var certificateConditions = CertificateConditions()

    var secret: Data?
    /// The object, whose attributes have been added to those of the dictionary.
    var object: ItemObject?
    var reference: PersistentReference?
    var use = CallOptions()
}

extension Query {
    /// Reads a dictionary. If several entries are wrong, the error names the first in the order of the keys.
    ///
    /// - Parameter isNew: True for the dictionary of a new item, and false for one that finds items. An object in it
    ///   adds more attributes to a new item.
    init(reading dictionary: CFDictionary, isNew: Bool = false) throws(StatusError) {
        if dictionary.count > 128 {
            throw StatusError(errSecParam, "a query has at most 128 keys; this one has \(dictionary.count)")
        }
        do {
            for (key, value) in dictionary { try parse(key, value) }
        } catch {
            var again = Query()
            for (key, value) in dictionary.sorted(by: { "\($0.key)" < "\($1.key)" }) { try again.parse(key, value) }
            throw error
        }
        if let object { try add(object, besides: dictionary, isNew: isNew) }
        certificateConditions.readIssuers(for: itemClass ?? reference?.itemClass)
        try requireSense()
    }

    /// Adds the attributes of an object. Those that the dictionary has itself take precedence.
    private mutating func add(
        _ object: ItemObject, besides dictionary: CFDictionary, isNew: Bool
    ) throws(StatusError) {
        let names = Set(dictionary.keys.compactMap { text($0.base) })
        let attributes = try object.attributes(forQuery: !isNew)
        for (name, value) in attributes where !names.contains(name) { try parse(name, value) }
    }

    private mutating func parse(_ key: AnyHashable, _ value: Any) throws(StatusError) {
        guard let name = text(key.base) else {
            throw StatusError(errSecParam, "a key is a string, and this one is \(type(of: key.base))")
        }
        try parse(name, value)
    }

    private mutating func parse(_ key: String, _ value: Any) throws(StatusError) {
        do {
            try parseBare(key, value)
        } catch {
            // The value may lie in an optional, as `kCFBooleanTrue` does. Unwrapping only after a failure keeps the
            // usual case fast.
            guard let inside = something(in: value) else { throw StatusError(errSecParam, "\(key) has no value") }
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
            guard let given = ItemObject(value) else {
                throw StatusError(errSecParam, "\(key) takes a SecKey, SecCertificate or SecIdentity")
            }
            object = given
        default: try parseByKind(key, value)
        }
    }

    /// Parses a key by its shape: four characters name an attribute, and otherwise the first character names the kind
    /// (semantics 2).
    private mutating func parseByKind(_ key: String, _ value: Any) throws(StatusError) {
        if key.utf16.count == 4 || Self.longAttributes.contains(key) { return try parseAttribute(key, value) }
        guard key.utf16.count > 1 else { throw StatusError(errSecParam, "no such key: \(key)") }
        switch key.first {
        case "m": try parseMatch(key, value)
        case "u": try use.parse(key, value)
        case "f": try requireSomething(key, value)  // These are callbacks, which no query reads.
        default: throw StatusError(errSecParam, "no such key: \(key)")
        }
    }

    private static let longAttributes: Set = [Name.kSecAttrPersistentReference]

    private func readClass(_ value: Any) throws(StatusError) -> ItemClass {
        guard let text = text(value) else { throw StatusError(errSecParam, "\(Name.kSecClass) takes a string") }
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

    /// Throws if the dictionary describes an item that cannot be stored.
    func requireStorable() throws(StatusError) {
        if endsWithRestart {
            throw StatusError(errSecParam, "no stored item can have an accessibility class that ends with a restart")
        }
    }

    /// Throws if the dictionary contradicts itself, whatever the call is.
    private func requireSense() throws(StatusError) {
        if use.hasCredential {
            throw use.context == nil
                ? StatusError(errSecUnimplemented, "credential references are not implemented: use an LAContext")
                : StatusError(
                    errSecParam, "\(Name.kSecUseAuthenticationContext) excludes a credential reference: leave that out")
        }
        if let control, let protection, control != AccessControl(protection) {
            throw StatusError(
                errSecParam,
                "\(Name.kSecAttrAccessControl) includes another class: leave \(Name.kSecAttrAccessible) out")
        }
        if let itemClass, let reference, reference.itemClass != itemClass {
            throw StatusError(
                errSecNoSuchClass, "the persistent reference belongs to another class than \(Name.kSecClass)")
        }
    }
}
