// swift-format-ignore-file: AlwaysUseLowerCamelCase

package import AccessPolicy
public import Foundation
internal import Latchkey

/// The access policy of an item: its accessibility class and its flags.
///
/// Create one with ``SecAccessControlCreateWithFlags(_:_:_:_:)`` and store it under ``kSecAttrAccessControl``. The
/// attributes of a stored item contain its access control.
///
/// ```swift
/// let access = SecAccessControlCreateWithFlags(
///     nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, nil)
/// let item: [String: Any] = [
///     kSecClass as String: kSecClassGenericPassword,
///     kSecAttrService as String: "notes",
///     kSecAttrAccount as String: "token",
///     kSecAttrAccessControl as String: access as Any,
///     kSecValueData as String: Data("s3cret".utf8),
/// ]
/// let status = SecItemAdd(item as CFDictionary, nil)
/// ```
public final class SecAccessControl: Hashable, CustomStringConvertible {
    private let control: AccessControl
    /// True if the class ends with a restart. The rules have no such class, so `control` has another one in its place.
    private let endsWithRestart: Bool

    /// The access policy; nil for the class that ends with a restart, which no stored item can have.
    package var policy: AccessControl? { endsWithRestart ? nil : control }

    /// Creates the access control of a stored item.
    package init(_ policy: AccessControl) {
        control = policy
        endsWithRestart = false
    }

    /// Throws if Apple refuses the flags, whatever the class is.
    fileprivate init(_ accessibility: Accessibility?, _ flags: AccessControlFlags) throws(InvalidFlagsError) {
        control = try AccessControl(protection: accessibility ?? .whenUnlocked, flags: flags)
        endsWithRestart = accessibility == nil
    }

    /// Returns true if both are the same policy, however the flags were written.
    public static func == (left: SecAccessControl, right: SecAccessControl) -> Bool {
        left.control == right.control && left.endsWithRestart == right.endsWithRestart
    }

    /// Hashes the policy.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(control)
        hasher.combine(endsWithRestart)
    }

    /// The text that Apple prints: the class, and the constraint of each operation.
    public var description: String {
        let protection = endsWithRestart ? untilReboot : control.protection.rawValue
        return "<SecAccessControlRef: \(([protection] + control.entriesLikeApple).joined(separator: ";"))>"
    }
}

/// Creates an access control with an accessibility class and flags.
///
/// Returns nil, with ``errSecParam`` in `error`, if `protection` is none of Apple's classes or the flags contradict
/// each other. The state of the device plays no part.
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: Any?, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    // It gives the same on every device, so it is no call that misses one.
    let keychain = CurrentKeychain.known?.keychain
    let name = protection.flatMap(unwrapped) as? String
    let accessibility = name.flatMap(Accessibility.init(rawValue:))
    var made: SecAccessControl?
    var outcome = StatusError(errSecSuccess, "")
    if let planned = keychain?.watcher?.plannedFailure(of: .createAccessControl) {
        outcome = StatusError(planned: planned)
    } else if accessibility != nil || name == untilReboot {
        do {
            made = try SecAccessControl(accessibility, flags.forPolicy)
        } catch {
            outcome = StatusError(errSecParam, error.description)
        }
    } else {
        outcome = StatusError(errSecParam, "the protection is none of kSecAttrAccessible…: use one of these constants")
    }
    keychain?.watcher?.called(
        .createAccessControl, about: flags.forPolicy.names, code: Int(outcome.status), because: outcome.why)
    if made == nil { error?.pointee = .passRetained(NSError(status: outcome.status)) }
    return made
}

/// The raw value of Apple's class that ends with a restart. An access control may have it, a stored item may not
/// (semantics 2.10).
let untilReboot = "f"

/// Returns the type identifier of `SecAccessControl`.
public func SecAccessControlGetTypeID() -> CFTypeID { 300 }

extension AccessControlFlags {
    /// The names of the flags, as they appear in code.
    fileprivate var names: String {
        "[" + Self.named.filter { contains($0.flag) }.map(\.name).joined(separator: ", ") + "]"
    }
}

extension AccessControl {
    /// The entries of the operations that have one of their own (semantics 4.2).
    fileprivate var entriesLikeApple: [String] {
        guard hasFlags else { return [] }
        let operations: [AccessPolicy.Operation] =
            isUnguarded && !guardsKeyUse
            ? [.other] : [.attest, .agree, .readData, .delete, .writeData, .decapsulate, .sign]
        let entries = operations.compactMap { operation in
            constraint(for: operation).map { "\(operation.rawValue)(\($0.printedLikeApple))" }
        }
        return entries + (needsApplicationPassword ? ["prp(true)"] : [])
    }

    private var isUnguarded: Bool { requirements.isEmpty }
}

extension Constraint {
    fileprivate var printedLikeApple: String {
        switch self {
        case .always: "true"
        case .one(let requirement): requirement.printedLikeApple
        case .any(let several): "pkofn(1)" + several.map(\.printedLikeApple).joined()
        case .all(let several): "pkofn(\(several.count))" + several.map(\.printedLikeApple).joined()
        }
    }
}

extension Requirement {
    fileprivate var printedLikeApple: String {
        switch self {
        case .presence: "cpo(DeviceOwnerAuthentication)"
        case .biometryAny: "cbio(pbioc())"
        case .biometryCurrentSet: "cbio(pbioc()pbioh())"
        case .companion: "cwtch(true)"
        case .passcode: "cup(true)"
        }
    }
}
