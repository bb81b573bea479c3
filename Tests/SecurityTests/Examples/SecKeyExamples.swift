import Foundation
import LatchkeyTesting
import Security
import TestSupport
import Testing

/// The examples in the documentation of keys, certificates and trust, line by line.
@Suite struct SecKeyExamples {
    @Test func theExampleOfAKeyRuns() {
        var isValid: Bool?
        defer { #expect(isValid == true) }
        let message = Data("a message".utf8)
        SimulatedDevice().run {
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeySizeInBits: 256,
            ]
            guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, nil) else { return }
            let signature = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message as CFData, nil)
            let publicKey = SecKeyCopyPublicKey(key)
            isValid = publicKey.flatMap { publicKey in
                signature.map {
                    SecKeyVerifySignature(publicKey, .ecdsaSignatureMessageX962SHA256, message as CFData, $0, nil)
                }
            }
        }
    }

    @Test(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"))
    func theExampleOfACertificateRuns() {
        var found: String?
        defer { #expect(found == "Some Name") }
        let der = SomeCertificates.shared.leaf.der
        guard let certificate = SecCertificateCreateWithData(nil, der as CFData) else { return }
        let name = SecCertificateCopySubjectSummary(certificate) as String?
        found = name
    }

    @Test(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"))
    func theExampleOfTrustRuns() {
        let some = SomeCertificates.shared
        let (chain, root, day) = ([some.leaf, some.authority], some.root, SomeCertificates.day)
        var answer: Bool?
        defer { #expect(answer == true) }
        var trust: SecTrust?
        let policy = SecPolicyCreateSSL(true, "example.com" as CFString)
        let status = SecTrustCreateWithCertificates(chain as CFArray, policy, &trust)
        guard status == errSecSuccess, let trust else { return }
        SecTrustSetAnchorCertificates(trust, [root] as CFArray)
        SecTrustSetVerifyDate(trust, day as CFDate)
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &error)
        answer = isTrusted && error == nil
    }
}
