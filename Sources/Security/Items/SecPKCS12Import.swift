// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import KeyKit
internal import SodiumKit

/// Opens a PKCS #12 file, and stores its identities in `items`: an array with a dictionary for each private key and its
/// certificate. As on iOS, certificates without a private key are left out.
///
/// Nothing goes into the keychain unless the options have ``kSecUseDataProtectionKeychain``. Then the identities and the
/// certificates of their chains are added, with the other options as attributes. Those that are there stay as they are.
///
/// Each dictionary has the keys ``kSecImportItemIdentity``, ``kSecImportItemTrust`` and ``kSecImportItemCertChain``.
///
/// - Parameters:
///   - pkcs12Data: The bytes of the file.
///   - options: The passphrase under ``kSecImportExportPassphrase``. Without one, it is the empty text.
///   - items: The variable that receives the array.
/// - Returns: ``errSecSuccess``; ``errSecAuthFailed`` if the passphrase is wrong; ``errSecDecode`` if the file is damaged
///   or demands too much work.
@discardableResult
public func SecPKCS12Import(
    _ pkcs12Data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    do {
        let imported = try identities(in: pkcs12Data as Data, options)
        items.pointee = imported.map(\.forApps) as CFArray
        let isForKeychain = options[Name.kSecUseDataProtectionKeychain].flatMap(unwrapped).flatMap(boolean)
        return isForKeychain == true ? store(imported, options) : errSecSuccess
    } catch {
        return error.status
    }
}

/// An identity of a file, with its chain.
private struct ImportedIdentity {
    let identity: SecIdentity
    let trust: SecTrust

    var forApps: [String: Any] {
        [
            kSecImportItemIdentity as String: identity, kSecImportItemTrust as String: trust,
            kSecImportItemCertChain as String: trust.chain,
        ]
    }
}

/// Adds identities and their chains to the keychain. Returns the first status that is neither success nor a duplicate.
private func store(_ identities: [ImportedIdentity], _ options: CFDictionary) -> OSStatus {
    var item = options
    for key in [kSecImportExportPassphrase, kSecImportExportKeychain, kSecImportExportAccess, kSecImportToMemoryOnly] {
        item[key as String] = nil
    }
    for imported in identities {
        let objects: [(CFString, AnyObject)] =
            [(kSecClassIdentity, imported.identity)] + imported.trust.chain.map { (kSecClassCertificate, $0) }
        for (itemClass, object) in objects {
            item[Name.kSecClass] = itemClass as String
            item[Name.kSecValueRef] = object
            let status = SecItemAdd(item, nil)
            guard status == errSecSuccess || status == errSecDuplicateItem else { return status }
        }
    }
    return errSecSuccess
}

private func identities(in file: Data, _ options: CFDictionary) throws(StatusError) -> [ImportedIdentity] {
    do throws(KeyError) {
        let content = try PKCS12.open(file.bytes, passphrase: try passphrase(in: options))
        var pairs: [(certificate: Certificate, key: PKCS12.Key)] = []
        for key in content.keys {
            if let certificate = try content.certificate(for: key) { pairs.append((certificate, key)) }
        }
        let others = content.certificates.filter { other in !pairs.contains { $0.certificate == other } }
        var identities: [ImportedIdentity] = []
        for (certificate, key) in pairs {
            let leaf = SecCertificate(certificate)
            // The file says that the key belongs to the certificate, so another key is damage.
            guard let identity = SecIdentity(leaf, SecKey(try key.copy())) else { throw .invalidKey }
            let trust = SecTrust([leaf] + others.map(SecCertificate.init), [SecPolicyCreateBasicX509()])
            identities.append(ImportedIdentity(identity: identity, trust: trust))
        }
        return identities
    } catch {
        throw StatusError(importing: error)
    }
}

/// Returns the passphrase in guarded memory.
private func passphrase(in options: CFDictionary) throws(KeyError) -> SecureBytes {
    let given = options[kSecImportExportPassphrase as String].flatMap(unwrapped).flatMap(text)
    do { return try SecureBytes(given ?? "") } catch { throw .memory(error) }
}

extension PKCS12.Key {
    /// Returns the key for an owner of its own.
    fileprivate func copy() throws(KeyError) -> PrivateKey {
        // Apps get keys of this type from CryptoKit's names alone.
        if key.type == .ed25519 { throw .unsupportedType }
        return try PrivateKey(trusted: key.externalRepresentation(), key.type.family)
    }
}

extension StatusError {
    fileprivate init(importing error: KeyError) {
        let status: OSStatus =
            switch error {
            case .wrongPassphrase: errSecAuthFailed
            case .memory: errSecAllocate
            case .unavailable: errSecInternal
            case .malformed, .invalidPoint, .invalidKey, .unsupportedType, .encryptedKey, .unsupportedScheme,
                .wrongDigestLength, .inputTooLong, .inputOutOfRange, .invalidSize, .differentCurves, .cannotDecrypt,
                .tooManyIterations:
                errSecDecode
            }
        self.init(status, error.description)
    }
}

/// The option for the passphrase of the file: a string.
public nonisolated(unsafe) let kSecImportExportPassphrase: CFString = "passphrase"
/// The option to keep the identities out of the keychain. As on iOS, it changes nothing.
public nonisolated(unsafe) let kSecImportToMemoryOnly: CFString = "memory"
/// The option for the keychain file to import into. macOS only.
public nonisolated(unsafe) let kSecImportExportKeychain: CFString = "keychain"
/// The option for the access list of the imported items. macOS only.
public nonisolated(unsafe) let kSecImportExportAccess: CFString = "access"
/// The result key for the label of the identity.
public nonisolated(unsafe) let kSecImportItemLabel: CFString = "label"
/// The result key for the identifier of the key: data.
public nonisolated(unsafe) let kSecImportItemKeyID: CFString = "keyid"
/// The result key for the trust in the certificates.
public nonisolated(unsafe) let kSecImportItemTrust: CFString = "trust"
/// The result key for the certificates up to the root: an array.
public nonisolated(unsafe) let kSecImportItemCertChain: CFString = "chain"
/// The result key for the identity: a ``SecIdentity``.
public nonisolated(unsafe) let kSecImportItemIdentity: CFString = "identity"
