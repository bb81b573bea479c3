import Foundation
import LatchkeyCryptoKit
import LatchkeyTesting
import Security
import Testing

/// The examples of the doc comments and of the guide, as they stand there.
@Suite struct CryptoKitExamples {
    @Test func ciphers() throws {
        let key = SymmetricKey(size: .bits256)
        let message = Data("message".utf8)
        let box = try AES.GCM.seal(message, using: key)
        let opened = try AES.GCM.open(box, using: key)
        #expect(opened == message)
    }

    @Test func codes() {
        let key = SymmetricKey(size: .bits256)
        let message = Data("message".utf8)
        let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
        let isAuthentic = HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key)
        #expect(isAuthentic)
    }

    @Test func keysOfTheEnclave() throws {
        try SimulatedDevice().run {
            let challenge = Data("challenge".utf8)
            let access = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .biometryCurrentSet], nil)!
            let key = try SecureEnclave.P256.Signing.PrivateKey(accessControl: access)
            let blob = key.dataRepresentation
            let signature = try key.signature(for: challenge)
            #expect(key.publicKey.isValidSignature(signature, for: challenge))
            #expect(!blob.isEmpty)
        }
    }
}
