import Foundation
import KeyKit
import SodiumKit
import Testing

/// The published cases of Project Wycheproof, if you have a copy. Set `LATCHKEY_WYCHEPROOF` to its folder of vectors:
///
///     LATCHKEY_WYCHEPROOF=wycheproof/testvectors_v1 make test FILTER=WycheproofTests
@Suite(.enabled(if: Wycheproof.folder != nil, "skipped: set LATCHKEY_WYCHEPROOF to the vectors of C2SP/wycheproof"))
struct WycheproofTests {
    /// A case is "valid", "invalid", or "acceptable", which leaves the decision to the implementation.
    private func expect(_ isAccepted: Bool, _ name: String, _ test: [String: Any]) {
        switch test["result"] as? String {
        case "valid": #expect(isAccepted, "\(name) \(test["tcId"] ?? "") \(test["comment"] ?? "")")
        case "invalid": #expect(!isAccepted, "\(name) \(test["tcId"] ?? "") \(test["comment"] ?? "")")
        default: break
        }
    }

    private func bytes(_ test: [String: Any], _ name: String) -> [UInt8] {
        KeyKitTests.bytes(hex: test[name] as? String ?? "")
    }

    @Test(arguments: Wycheproof.files { $0.hasPrefix("ecdsa_secp") && !$0.contains("bitcoin") })
    func signaturesOfCurves(name: String) throws {
        try Wycheproof.eachTest(name) { group, test in
            guard let hash = Wycheproof.hash(group["sha"]), let info = group["publicKeyDer"] as? String,
                let key = try? PublicKey(subjectPublicKeyInfo: KeyKitTests.bytes(hex: info).span.bytes)
            else { return false }
            let encoding: SignatureEncoding = name.contains("p1363") ? .rfc4754 : .x962
            expect(
                try key.verify(bytes(test, "sig"), of: bytes(test, "msg"), with: .ecdsa(encoding, hash, .message)),
                name,
                test)
            return true
        }
    }

    @Test(arguments: Wycheproof.files { $0.hasPrefix("rsa_signature_") }) func signaturesWithPKCS1(name: String) throws
    {
        try Wycheproof.eachTest(name) { group, test in
            guard let hash = Wycheproof.hash(group["sha"]),
                let info = group["publicKeyDer"] as? String,
                let key = try? PublicKey(subjectPublicKeyInfo: KeyKitTests.bytes(hex: info).span.bytes)
            else { return false }
            expect(
                try key.verify(bytes(test, "sig"), of: bytes(test, "msg"), with: .rsaPKCS1(hash, .message)), name, test)
            return true
        }
    }

    @Test(arguments: Wycheproof.files { $0.hasPrefix("rsa_pss_") && !$0.contains("params") })
    func signaturesWithPSS(name: String) throws {
        try Wycheproof.eachTest(name) { group, test in
            guard let hash = Wycheproof.hash(group["sha"]), Wycheproof.hash(group["mgfSha"]) == hash,
                group["sLen"] as? Int == hash.digestCount,
                let info = (group["publicKeyDer"] ?? (group["publicKey"] as? [String: Any])?["publicKeyDer"])
                    as? String,
                let key = try? PublicKey(subjectPublicKeyInfo: KeyKitTests.bytes(hex: info).span.bytes)
            else { return false }
            expect(
                try key.verify(bytes(test, "sig"), of: bytes(test, "msg"), with: .rsaPSS(hash, .message)), name, test)
            return true
        }
    }

    @Test(
        arguments: Wycheproof.files { $0.hasPrefix("rsa_oaep_") || $0.hasPrefix("rsa_pkcs1_") && !$0.contains("sig") })
    func encryptionWithRSA(name: String) throws {
        try Wycheproof.eachTest(name) { group, test in
            let scheme: EncryptionScheme
            if name.hasPrefix("rsa_oaep") {
                guard let hash = Wycheproof.hash(group["sha"]), Wycheproof.hash(group["mgfSha"]) == hash,
                    (test["label"] as? String ?? "").isEmpty
                else { return false }
                scheme = .rsaOAEP(hash)
            } else {
                scheme = .rsaPKCS1
            }
            let info =
                (group["privateKeyPkcs8"] ?? (group["privateKey"] as? [String: Any])?["privateKeyPkcs8"]) as? String
            guard let info else { return false }
            let key: PrivateKey
            do { key = try PrivateKey(der: secure(KeyKitTests.bytes(hex: info))) } catch KeyError.unsupportedType {
                return false
            }
            let message = try? key.decrypt(bytes(test, "ct"), with: scheme)
            expect(message == bytes(test, "msg"), name, test)
            return true
        }
    }

    @Test(arguments: Wycheproof.files { $0.hasPrefix("ecdh_secp") && !$0.contains("pem") && !$0.contains("webcrypto") })
    func agreements(name: String) throws {
        try Wycheproof.eachTest(name) { group, test in
            let curves: [String: Curve] = ["secp256r1": .p256, "secp384r1": .p384, "secp521r1": .p521]
            guard let curve = curves[group["curve"] as? String ?? ""] else { return false }
            var scalar = bytes(test, "private").drop { $0 == 0 }
            scalar = [UInt8](repeating: 0, count: curve.coordinateCount - scalar.count) + scalar
            let key = try PrivateKey(scalar: Array(scalar), on: curve)
            let file = bytes(test, "public")
            let isPoint = name.contains("ecpoint")
            let other =
                isPoint ? try? PublicKey(checking: file, .ec) : try? PublicKey(subjectPublicKeyInfo: file.span.bytes)
            let secret = other.flatMap { other in try? key.sharedSecret(with: other).array() }
            expect(secret == bytes(test, "shared"), name, test)
            return true
        }
    }
}

/// The cases of the symmetric functions.
@Suite(.enabled(if: Wycheproof.folder != nil, "skipped: set LATCHKEY_WYCHEPROOF to the vectors of C2SP/wycheproof"))
struct SymmetricWycheproofTests {
    private func bytes(_ test: [String: Any], _ name: String) -> [UInt8] {
        KeyKitTests.bytes(hex: test[name] as? String ?? "")
    }

    @Test(arguments: Wycheproof.files { ["aes_gcm_test.json", "chacha20_poly1305_test.json"].contains($0) })
    func ciphers(name: String) throws {
        let cipher: AuthenticatedCipher = name.hasPrefix("aes") ? .aesGCM : .chaCha20Poly1305
        try Wycheproof.eachTest(name) { _, test in
            let (key, nonce, additional) = (bytes(test, "key"), bytes(test, "iv"), bytes(test, "aad"))
            let message = try? cipher.open(
                bytes(test, "ct").span.bytes, tag: bytes(test, "tag").span.bytes, key: key.span.bytes,
                nonce: nonce.span.bytes, additional: additional.span.bytes
            ).array()
            // A nonce of more than 128 bytes is refused.
            let isValid = test["result"] as? String == "valid" && cipher.nonceCounts.contains(nonce.count)
            #expect(message == (isValid ? bytes(test, "msg") : nil), "\(name) \(test["tcId"] ?? "")")
            if isValid {
                let box = try cipher.seal(
                    bytes(test, "msg").span.bytes, key: key.span.bytes, nonce: nonce.span.bytes,
                    additional: additional.span.bytes)
                #expect(box == bytes(test, "ct") + bytes(test, "tag"), "\(name) \(test["tcId"] ?? "")")
            }
            return true
        }
    }

    @Test(arguments: Wycheproof.files { $0.hasPrefix("hmac_sha") }) func codes(name: String) throws {
        try Wycheproof.eachTest(name) { group, test in
            let function = name.dropFirst("hmac_sha".count).dropLast("_test.json".count)
            guard let hash = Wycheproof.hash("SHA-\(function)"), let bits = group["tagSize"] as? Int else {
                return false
            }
            var code = try RunningMAC(.standard(hash), key: bytes(test, "key").span.bytes)
            try code.add(bytes(test, "msg").span.bytes)
            let isRight = Array(try code.finish().prefix(bits / 8)) == bytes(test, "tag")
            #expect(isRight == (test["result"] as? String == "valid"), "\(name) \(test["tcId"] ?? "")")
            return true
        }
    }

    @Test(arguments: Wycheproof.files { $0.hasPrefix("hkdf_sha") }) func derivations(name: String) throws {
        try Wycheproof.eachTest(name) { _, test in
            let function = name.dropFirst("hkdf_sha".count).dropLast("_test.json".count)
            guard let hash = Wycheproof.hash("SHA-\(function)"), let count = test["size"] as? Int else { return false }
            let key = try? HKDFFunction.derive(
                .both, count, from: bytes(test, "ikm").span.bytes, salt: bytes(test, "salt").span.bytes,
                info: bytes(test, "info").span.bytes, .standard(hash)
            ).array()
            let isValid = test["result"] as? String == "valid"
            #expect(key == (isValid ? bytes(test, "okm") : nil), "\(name) \(test["tcId"] ?? "")")
            return true
        }
    }
}

/// The copy of the vectors.
enum Wycheproof {
    static let folder = ProcessInfo.processInfo.environment["LATCHKEY_WYCHEPROOF"]

    /// Returns the names of the files that are wanted.
    static func files(_ isWanted: (String) -> Bool) -> [String] {
        guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
        return names.filter { $0.hasSuffix(".json") && isWanted($0) }.sorted()
    }

    /// Passes each test of a file with its group to `body`, which returns false if it is about something else.
    static func eachTest(_ name: String, _ body: ([String: Any], [String: Any]) throws -> Bool) throws {
        let data = try Data(contentsOf: URL(filePath: folder ?? "").appending(path: name))
        let file = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        var count = 0
        for group in file["testGroups"] as? [[String: Any]] ?? [] {
            for test in group["tests"] as? [[String: Any]] ?? [] where try body(group, test) { count += 1 }
        }
        print("\(name): \(count) cases")
    }

    /// Returns the hash function of this name; nil if KeyKit does not have it.
    static func hash(_ name: Any?) -> HashAlgorithm? {
        switch name as? String {
        case "SHA-1": .sha1
        case "SHA-224": .sha224
        case "SHA-256": .sha256
        case "SHA-384": .sha384
        case "SHA-512": .sha512
        default: nil
        }
    }
}
