import Foundation
import LatchkeyTesting
import Security
import Testing

/// Code on keys as apps have it: its casts, its error handling and its dictionaries compile and work.
@Suite struct KeyIdiomTests {
    private let tag = "com.example.keys.signing".data(using: .utf8)!
    private let algorithm: SecKeyAlgorithm = .ecdsaSignatureMessageX962SHA256

    private func makeKey() throws -> SecKey {
        guard
            let access = SecAccessControlCreateWithFlags(
                kCFAllocatorDefault, kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                [.privateKeyUsage, .biometryCurrentSet], nil)
        else { throw CancellationError() }
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits as String: 256,
            kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs as String: [
                kSecAttrIsPermanent as String: true,
                kSecAttrApplicationTag as String: tag,
                kSecAttrAccessControl as String: access,
            ],
        ]
        var error: Unmanaged<CFError>?
        guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, &error) else {
            throw error!.takeRetainedValue() as any Error
        }
        return key
    }

    private func loadKey() -> SecKey? {
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey,
            kSecAttrApplicationTag as String: tag,
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecReturnRef as String: true,
        ]
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status == errSecSuccess else { return nil }
        return (item as! SecKey)
    }

    @Test func anAppGeneratesLoadsAndSigns() throws {
        try SimulatedDevice().run {
            let generated = try makeKey()
            let key = try #require(loadKey())
            #expect(key == generated)
            guard SecKeyIsAlgorithmSupported(key, .sign, algorithm) else { throw CancellationError() }
            let data = "challenge".data(using: .utf8)!
            var error: Unmanaged<CFError>?
            guard let signature = SecKeyCreateSignature(key, algorithm, data as CFData, &error) as Data? else {
                throw error!.takeRetainedValue() as any Error
            }
            guard let publicKey = SecKeyCopyPublicKey(key) else { throw CancellationError() }
            #expect(SecKeyVerifySignature(publicKey, algorithm, data as CFData, signature as CFData, &error))
            let external = SecKeyCopyExternalRepresentation(publicKey, &error)! as Data
            let header: [String: Any] = [
                kSecAttrKeyType as String: kSecAttrKeyTypeEC, kSecAttrKeyClass as String: kSecAttrKeyClassPublic,
                kSecAttrKeySizeInBits as String: 256,
            ]
            #expect(SecKeyCreateWithData(external as CFData, header as CFDictionary, &error) == publicKey)
            #expect(error == nil)
            let attributes = SecKeyCopyAttributes(key) as? [String: Any]
            #expect(attributes?[kSecAttrTokenID as String] as? String == kSecAttrTokenIDSecureEnclave as String)
        }
    }

    @Test func anAppSwitchesOverTheError() throws {
        let device = SimulatedDevice()
        device.run {
            do {
                let key = try makeKey()
                device.user = .absent
                var error: Unmanaged<CFError>?
                if SecKeyCreateSignature(key, algorithm, Data() as CFData, &error) == nil, let error {
                    throw error.takeRetainedValue() as any Error
                }
                Issue.record("the signature was made")
            } catch let error as NSError where error.domain == "com.apple.LocalAuthentication" {
                #expect(error.code == -2)
            } catch {
                Issue.record("\(error)")
            }
        }
    }

    @Test func anAppEncryptsWithRSA() throws {
        var (publicKey, privateKey): (SecKey?, SecKey?)
        let parameters: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048]
        guard SecKeyGeneratePair(parameters as CFDictionary, &publicKey, &privateKey) == errSecSuccess else {
            throw CancellationError()
        }
        let text = "secret"
        let blockSize = SecKeyGetBlockSize(publicKey!)
        var message = [UInt8](repeating: 0, count: blockSize)
        var count = blockSize
        let status = SecKeyEncrypt(publicKey!, .PKCS1, Array(text.utf8), text.utf8.count, &message, &count)
        #expect(status == noErr && count == blockSize)
        let opened = SecKeyCreateDecryptedData(privateKey!, .rsaEncryptionPKCS1, Data(message) as CFData, nil)
        #expect(opened.map { String(decoding: $0 as Data, as: UTF8.self) } == text)
    }

    @Test func anAppAgreesOnASecret() throws {
        let (mine, other) = (SomeKeys.p256, SomeKeys.p384.publicHalf)
        let parameters: [String: Any] = [
            SecKeyKeyExchangeParameter.requestedSize.rawValue as String: 32,
            SecKeyKeyExchangeParameter.sharedInfo.rawValue as String: Data("info".utf8),
        ]
        var error: Unmanaged<CFError>?
        let none = SecKeyCopyKeyExchangeResult(
            mine, .ecdhKeyExchangeStandardX963SHA256, other, parameters as CFDictionary, &error)
        let reason = try #require(error?.takeRetainedValue())
        #expect(none == nil && CFErrorGetCode(reason) == CFIndex(errSecDecode))
        let secret =
            SecKeyCopyKeyExchangeResult(
                mine, .ecdhKeyExchangeStandardX963SHA256, mine.publicHalf, parameters as CFDictionary, nil) as Data?
        #expect(secret?.count == 32)
    }
}
