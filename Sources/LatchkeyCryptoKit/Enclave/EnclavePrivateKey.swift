internal import ApplePlatform
internal import Foundation
internal import KeyKit
internal import Latchkey
internal import LocalAuthentication
internal import SecretVault
internal import Security

/// A private key that only the keychain of this device can use, with the context of its prompts.
///
/// The key is used on the keychain that is current at the time of the operation. Another one refuses it.
struct EnclavePrivateKey: @unchecked Sendable {  // An LAContext synchronizes itself.
    private let key: EnclaveKey
    private let sealed: SealedKey
    private let context: LAContext?
    /// The public half.
    let point: CurvePoint<P256>

    private init(_ key: EnclaveKey, _ context: LAContext?) throws {
        // The keychain seals every key that it does not store.
        guard case .sealed(let sealed) = key.place else { throw CryptoKitError.invalidParameter }
        self.key = key
        self.sealed = sealed
        self.context = context
        point = try CurvePoint(key.publicKey)
    }

    /// Generates a key. If `compactRepresentable` is true, the public half has a compact representation.
    init(compactRepresentable: Bool, _ accessControl: SecAccessControl, _ context: LAContext?) throws {
        guard let policy = accessControl.policy else { throw CryptoKitError.invalidParameter }
        let key = try onKeychain(.generateEnclaveKey, context) { (keychain, context) throws(KeychainError) in
            try keychain.generateKey(under: policy, isCompact: compactRepresentable, in: context)
        }
        try self.init(key, context)
    }

    /// Reads the bytes of a key that this device has sealed.
    init(dataRepresentation: Data, _ context: LAContext?) throws {
        let bytes = Array(dataRepresentation)
        let key = try onKeychain(.openEnclaveKey, nil) { (keychain, _) throws(KeychainError) in
            try keychain.enclaveKey(sealed: bytes)
        }
        try self.init(key, context)
    }

    /// The sealed bytes of the key.
    var dataRepresentation: Data { Data(sealed.bytes) }

    /// Returns r and s of a signature, prompting if the access control of the key needs it.
    func sign(_ digest: some ContiguousBytes) throws -> [UInt8] {
        let digest = digest.withUnsafeBytes { Array($0) }
        return try onKeychain(.signInEnclave, context) { (keychain, context) throws(KeychainError) in
            let operation = KeyOperation.sign(digest, .ecdsaOfAnyDigest(.rfc4754))
            switch try keychain.perform(operation, with: key, in: context) {
            case .signature(let numbers): return numbers
            case .secret: throw .key(.unavailable)
            }
        }
    }

    /// Returns the secret that the key shares with the owner of another key, prompting if the access control of the key
    /// needs it.
    func agree(with other: PublicKey) throws -> SharedSecret {
        try onKeychain(.agreeInEnclave, context) { (keychain, context) throws(KeychainError) in
            switch try keychain.perform(.agree(other, nil), with: key, in: context) {
            case .secret(let secret): return SharedSecret(secret)
            case .signature: throw .key(.unavailable)
            }
        }
    }
}

/// Runs `body` on the current keychain with the app's context, and throws its error as apps know it. The observer of the
/// keychain learns of the call, and a test can make it fail.
private func onKeychain<Result>(
    _ call: FaceCall, _ context: LAContext?, _ body: (Keychain, KeychainContext?) throws(KeychainError) -> Result
) throws -> Result {
    let keychain: Keychain
    do { keychain = try CurrentKeychain.of(call: call.rawValue).keychain } catch {
        throw error.forApps
    }
    let watcher = keychain.watcher
    if let planned = watcher?.plannedFailure(of: call) {
        watcher?.called(call, about: "", code: planned, because: "planned by the test")
        throw CryptoKitError.underlyingCoreCryptoError(error: Int32(truncatingIfNeeded: planned))
    }
    do {
        let result = try body(keychain, try context?.keychainContext(on: keychain))
        watcher?.called(call, about: "", code: Int(errSecSuccess), because: "")
        return result
    } catch {
        watcher?.called(call, about: "", code: error.codeForApps, because: "\(error)")
        throw error.forApps
    }
}

extension KeychainError {
    /// The code of the error that Apple's interface throws.
    fileprivate var codeForApps: Int {
        if case .denied(let denied) = self, denied.status?.laError != nil { return LAError(self).errorCode }
        return Int(status?.rawValue ?? errSecInternalComponent)
    }

    /// The error that Apple's interface throws.
    fileprivate var forApps: any Error {
        switch self {
        case .denied(let denied) where denied.status?.laError != nil: LAError(self)
        case .key(.malformed(.sealedKey)), .vault(.key(.malformed(.sealedKey))):
            CryptoKitError.underlyingCoreCryptoError(error: errSecDecode)
        case .key(let error), .vault(.key(let error)): error.forApps
        case .denied, .request, .vault, .sensor, .authenticator, .wrongPasscode, .refused, .wrongKind, .foreignContext:
            CryptoKitError.underlyingCoreCryptoError(error: status?.rawValue ?? errSecInternalComponent)
        }
    }
}
