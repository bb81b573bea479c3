internal import Foundation
internal import KeyKit

/// An algorithm of Apple's that keys support, as KeyKit carries it out.
enum KeyAlgorithm: Hashable, Sendable {
    case signature(SignatureScheme)
    case encryption(EncryptionScheme)
    /// A key exchange; without a hash function, its result is the bare coordinate.
    case exchange(AgreementForm, HashAlgorithm?)

    private static let hashes: [(HashAlgorithm, String)] = [
        (.sha1, "SHA1"), (.sha224, "SHA224"), (.sha256, "SHA256"), (.sha384, "SHA384"), (.sha512, "SHA512"),
    ]

    /// The algorithms that keys support. Apple's texts repeat with each hash function.
    static let all: [SecKeyAlgorithm: KeyAlgorithm] = {
        var all: [SecKeyAlgorithm: KeyAlgorithm] = [
            .rsaSignatureRaw: .signature(.rsaRaw),
            .rsaSignatureDigestPKCS1v15Raw: .signature(.rsaPKCS1OfAnyDigest),
            .ecdsaSignatureRFC4754: .signature(.ecdsaOfAnyDigest(.rfc4754)),
            .ecdsaSignatureDigestRFC4754: .signature(.ecdsaOfAnyDigest(.rfc4754)),
            .ecdsaSignatureDigestX962: .signature(.ecdsaOfAnyDigest(.x962)),
            .rsaEncryptionRaw: .encryption(.rsaRaw),
            .rsaEncryptionPKCS1: .encryption(.rsaPKCS1),
            .ecdhKeyExchangeStandard: .exchange(.standard, nil),
            .ecdhKeyExchangeCofactor: .exchange(.cofactor, nil),
        ]
        func add(_ text: String, _ algorithm: KeyAlgorithm) {
            all[SecKeyAlgorithm(rawValue: "algid:\(text)" as CFString)] = algorithm
        }
        for (hash, name) in hashes {
            // The number is the length of the salt, but Apple's text has 24 for SHA-224.
            let pss = "PSS:\(name):\(name):\(hash == .sha224 ? 24 : hash.digestCount)"
            for (input, kind) in [(SignatureInput.digest, "digest"), (.message, "message")] {
                add("sign:ECDSA:\(kind)-X962:\(name)", .signature(.ecdsa(.x962, hash, input)))
                add("sign:ECDSA:\(kind)-RFC4754:\(name)", .signature(.ecdsa(.rfc4754, hash, input)))
                add("sign:RSA:\(kind)-PKCS1v15:\(name)", .signature(.rsaPKCS1(hash, input)))
                add("sign:RSA:\(kind)-\(pss)", .signature(.rsaPSS(hash, input)))
            }
            add("encrypt:RSA:OAEP:\(name)", .encryption(.rsaOAEP(hash)))
            add("encrypt:RSA:OAEP:\(name):AESGCM", .encryption(.rsaOAEPAESGCM(hash)))
            for (form, agreement) in [(AgreementForm.standard, "ECDH"), (.cofactor, "ECDHC")] {
                let derivation = "\(agreement):KDFX963:\(name)"
                add("keyexchange:\(derivation)", .exchange(form, hash))
                add("encrypt:ECIES:\(derivation):AESGCM", .encryption(.ecies(form, hash, .zero)))
                // Apple has no such algorithm with SHA-1.
                if hash == .sha1 { continue }
                add("encrypt:ECIES:\(derivation):AESGCM-KDFIV", .encryption(.ecies(form, hash, .derived)))
            }
        }
        return all
    }()
}
