// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import KeyKit

/// The conditions for a chain of certificates besides being valid.
public final class SecPolicy: Hashable, Sendable {
    enum Kind: Hashable {
        /// A use of the certificate; nil for any.
        case use(CertificateUsage?)
        /// The demands on revocation, as the app's flags.
        case revocation(CFOptionFlags)
    }

    let kind: Kind

    fileprivate init(_ kind: Kind) { self.kind = kind }

    /// The use of the certificate; nil for any.
    var usage: CertificateUsage? {
        switch kind {
        case .use(let usage): usage
        case .revocation: nil
        }
    }

    /// True if a chain without an answer on revocation is not trusted.
    var requiresRevocationAnswer: Bool {
        switch kind {
        case .use: false
        case .revocation(let flags): flags & kSecRevocationRequirePositiveResponse != 0
        }
    }

    /// Returns true if both demand the same.
    public static func == (left: SecPolicy, right: SecPolicy) -> Bool { left.kind == right.kind }

    /// Hashes what the policy demands.
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

/// Returns the type identifier of `SecPolicy`.
public func SecPolicyGetTypeID() -> CFTypeID { 304 }

/// Creates the policy of a valid chain for any use.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.use(nil)) }

/// Creates the policy of a TLS connection.
///
/// - Parameters:
///   - server: True to check the certificate of a server, and false for that of a client.
///   - hostname: The host name or IP address that the certificate has to name; nil for any.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    let host = hostname as String?
    return SecPolicy(.use(server ? .server(host: host) : .client(host: host)))
}

/// Creates the policy of revocation. Nothing is asked, because there is no network: with
/// ``kSecRevocationRequirePositiveResponse`` no chain is trusted, and without it the policy checks nothing.
///
/// - Parameter revocationFlags: The flags `kSecRevocation…`.
/// - Returns: nil without a flag, and for a flag that Apple has not defined.
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? {
    revocationFlags != 0 && revocationFlags >> 7 == 0 ? SecPolicy(.revocation(revocationFlags)) : nil
}

/// Creates a policy of this kind: ``kSecPolicyAppleX509Basic`` or ``kSecPolicyAppleSSL``.
///
/// - Parameter properties: For TLS, the host under ``kSecPolicyName``, and true under ``kSecPolicyClient`` for the
///   certificate of a client.
/// - Returns: nil for any other kind, also that of revocation, and for a name that is no text.
public func SecPolicyCreateWithProperties(_ policyIdentifier: CFTypeRef, _ properties: CFDictionary?) -> SecPolicy? {
    let name = properties?[kSecPolicyName as String].flatMap(unwrapped)
    guard let kind = text(policyIdentifier), name == nil || name.flatMap(text) != nil else { return nil }
    if kind == kSecPolicyAppleX509Basic as String { return SecPolicyCreateBasicX509() }
    guard kind == kSecPolicyAppleSSL as String else { return nil }
    let isForClient = properties?.value(under: kSecPolicyClient).flatMap(boolean) ?? false
    return SecPolicyCreateSSL(!isForClient, name.flatMap(text) as CFString?)
}

/// Returns the properties of a policy: ``kSecPolicyOid``, and for TLS ``kSecPolicyName`` and ``kSecPolicyClient``.
public func SecPolicyCopyProperties(_ policyRef: SecPolicy) -> CFDictionary? {
    var properties: [String: Any] = [:]
    switch policyRef.kind {
    case .use(nil): properties[kSecPolicyOid as String] = kSecPolicyAppleX509Basic as String
    case .revocation: properties[kSecPolicyOid as String] = kSecPolicyAppleRevocation as String
    case .use(.server(let host)):
        properties[kSecPolicyOid as String] = kSecPolicyAppleSSL as String
        properties[kSecPolicyName as String] = host
    case .use(.client(let host)):
        properties[kSecPolicyOid as String] = kSecPolicyAppleSSL as String
        properties[kSecPolicyName as String] = host
        properties[kSecPolicyClient as String] = true
    }
    return properties
}

/// The property key for the kind of a policy.
public nonisolated(unsafe) let kSecPolicyOid: CFString = "SecPolicyOid"
/// The property key for the name that a certificate has to contain.
public nonisolated(unsafe) let kSecPolicyName: CFString = "SecPolicyName"
/// The property key for a policy of clients.
public nonisolated(unsafe) let kSecPolicyClient: CFString = "SecPolicyClient"
/// The kind of the policy for any use.
public nonisolated(unsafe) let kSecPolicyAppleX509Basic: CFString = "1.2.840.113635.100.1.2"
/// The kind of the policy for TLS.
public nonisolated(unsafe) let kSecPolicyAppleSSL: CFString = "1.2.840.113635.100.1.3"
/// The kind of the policy for revocation.
public nonisolated(unsafe) let kSecPolicyAppleRevocation: CFString = "1.2.840.113635.100.1.21"

/// The flag to ask by OCSP.
public let kSecRevocationOCSPMethod: CFOptionFlags = 1 << 0
/// The flag to look at revocation lists.
public let kSecRevocationCRLMethod: CFOptionFlags = 1 << 1
/// The flag to prefer revocation lists to OCSP.
public let kSecRevocationPreferCRL: CFOptionFlags = 1 << 2
/// The flag to trust no certificate without an answer.
public let kSecRevocationRequirePositiveResponse: CFOptionFlags = 1 << 3
/// The flag to use only answers that are stored.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 1 << 4
/// The flags for either method.
public let kSecRevocationUseAnyAvailableMethod: CFOptionFlags = kSecRevocationOCSPMethod | kSecRevocationCRLMethod
