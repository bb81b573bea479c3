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
    private let use: Mutex<CallOptions>
    /// The requester that uses the key; nil for the app.
    private let requester: Requester?

    init(
        _ key: EnclaveKey, _ attributes: Attributes, _ control: AccessControl?, on keychain: Keychain,
        _ use: CallOptions,
        by requester: Requester? = nil
    ) {
        self.requester = requester
        self.key = key
        self.keychain = keychain
        self.attributes = attributes
        self.control = control
        self.use = Mutex(use)
    }

    convenience init(_ key: EnclaveKey, of item: ItemDescription, on keychain: Keychain, _ use: CallOptions) {
        self.init(key, item.attributes, item.control, on: keychain, use)
    }

    /// Carries out an operation with the key, prompting if its access control needs it.
    func perform(_ operation: KeyOperation) throws(KeyFailure) -> KeyOutput {
        let use = use.withLock { $0 }
        // Only a search can skip what needs a prompt.
        let interaction = use.interaction == .skip ? .allowed : use.interaction
        do {
            let context = try use.keychainContext(on: keychain)
            return try keychain.perform(operation, with: key, by: requester, in: context, interaction: interaction)
        } catch {
            throw KeyFailure(usingKey: error)
        }
    }

    /// Changes how the user authenticates. It replaces everything that was set before.
    func set(_ name: String, _ value: Any) throws(StatusError) {
        var options = CallOptions()
        // Apple's system keeps parameters that it does not know, and does not read them.
        if CallOptions.ofKeys.contains(name) { try options.parse(name, value) }
        use.withLock { [options] in $0 = options }
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
        let (options, keychain) = try onStatus((CallOptions(ofKeyIn: parameters), currentKeychain(for: .generateKey)))
        do {
            if token.count > Curve.p256.pointCount {
                let key = try keychain.enclaveKey(sealed: token)
                self.init(key, Attributes(ofEnclaveKey: key.publicKey), nil, on: keychain, options)
                return
            }
            var search = ItemQuery(.key, [Name.kSecAttrTokenID: .string(kSecAttrTokenIDSecureEnclave as String)])
            search.synchronizable = .either
            for stored in try keychain.inventory(of: search).items {
                guard let key = EnclaveKey(stored), key.publicKey.externalRepresentation == token else { continue }
                self.init(key, of: stored.description, on: keychain, options)
                return
            }
        } catch {
            throw KeyFailure(StatusError(error))
        }
        throw KeyFailure(errSecItemNotFound, "the keychain has no such key of the Secure Enclave")
    }
}

extension Attributes {
    /// The attributes that a key of Apple's Secure Enclave has in the keychain, as a real device shows them.
    static let usualOfEnclaveKey: Attributes = [
        kSecAttrIsPermanent as String: .number(1), kSecAttrIsPrivate as String: .number(1),
        kSecAttrIsModifiable as String: .number(0), kSecAttrIsExtractable as String: .number(0),
        kSecAttrWasNeverExtractable as String: .number(1), kSecAttrCanEncrypt as String: .number(0),
        kSecAttrCanDecrypt as String: .number(0), kSecAttrCanDerive as String: .number(1),
        kSecAttrCanSign as String: .number(1), kSecAttrCanVerify as String: .number(0),
        kSecAttrCanWrap as String: .number(0),
    ]

    /// Creates the attributes that the item of a key would have.
    init(ofEnclaveKey key: PublicKey) {
        self = .usualOfEnclaveKey
        self[Name.kSecAttrTokenID] = .string(kSecAttrTokenIDSecureEnclave as String)
        self[kSecAttrKeySizeInBits as String] = .number(Int64(key.type.bits))
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
            try onStatus(reference.set(name as String, value))
            return true
        }
    } ?? false
}
