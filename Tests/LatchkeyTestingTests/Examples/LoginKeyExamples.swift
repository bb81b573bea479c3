import Foundation
import LatchkeyTesting
import Security
import Testing

/// The examples of keys on the page on testing, word for word. `ReadmeTests` compares the page with them.
@Suite struct LoginKeyExamples {
    struct LoginKey {
        private let tag = Data("login".utf8)

        /// Creates the key. Returns its public half, for the server.
        func enroll() throws -> Data {
            let access = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .biometryCurrentSet], nil)!
            let parameters: [String: Any] = [
                kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeySizeInBits as String: 256,
                kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
                kSecPrivateKeyAttrs as String: [
                    kSecAttrIsPermanent as String: true,
                    kSecAttrApplicationTag as String: tag,
                    kSecAttrAccessControl as String: access,
                ] as [String: Any],
            ]
            SecItemDelete([kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: tag] as CFDictionary)
            var error: Unmanaged<CFError>?
            guard let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error),
                let publicKey = SecKeyCopyPublicKey(key),
                let bytes = SecKeyCopyExternalRepresentation(publicKey, &error)
            else { throw error!.takeRetainedValue() as any Error }
            return bytes as Data
        }

        func sign(_ challenge: Data) throws -> Data {
            let query: [String: Any] = [
                kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: tag,
                kSecReturnRef as String: true,
            ]
            var item: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &item)
            guard status == errSecSuccess, let key = item as! SecKey? else {
                throw NSError(domain: NSOSStatusErrorDomain, code: Int(status))
            }
            var error: Unmanaged<CFError>?
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            guard let signature = SecKeyCreateSignature(key, algorithm, challenge as CFData, &error) else {
                throw error!.takeRetainedValue() as any Error
            }
            return signature as Data
        }
    }

    @Test func aNewFingerEndsTheLogin() throws {
        let device = SimulatedDevice()
        try device.run {
            let server = try LoginKey().enroll()
            #expect(device.prompts.isEmpty)
            let challenge = Data("a challenge".utf8)
            let signature = try LoginKey().sign(challenge)
            #expect(device.prompts.map(\.factor) == [.biometry])
            #expect(isValid(signature, of: challenge, by: server))
            device.enroll("left thumb")
            #expect(throws: (any Error).self) { try LoginKey().sign(challenge) }
            #expect(device.decisions.last?.rule == .keyInvalidated)
            let again = try LoginKey().enroll()
            #expect(isValid(try LoginKey().sign(challenge), of: challenge, by: again))
        }
    }

    /// What a server does.
    func isValid(_ signature: Data, of challenge: Data, by server: Data) -> Bool {
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeyClass as String: kSecAttrKeyClassPublic,
        ]
        guard let key = SecKeyCreateWithData(server as CFData, attributes as CFDictionary, nil) else { return false }
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        return SecKeyVerifySignature(key, algorithm, challenge as CFData, signature as CFData, nil)
    }
}
