// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
internal import KeyKit
internal import Synchronization

/// A question whether to trust a certificate, and the answer.
///
/// ```swift
/// var trust: SecTrust?
/// let policy = SecPolicyCreateSSL(true, "example.com" as CFString)
/// let status = SecTrustCreateWithCertificates(chain as CFArray, policy, &trust)
/// guard status == errSecSuccess, let trust else { return }
/// SecTrustSetAnchorCertificates(trust, [root] as CFArray)
/// SecTrustSetVerifyDate(trust, day as CFDate)
/// var error: CFError?
/// let isTrusted = SecTrustEvaluateWithError(trust, &error)
/// ```
///
/// Nothing is trusted but the anchors that the app sets. The anchors of the system are trusted only after
/// `SecTrustSetAnchorCertificatesOnly(trust, false)`, so that a test does not depend on the machine.
public final class SecTrust: Hashable, Sendable {
    /// The parts of the question, and the answer once there is one.
    struct State {
        let certificates: [SecCertificate]
        var policies: [SecPolicy]
        var anchors: [SecCertificate]?
        var includesSystemAnchors = false
        var date: Date?
        /// The failures that the app has chosen to ignore, for each certificate of the chain.
        var exceptions: [TrustException] = []
        /// The app's choice about the network; nil until it makes one.
        var allowsNetworkFetch: Bool?
        var outcome: TrustOutcome?
    }

    private let state: Mutex<State>

    /// Creates a question about the first of at least one certificate.
    init(_ certificates: [SecCertificate], _ policies: [SecPolicy]) {
        state = Mutex(State(certificates: certificates, policies: policies))
    }

    /// Changes the question, so that the next evaluation starts anew.
    func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.outcome = nil
        }
    }

    /// Reads the question.
    func read<Value: Sendable>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

    /// The answer. Reading it evaluates the question if that was not done yet.
    var outcome: TrustOutcome {
        state.withLock { state in
            if let outcome = state.outcome { return outcome }
            let outcome = TrustOutcome(state)
            state.outcome = outcome
            return outcome
        }
    }

    /// The certificates from the leaf as far as issuers were found.
    var chain: [SecCertificate] { outcome.chain }

    /// Returns true if both are the same object.
    public static func == (left: SecTrust, right: SecTrust) -> Bool { left === right }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Returns the type identifier of `SecTrust`.
public func SecTrustGetTypeID() -> CFTypeID { 305 }

/// Creates a trust object.
///
/// - Parameters:
///   - certificates: The certificate in question, or an array that begins with it. The others help to build its chain.
///   - policies: A policy or an array of them; nil for ``SecPolicyCreateBasicX509()``.
///   - trust: The variable that receives the object.
/// - Returns: ``errSecSuccess``, or ``errSecParam`` if an argument has another type or is an empty array.
@discardableResult
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    guard let certificates = list(certificates, of: SecCertificate.self), !certificates.isEmpty else {
        return errSecParam
    }
    var checked = [SecPolicyCreateBasicX509()]
    if let policies {
        guard let policies = list(policies, of: SecPolicy.self), !policies.isEmpty else { return errSecParam }
        checked = policies
    }
    trust.pointee = SecTrust(certificates, checked)
    return errSecSuccess
}

/// Sets the policies: one, or an array of them.
///
/// - Returns: ``errSecSuccess``, or ``errSecParam`` if the argument has another type or is an empty array.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    guard let policies = list(policies, of: SecPolicy.self), !policies.isEmpty else { return errSecParam }
    trust.change { $0.policies = policies }
    return errSecSuccess
}

/// Stores the policies in `policies`.
///
/// - Returns: ``errSecSuccess``.
@discardableResult
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    policies.pointee = trust.read(\.policies) as CFArray
    return errSecSuccess
}

/// Sets the certificates to trust, and no longer trusts the anchors of the system. With nil, nothing is trusted.
///
/// - Returns: ``errSecSuccess``, or ``errSecParam`` if the array contains anything but certificates.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    var anchors: [SecCertificate]?
    if let anchorCertificates {
        guard let certificates = list(anchorCertificates, of: SecCertificate.self) else { return errSecParam }
        anchors = certificates
    }
    trust.change { state in
        state.anchors = anchors
        state.includesSystemAnchors = false
    }
    return errSecSuccess
}

/// Sets whether only the anchors of the app are trusted. With false, the anchors of the system are trusted too.
///
/// - Returns: ``errSecSuccess``.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    trust.change { $0.includesSystemAnchors = !anchorCertificatesOnly }
    return errSecSuccess
}

/// Stores the anchors of the app in `anchors`: an array, or nil if it has set none.
///
/// - Returns: ``errSecSuccess``.
@discardableResult
public func SecTrustCopyCustomAnchorCertificates(
    _ trust: SecTrust, _ anchors: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    anchors.pointee = trust.read(\.anchors).map { $0 as CFArray }
    return errSecSuccess
}

/// Sets the date of the evaluation.
///
/// - Returns: ``errSecSuccess``.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    let date = verifyDate as Date
    trust.change { $0.date = date }
    return errSecSuccess
}

/// Returns the date of the evaluation. Without one, it is the present time.
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime {
    (trust.read { $0.date ?? $0.outcome?.date } ?? Date()).timeIntervalSinceReferenceDate
}

/// Returns the public key of the certificate in question; nil if its type is not supported.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
    trust.read(\.certificates.first).flatMap(SecCertificateCopyKey)
}

/// Returns the public key of the certificate in question. Deprecated by Apple: use ``SecTrustCopyKey(_:)``.
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }

/// Returns a value or the values of an array, if all have this type; nil if one has another.
private func list<Element>(_ value: Any, of type: Element.Type) -> [Element]? {
    guard let inside = unwrapped(value) else { return nil }
    if let element = inside as? Element { return [element] }
    guard let array = inside as? [Any] else { return nil }
    let elements = array.compactMap { unwrapped($0) as? Element }
    return elements.count == array.count ? elements : nil
}
