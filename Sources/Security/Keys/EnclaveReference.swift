// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import AccessPolicy
public import Foundation
internal import KeyKit
internal import Latchkey
internal import SecretVault
internal import Synchronization

/// A private key in the Secure Enclave as an object refers to it: the key, its keychain, its attributes, and how the user
/// authenticates for its use.
final class EnclaveReference: Sendable {
    let key: EnclaveKey
    let keychain: Keychain
    /// The attributes of the key's item, or those that it would have.
    private let attributes: Attributes
    /// The access policy; nil if only the bytes of the key are known.
    private let control: AccessControl?
    private let use: Mutex<Query.Use>
    /// The requester that uses the key; nil for the app.
    private let requester: Requester?

    init(
        _ key: EnclaveKey, _ attributes: Attributes, _ control: AccessControl?, on keychain: Keychain, _ use: Query.Use,
        by requester: Requester? = nil
    ) {
        self.requester = requester
        self.key = key
        self.keychain = keychain
        self.attributes = attributes
        self.control = control
        self.use = Mutex(use)
    }

    convenience init(_ key: EnclaveKey, of item: ItemDescription, on keychain: Keychain, _ use: Query.Use) {
        self.init(key, item.attributes, item.control, on: keychain, use)
    }

    /// Carries out an operation with the key, prompting if its access control needs it.
    func perform(_ operation: KeyOperation) throws(KeyFailure) -> KeyOutput {
        let use = use.withLock { $0 }
        // Only a search can skip what needs a prompt.
        let interaction = use.interaction == .skip ? .allowed : use.interaction
        do throws(KeychainError) {
            let context = try use.keychainContext(on: keychain)
            return try keychain.perform(operation, with: key, by: requester, in: context, interaction: interaction)
        } catch {
            throw KeyFailure(usingKey: error)
        }
    }

    /// Changes how the user authenticates. It replaces everything that was set before.
    func set(_ name: String, _ value: Any) throws(StatusError) {
        var query = Query()
        switch name {
        case Name.kSecUseAuthenticationContext, Name.kSecUseOperationPrompt, Name.kSecUseAuthenticationUI:
            try query.parseUse(name, value)
        default: break  // Apple's system keeps parameters that it does not know, and does not read them.
        }
        use.withLock { [new = query.use] in $0 = new }
    }

    /// True if the keychain still has the key.
    var isStored: Bool {
        switch key.place {
        case .item(let id): (try? keychain.enclaveKey(id)) != nil
        case .sealed: false
        }
    }

    /// Deletes the key from the keychain.
    func forget() {
        switch key.place {
        case .item(let id): try? keychain.delete(.id(id))
        case .sealed: break
        }
    }
}

// MARK: - Attributes

extension EnclaveReference {
    /// The attributes that Apple's objects of token keys show, besides the label and those of the token.
    private static let exported: Set<String> = [
        kSecAttrTokenID, kSecAttrIsPrivate, kSecAttrIsModifiable, kSecAttrKeySizeInBits, kSecAttrEffectiveKeySize,
        kSecAttrIsSensitive, kSecAttrWasAlwaysSensitive, kSecAttrIsExtractable, kSecAttrWasNeverExtractable,
        kSecAttrCanEncrypt, kSecAttrCanDecrypt, kSecAttrCanDerive, kSecAttrCanSign, kSecAttrCanVerify,
        kSecAttrCanSignRecover, kSecAttrCanVerifyRecover, kSecAttrCanWrap, kSecAttrCanUnwrap,
    ].reduce(into: []) { $0.insert($1 as String) }

    /// The attributes as apps get them.
    var exportedAttributes: [String: Any] {
        var exported = attributes.values.filter { Self.exported.contains($0.key) }.mapValues(\.forApps)
        // These two are texts, although their columns are numbers.
        exported[kSecAttrKeyClass as String] = kSecAttrKeyClassPrivate
        exported[kSecAttrKeyType as String] = kSecAttrKeyTypeECSECPrimeRandom
        exported[kSecAttrIsPermanent as String] = NSNumber(value: true)
        if let control { exported[kSecAttrAccessControl as String] = SecAccessControl(control) }
        return exported
    }

    /// The bytes that identify the key to its token.
    var token: Data {
        switch key.place {
        case .item: Data(key.publicKey.externalRepresentation)
        case .sealed(let key): Data(key.bytes)
        }
    }

    /// Finds the key that ``SecKeyCopyAttributes(_:)`` has identified. It never prompts.
    convenience init(reading parameters: CFDictionary) throws(KeyFailure) {
        guard let token = parameters.value(under: Attributes.tokenKey as CFString) as? Data else {
            throw KeyFailure(
                errSecParam, "a key of the Secure Enclave has no data: generate it, or pass its attributes")
        }
        try self.init(token: Array(token), reading: parameters)
    }

    private convenience init(token: [UInt8], reading parameters: CFDictionary) throws(KeyFailure) {
        let (query, keychain) = try onStatus { () throws(StatusError) in
            (try Query(readingUseOf: parameters), try currentKeychain(for: .generateKey))
        }
        do throws(KeychainError) {
            if token.count > Curve.p256.pointCount {
                let key = try keychain.enclaveKey(sealed: token)
                self.init(key, EnclaveItem.attributes(of: key.publicKey), nil, on: keychain, query.use)
                return
            }
            var search = ItemQuery(.key, [Name.kSecAttrTokenID: .string(kSecAttrTokenIDSecureEnclave as String)])
            search.synchronizable = .either
            for stored in try keychain.inventory(of: search).items {
                guard let key = EnclaveKey(stored), key.publicKey.externalRepresentation == token else { continue }
                self.init(key, of: stored.description, on: keychain, query.use)
                return
            }
        } catch {
            throw KeyFailure(StatusError(error))
        }
        throw KeyFailure(errSecItemNotFound, "the keychain has no such key of the Secure Enclave")
    }
}

// MARK: - Generating

/// A key of the Secure Enclave to generate: its access policy, and its item if it is permanent.
struct EnclaveItem {
    private let control: AccessControl
    private let query: Query

    /// Reads the attributes that the key is generated by, and those that its item is stored with. They differ: Apple's
    /// token takes the common attributes first, and its keychain takes those of the private key first.
    init(generatedBy key: CFDictionary, storedWith item: CFDictionary) throws(KeyFailure) {
        if let type = key.value(under: kSecAttrKeyType), text(type) != kSecAttrKeyTypeECSECPrimeRandom as String {
            throw KeyFailure(errSecParam, "the Secure Enclave has only keys on elliptic curves")
        }
        if key.value(under: kSecAttrKeySizeInBits) != nil && key.size != 256 {
            throw KeyFailure(errSecParam, "the Secure Enclave has only keys of 256 bits")
        }
        // An access control takes precedence over a class beside it.
        let name = [Name.kSecAttrAccessControl, Name.kSecAttrAccessible].first { key[$0] != nil }
        let policy = name.flatMap { name in key[name].map { [name: $0] } } ?? [:]
        var item = item
        for name in [Name.kSecAttrAccessControl, Name.kSecAttrAccessible] { item[name] = nil }
        item[Name.kSecClass] = Name.kSecClassKey
        (control, query) = try onStatus { [item] () throws(StatusError) in
            let policy = try Query(reading: policy)
            try policy.requireStorable()
            let control = policy.control ?? AccessControl(policy.protection ?? .whenUnlocked)
            return (control, try Query(reading: item, isNew: true))
        }
    }

    /// Generates the key.
    func generate(on keychain: Keychain, isPermanent: Bool) throws(KeyFailure) -> EnclaveReference {
        do throws(KeychainError) {
            let context = try query.use.keychainContext(on: keychain)
            let interaction = query.use.interaction
            guard isPermanent else {
                let key = try keychain.generateKey(under: control, in: context, interaction: interaction)
                let attributes = Self.attributes(of: key.publicKey)
                return EnclaveReference(key, attributes, control, on: keychain, query.use)
            }
            var attributes = Self.usual
            attributes.values.merge(query.attributes.values) { $1 }
            var item = NewItem(.key, attributes, control, group: query.group)
            item.isSynchronizable = query.synchronizable == .yes
            let key = try keychain.generateKey(item, in: context, interaction: interaction)
            guard case .item(let id) = key.place else { throw .wrongKind("the key was not stored") }
            return EnclaveReference(
                key, of: try keychain.inventory(.id(id)).description, on: keychain, query.use)
        } catch {
            throw KeyFailure(StatusError(error))
        }
    }

    /// The attributes that a key of Apple's Secure Enclave has in the keychain, as a real device shows them.
    private static let usual: Attributes = [
        kSecAttrIsPermanent as String: .number(1), kSecAttrIsPrivate as String: .number(1),
        kSecAttrIsModifiable as String: .number(0), kSecAttrIsExtractable as String: .number(0),
        kSecAttrWasNeverExtractable as String: .number(1), kSecAttrCanEncrypt as String: .number(0),
        kSecAttrCanDecrypt as String: .number(0), kSecAttrCanDerive as String: .number(1),
        kSecAttrCanSign as String: .number(1), kSecAttrCanVerify as String: .number(0),
        kSecAttrCanWrap as String: .number(0),
    ]

    /// Returns the attributes that the item of a key would have.
    static func attributes(of key: PublicKey) -> Attributes {
        var attributes = usual
        attributes[Name.kSecAttrTokenID] = .string(kSecAttrTokenIDSecureEnclave as String)
        attributes[kSecAttrKeySizeInBits as String] = .number(Int64(key.type.bits))
        return attributes
    }
}

// MARK: - Parameters

/// Changes how the user authenticates for the use of a key in the Secure Enclave: ``kSecUseAuthenticationContext``,
/// ``kSecUseOperationPrompt`` or ``kSecUseAuthenticationUI``. What was set before no longer counts. Apple keeps this
/// function private.
///
/// - Returns: False if the value is wrong, or with ``errSecUnimplemented`` in `error` for any other key.
@discardableResult
public func SecKeySetParameter(
    _ key: SecKey, _ name: CFString, _ value: Any, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    reporting(error) { () throws(KeyFailure) in
        switch key.kind {
        case .publicKey, .privateKey:
            throw KeyFailure(errSecUnimplemented, "only keys in the Secure Enclave have parameters")
        case .enclaveKey(let reference):
            try onStatus { () throws(StatusError) in try reference.set(name as String, value) }
            return true
        }
    } ?? false
}
