// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import KeyKit

/// The conditions for a chain of certificates besides being valid.
public final class SecPolicy: Hashable, Sendable {
    /// The use of the certificate; nil for any.
    let usage: CertificateUsage?

    fileprivate init(_ usage: CertificateUsage?) { self.usage = usage }

    /// Returns true if both demand the same.
    public static func == (left: SecPolicy, right: SecPolicy) -> Bool { left.usage == right.usage }

    /// Hashes what the policy demands.
    public func hash(into hasher: inout Hasher) { hasher.combine(usage) }
}

/// Returns the type identifier of `SecPolicy`.
public func SecPolicyGetTypeID() -> CFTypeID { 304 }

/// Creates the policy of a valid chain for any use.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(nil) }

/// Creates the policy of a TLS connection.
///
/// - Parameters:
///   - server: True to check the certificate of a server, and false for that of a client.
///   - hostname: The host name or IP address that the certificate has to name; nil for any.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    let host = hostname as String?
    return SecPolicy(server ? .server(host: host) : .client(host: host))
}

/// Creates a policy of this kind: ``kSecPolicyAppleX509Basic`` or ``kSecPolicyAppleSSL``.
///
/// - Parameter properties: For TLS, the host under ``kSecPolicyName``, and true under ``kSecPolicyClient`` for the
///   certificate of a client.
/// - Returns: nil for any other kind, and for a name that is no text.
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
    switch policyRef.usage {
    case nil: properties[kSecPolicyOid as String] = kSecPolicyAppleX509Basic as String
    case .server(let host):
        properties[kSecPolicyOid as String] = kSecPolicyAppleSSL as String
        properties[kSecPolicyName as String] = host
    case .client(let host):
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
