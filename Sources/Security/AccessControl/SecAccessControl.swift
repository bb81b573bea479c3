// swift-format-ignore-file: AlwaysUseLowerCamelCase

package import AccessPolicy
public import Foundation
internal import Latchkey

/// What an item demands. Made by ``SecAccessControlCreateWithFlags(_:_:_:_:)``, and found in the attributes of an item.
public final class SecAccessControl: Hashable, CustomStringConvertible {
    private let control: AccessControl
    /// True if it ends with a restart. The rules know no such protection, and another stands in for it above.
    private let endsWithRestart: Bool

    /// The demand; nil for the protection that ends with a restart, which can be written down and never stored.
    package var policy: AccessControl? { endsWithRestart ? nil : control }

    /// What an item is found to demand.
    package init(_ policy: AccessControl) {
        control = policy
        endsWithRestart = false
    }

    /// Throws where Apple refuses the flags, whatever the protection is.
    fileprivate init(_ accessibility: Accessibility?, _ flags: AccessControlFlags) throws(InvalidFlagsError) {
        control = try AccessControl(protection: accessibility ?? .whenUnlocked, flags: flags)
        endsWithRestart = accessibility == nil
    }

    /// Returns true if both demand the same, however the flags were written.
    public static func == (left: SecAccessControl, right: SecAccessControl) -> Bool {
        left.control == right.control && left.endsWithRestart == right.endsWithRestart
    }

    /// Hashes what is demanded.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(control)
        hasher.combine(endsWithRestart)
    }

    /// As Apple prints one: protection, and what each operation needs.
    public var description: String {
        let protection = endsWithRestart ? untilReboot : control.protection.rawValue
        return "<SecAccessControlRef: \(([protection] + control.entriesLikeApple).joined(separator: ";"))>"
    }
}

/// Makes an access control; nil, with ``errSecParam`` in `error`, where the protection is not one of Apple's or the flags
/// exclude each other. The state of the device plays no part.
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: Any?, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    let keychain = try? Keychain.current
    let name = protection.flatMap(unwrapped) as? String
    let accessibility = name.flatMap(Accessibility.init(rawValue:))
    var made: SecAccessControl?
    var outcome = StatusError(errSecSuccess, "")
    if let planned = keychain?.watcher?.plannedFailure(of: .createAccessControl) {
        outcome = StatusError(planned: planned)
    } else if accessibility != nil || name == untilReboot {
        do throws(InvalidFlagsError) {
            made = try SecAccessControl(accessibility, flags.forPolicy)
        } catch {
            outcome = StatusError(errSecParam, error.description)
        }
    } else {
        outcome = StatusError(errSecParam, "the protection is none of kSecAttrAccessible…")
    }
    keychain?.watcher?.called(
        .createAccessControl, about: flags.forPolicy.names, code: Int(outcome.status), because: outcome.why)
    if made == nil { error?.pointee = .passRetained(NSError(status: outcome.status)) }
    return made
}

/// Apple's class that ends with a restart. An access control may have it, a stored item may not (semantics 2.10).
let untilReboot = "f"

/// The kind of access controls.
public func SecAccessControlGetTypeID() -> CFTypeID { 300 }

extension AccessControlFlags {
    /// The names of the flags, as people write them.
    fileprivate var names: String {
        "[" + Self.named.filter { contains($0.flag) }.map(\.name).joined(separator: ", ") + "]"
    }
}

extension AccessControl {
    /// What each operation needs that has an entry of its own (semantics 4.2).
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
