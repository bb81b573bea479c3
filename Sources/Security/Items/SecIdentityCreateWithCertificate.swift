// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
internal import KeyKit

/// Looks for the private key of a certificate in the keychain, and stores the identity of both in `identityRef`.
///
/// - Parameters:
///   - keychainOrArray: The keychain files to search. There are none, so it is ignored.
///   - certificateRef: The certificate, which need not be stored.
///   - identityRef: The variable that receives the identity.
/// - Returns: ``errSecSuccess``, or the reason for the failure, such as ``errSecItemNotFound``.
@discardableResult
public func SecIdentityCreateWithCertificate(
    _ keychainOrArray: CFTypeRef?, _ certificateRef: SecCertificate,
    _ identityRef: UnsafeMutablePointer<SecIdentity?>
) -> OSStatus {
    guard let hash = try? certificateRef.certificate.publicKeyFingerprint else { return errSecAllocate }
    let query: [CFString: Any] = [
        kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrApplicationLabel: Data(hash),
        kSecReturnRef: true,
    ]
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    guard status == errSecSuccess else { return status }
    guard let key = result as? SecKey, let identity = SecIdentity(certificateRef, key) else {
        return errSecItemNotFound
    }
    identityRef.pointee = identity
    return errSecSuccess
}
