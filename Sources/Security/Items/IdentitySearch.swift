internal import AccessPolicy
internal import Foundation
internal import KeyKit
internal import Latchkey
internal import SecretVault

/// A search for pairs of a certificate and its private key.
struct IdentitySearch {
    /// A certificate and a private key with the same hash of the public key.
    struct Pair {
        let certificate: StoredItem
        let key: StoredItem
        let hash: [UInt8]
    }

    private let query: Query
    private let certificate: ItemIdentifier?
    private let keychain: Keychain

    /// Creates a search for the identities that a query names, or for that of one certificate.
    init(_ query: Query, certificate: ItemIdentifier? = nil, _ keychain: Keychain) {
        self.query = query
        self.certificate = certificate
        self.keychain = keychain
    }

    /// The attributes that a search compares with the certificate. It compares all others with the key.
    private static let ofCertificates: Set<String> = [
        kSecAttrLabel, kSecAttrIssuer, kSecAttrSerialNumber, kSecAttrSubjectKeyID, kSecAttrTokenID, kSecAttrSubject,
        kSecAttrCertificateType, kSecAttrCertificateEncoding, kSecAttrPublicKeyHash,
    ].reduce(into: []) { $0.insert($1 as String) }

    // MARK: - Pairs

    /// Returns the pairs that match, in the order in which their keys were stored. Never prompts.
    ///
    /// - Throws: ``errSecInteractionNotAllowed`` if no pair is found, and a locked item could belong to one;
    ///   ``errSecItemNotFound`` if no key or no certificate matches.
    func pairs() throws(StatusError) -> [Pair] {
        let attributes = query.attributes.values
        var keys = ItemQuery(.key, Attributes(attributes.filter { !Self.ofCertificates.contains($0.key) }))
        keys.group = query.group
        keys.synchronizable = certificate == nil ? query.synchronizable ?? .no : .either
        keys.accessible = query.protection
        var certificates = ItemQuery(
            .certificate, Attributes(attributes.filter { Self.ofCertificates.contains($0.key) }))
        certificates.synchronizable = .either
        let foundKeys = try list(keys).filter { $0.isPrivateKeyOfIdentities && query.isWanted?($0) ?? true }
        let found = try list(certificates).filter { certificate == nil || $0.id == certificate }
        return foundKeys.flatMap { key -> [Pair] in
            guard case .data(let hash) = key.description.attributes[kSecAttrApplicationLabel as String] else {
                return []
            }
            return found.filter { $0.publicKeyHash == hash }.map { Pair(certificate: $0, key: key, hash: hash) }
        }
    }

    /// Returns the certificates of a public key that a query without further attributes finds.
    static func certificates(of hash: [UInt8], on keychain: Keychain) throws(StatusError) -> [StoredItem] {
        try onKeychain(
            keychain.inventory(of: ItemQuery(.certificate, [kSecAttrPublicKeyHash as String: .data(hash)])).items)
    }

    private func list(_ search: ItemQuery) throws(StatusError) -> [StoredItem] {
        let items = try onKeychain(keychain.inventory(of: search).items)
        // A search that opens an item reports a lock, and a group of another app.
        if items.isEmpty { _ = try onKeychain(keychain.find(search, interaction: .fail)) }
        return items
    }

    // MARK: - Results

    /// Returns the result of the search: nil, one element, or a list (semantics 3.8).
    func look() throws(StatusError) -> Any? {
        try query.requireMatchable(.identity)
        let count = try query.search().count
        var (found, elements) = (0, [Any]())
        for pair in try pairs() where found < count {
            do {
                guard let element = try element(pair) else { continue }
                found += 1
                elements += element
            } catch {
                // Another pair can be better.
                guard error.status == errSecItemNotFound else { throw error }
            }
        }
        if found == 0 { throw StatusError(errSecItemNotFound, "no certificate and private key match") }
        if query.returns.isEmpty { return nil }
        return query.isForSeveral ? elements : elements.first
    }

    /// Returns the result for a pair: a list of one value, or an empty one if the query asks for none. Returns nil if the
    /// pair does not satisfy the conditions of the query.
    private func element(_ pair: Pair) throws(StatusError) -> [Any]? {
        let entry = try certificateEntry(pair)
        if try !query.certificateConditions.accept(entry, on: keychain) { return nil }
        let reference = PersistentReference.data(.identity, pair.certificate.id)
        var key = Query()
        key.reference = PersistentReference(.key, pair.key.id)
        key.returns = query.returns.subtracting(.reference)
        key.use = query.use
        let found = try key.look(on: keychain)
        switch query.returns {
        case []: return []
        case .reference: return [reference]
        case .data: return found.map { [$0] } ?? []
        case .object: return identity(entry, found as? SecKey).map { [$0] } ?? []
        default: break
        }
        // Both rows have some attributes of the same name. Those of the certificate win, as on Apple's platforms.
        var element = found as? [String: Any] ?? [:]
        if query.returns.contains(.attributes) {
            element.merge(entry.stored?.forApps ?? [:]) { $1 }
            if query.returns.contains(.data) { element["certdata"] = entry.secret?.bytes.forApps() }
        }
        if query.returns.isSubset(of: [.data, .reference]) { element[Name.kSecValueData] = found }
        if query.returns.isSubset(of: [.object, .reference]) { element[Name.kSecValueRef] = found }
        if query.returns.contains(.object) {
            element[Name.kSecClass] = ItemClass.identity.rawValue
            element[Name.kSecValueRef] = identity(entry, element[Name.kSecValueRef] as? SecKey)
        }
        if query.returns.contains(.reference) { element[Name.kSecValuePersistentRef] = reference }
        return [element]
    }

    private func certificateEntry(_ pair: Pair) throws(StatusError) -> FoundEntry {
        var certificate = Query()
        certificate.reference = PersistentReference(.certificate, pair.certificate.id)
        certificate.use = query.use
        let needsData =
            !query.certificateConditions.isEmpty || query.returns.contains(.object)
            || query.returns.isSuperset(of: [.data, .attributes])
        let search = try certificate.search(wanting: needsData ? [.data, .attributes] : .attributes)
        let found = try certificate.find(search, in: certificate.context(on: keychain), on: keychain)
        guard let entry = found.first else { throw StatusError(errSecItemNotFound, "the certificate is gone") }
        return entry
    }

    private func identity(_ certificate: FoundEntry, _ key: SecKey?) -> SecIdentity? {
        guard let key, let certificate = SecCertificate(certificate) else { return nil }
        return SecIdentity(certificate, key)
    }
}

extension StoredItem {
    /// True for the row of a private key that says so. Apple's system joins only such keys with certificates.
    fileprivate var isPrivateKeyOfIdentities: Bool {
        let attributes = description.attributes
        return attributes[Name.kSecAttrKeyClass]?.isPrivateKey == true
            && (attributes[kSecAttrIsPrivate as String] == .number(1) || attributes[kSecAttrTokenID as String] != nil)
    }

    fileprivate var publicKeyHash: [UInt8]? {
        guard case .data(let hash) = description.attributes[kSecAttrPublicKeyHash as String] else { return nil }
        return hash
    }
}
