internal import AccessPolicy
internal import DeviceModel
internal import KeyKit
internal import SecretVault
internal import SodiumKit

/// A check of everything that has to hold for any bytes that are taken for a key, a certificate, an archive, a signature,
/// a message or a sealed key.
public enum KeyCheck: Sendable {
    /// The passphrase of the archives that the fuzzer begins with.
    public static let passphrase = "word"

    /// Reads `bytes` as each kind of file. Returns the fault of the reader; nil if there is none.
    public static func fault(with bytes: [UInt8]) -> String? {
        let checks: [(String, ([UInt8]) throws -> String?)] = [
            ("public key", publicKey), ("private key", privateKey), ("certificate", certificate),
            ("archive", archive), ("message", message), ("sealed key", sealedKey),
        ]
        for (name, check) in checks {
            do {
                if let fault = try check(bytes) { return "\(name): \(fault)" }
            } catch let error as KeyError {
                if error == .unavailable { return "\(name): OpenSSL failed without a reason" }
            } catch {
                return "\(name): \(error)"
            }
        }
        return nil
    }

    /// A key that is read is valid, and is written and read as the same key.
    private static func publicKey(_ bytes: [UInt8]) throws -> String? {
        let bytes = bytes.span.bytes
        let read = [
            try? PublicKey(externalRepresentation: bytes, .ec), try? PublicKey(externalRepresentation: bytes, .rsa),
            try? PublicKey(subjectPublicKeyInfo: bytes), try? PublicKey(pem: bytes),
        ]
        for key in read.compactMap(\.self) {
            if try PublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo.span.bytes) != key { return "another key" }
        }
        return nil
    }

    /// A key that is read signs, and its public half verifies.
    private static func privateKey(_ bytes: [UInt8]) throws -> String? {
        try used { try PrivateKey(externalRepresentation: copy(bytes), .ec) }
            ?? used { try PrivateKey(externalRepresentation: copy(bytes), .rsa) }
            ?? used { try PrivateKey(externalRepresentation: copy(bytes), .ed25519) }
            ?? used { try PrivateKey(der: copy(bytes)) }
            ?? used { try PrivateKey(pem: copy(bytes)) }
            // A vault does not check the halves of a key again, so a signature can be wrong; nothing else may happen.
            ?? trusted(bytes)
    }

    private static func used(_ read: () throws -> PrivateKey) throws -> String? {
        guard let key = try? read() else { return nil }
        let scheme: SignatureScheme =
            switch key.type.family {
            case .ec: .ecdsa(.x962, .sha256, .message)
            case .rsa: .rsaPKCS1(.sha256, .message)
            case .ed25519: .ed25519
            }
        let message: [UInt8] = [1, 2, 3]
        let signature = try key.sign(message.span.bytes, with: scheme)
        guard try key.publicKey.verify(signature.span.bytes, of: message.span.bytes, with: scheme) else {
            return "the signature is not valid"
        }
        let again = try PrivateKey(der: key.der())
        return again.publicKey == key.publicKey ? nil : "another key after writing"
    }

    private static func trusted(_ bytes: [UInt8]) throws -> String? {
        guard let key = try? PrivateKey(trusted: copy(bytes), .ec) else { return nil }
        let other = try PrivateKey.generate(key.type)
        _ = try? key.perform(.sign([1], .ecdsa(.x962, .sha256, .message))).isSignature
        _ = try? key.perform(.agree(other.publicKey, nil)).isSignature
        return nil
    }

    private static func certificate(_ bytes: [UInt8]) throws -> String? {
        let certificate = try Certificate(der: bytes.span.bytes)
        _ = try? certificate.publicKey
        return certificate.der == bytes ? nil : "other bytes"
    }

    private static func archive(_ bytes: [UInt8]) throws -> String? {
        let archive = try PKCS12.open(bytes.span.bytes, passphrase: SecureBytes(passphrase))
        for certificate in archive.certificates {
            let der = certificate.der
            if try Certificate(der: der.span.bytes).der != der { return "other bytes" }
        }
        return nil
    }

    /// Nothing but a valid signature of this key verifies, and nothing but a message for it decrypts. The fuzzer has
    /// neither, because the key is new in each process.
    private static func message(_ bytes: [UInt8]) throws -> String? {
        let key = try PrivateKey(externalRepresentation: copy(keyOfProcess), .ec)
        let signed: [UInt8] = [1]
        for encoding in [SignatureEncoding.x962, .rfc4754] {
            let scheme = SignatureScheme.ecdsa(encoding, .sha256, .message)
            if try key.publicKey.verify(bytes.span.bytes, of: signed.span.bytes, with: scheme) { return "a forgery" }
        }
        let scheme = EncryptionScheme.ecies(.cofactor, .sha256, .derived)
        do throws(KeyError) {
            _ = try key.decrypt(bytes.span.bytes, with: scheme).count
            return "a forgery"
        } catch {
            return error == .cannotDecrypt ? nil : "\(error)"
        }
    }

    /// A vault refuses a key that it has not sealed. It refuses one that it has sealed if the input changes a byte of it.
    private static func sealedKey(_ bytes: [UInt8]) throws -> String? {
        guard let (vault, own) = vaultOfProcess else { return "no vault" }
        var changed = own.bytes
        for (place, byte) in bytes.prefix(changed.count).enumerated() { changed[place] ^= byte }
        for bytes in [bytes, changed] where bytes != own.bytes {
            let key: SealedKey
            do throws(KeyError) { key = try SealedKey(bytes) } catch { continue }
            if try vault.isOwn(key) { return "a forgery" }
            do throws(VaultError) {
                _ = try vault.use(.sealed(key), .sign([1], .ecdsa(.x962, .sha256, .message)), for: caller).isGranted
                return "a forgery"
            } catch {
                if error != .key(.malformed(.sealedKey)) { return "\(error)" }
            }
        }
        return nil
    }

    private static let caller = Caller("fuzzer", groups: ["group"], interaction: .fail)
    private static let keyOfProcess: [UInt8] = {
        let key = try? PrivateKey.generate(.ec(.p256)).externalRepresentation()
        return key?.withBytes { $0.withUnsafeBytes { Array($0) } } ?? []
    }()
    private static let vaultOfProcess: (Vault, SealedKey)? = {
        guard let vault = try? Vault.inMemory(.simulated(), passcode: SecureBytes("1234")).vault,
            let control = try? AccessControl(protection: .whenUnlocked, flags: .privateKeyUsage),
            case .granted(let key) = try? vault.generateSealedKey(under: control, for: caller)
        else { return nil }
        return (vault, key)
    }()

    private static func copy(_ bytes: [UInt8]) throws -> SecureBytes { try SecureBytes(copying: bytes.span.bytes) }
}

extension KeyOutput {
    fileprivate var isSignature: Bool {
        borrowing get {
            switch self {
            case .signature: true
            case .secret: false
            }
        }
    }
}
