import Foundation
import LocalAuthentication
import Security

/// The key by which the bank knows this device. It was generated in the Secure Enclave and never leaves it. A finger or
/// face confirms each use, and one that is enrolled later cannot.
struct DeviceKey: Sendable {
    enum Failure: Error, Equatable {
        case notRegistered
        case canceled
        case notRecognized
        case lockedOut
        case noBiometry
        /// The enrolled fingers or faces have changed since the key was made.
        case biometryChanged
        case unexpected(String, Int)
    }

    private static let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256

    var tag = "com.example.bank.device-key"

    /// Generates the key, which replaces a former one, and returns the public key for the bank.
    func create() throws -> Data {
        var error: Unmanaged<CFError>?
        guard
            let access = SecAccessControlCreateWithFlags(
                kCFAllocatorDefault, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
                [.privateKeyUsage, .biometryCurrentSet], &error)
        else { throw error!.takeRetainedValue() as Error }

        // A key whose fingers have changed stays in the keychain until it is deleted.
        delete()

        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits as String: 256,
            kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs as String: [
                kSecAttrIsPermanent as String: true,
                kSecAttrApplicationTag as String: Data(tag.utf8),
                kSecAttrAccessControl as String: access,
            ],
        ]
        guard let privateKey = SecKeyCreateRandomKey(attributes as CFDictionary, &error),
            let publicKey = SecKeyCopyPublicKey(privateKey),
            let bytes = SecKeyCopyExternalRepresentation(publicKey, &error)
        else { throw error.map { Failure($0.takeRetainedValue()) } ?? Failure.noBiometry }
        return bytes as Data
    }

    /// Signs a challenge of the bank, once the user has confirmed it.
    func sign(_ challenge: Data, reason: String, in context: LAContext = LAContext()) throws -> Data {
        context.localizedReason = reason
        guard let key = find(in: context) else { throw Failure.notRegistered }
        guard SecKeyIsAlgorithmSupported(key, .sign, Self.algorithm) else { throw Failure.notRegistered }
        var error: Unmanaged<CFError>?
        guard let signature = SecKeyCreateSignature(key, Self.algorithm, challenge as CFData, &error) else {
            throw Failure(error!.takeRetainedValue())
        }
        return signature as Data
    }

    /// True if there is a key. It may be one whose fingers have changed.
    var exists: Bool { find(in: nil) != nil }

    func delete() {
        SecItemDelete(query as CFDictionary)
    }

    private var query: [String: Any] {
        [
            kSecClass as String: kSecClassKey,
            kSecAttrApplicationTag as String: Data(tag.utf8),
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
        ]
    }

    /// Returns the key. Looking for it shows no prompt: the prompt comes when the key is used.
    private func find(in context: LAContext?) -> SecKey? {
        var query = query
        query[kSecReturnRef as String] = true
        if let context { query[kSecUseAuthenticationContext as String] = context }
        var item: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess, let item else { return nil }
        return (item as! SecKey)
    }
}

extension DeviceKey.Failure {
    init(_ error: CFError) {
        let error = error as Error as NSError
        switch (error.domain, error.code) {
        case (LAErrorDomain, LAError.userCancel.rawValue), (LAErrorDomain, LAError.systemCancel.rawValue),
            (LAErrorDomain, LAError.appCancel.rawValue):
            self = .canceled
        case (LAErrorDomain, LAError.authenticationFailed.rawValue): self = .notRecognized
        case (LAErrorDomain, LAError.biometryLockout.rawValue): self = .lockedOut
        case (LAErrorDomain, LAError.biometryNotEnrolled.rawValue),
            (LAErrorDomain, LAError.biometryNotAvailable.rawValue), (LAErrorDomain, LAError.passcodeNotSet.rawValue),
            (NSOSStatusErrorDomain, Int(errSecAuthFailed)):
            self = .noBiometry
        // A key that is bound to other fingers does not say so. It fails like one that gets a wrong parameter.
        case (NSOSStatusErrorDomain, Int(errSecParam)): self = .biometryChanged
        default: self = .unexpected(error.domain, error.code)
        }
    }
}
