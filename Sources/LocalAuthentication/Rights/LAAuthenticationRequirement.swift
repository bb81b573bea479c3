internal import AccessPolicy
public import Foundation
internal import Latchkey

/// The authentication that a right requires.
public final class LAAuthenticationRequirement: NSObject, Sendable {
    enum Kind: String, Sendable {
        case presence, biometry, biometryCurrentSet, biometryOrPresence, biometryOrPasscode
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    /// The presence of the device's owner.
    public static let `default` = LAAuthenticationRequirement(.presence)
    /// Biometry.
    public static let biometry = LAAuthenticationRequirement(.biometry)
    /// Biometry, with the set of fingers or faces that is enrolled now.
    public static let biometryCurrentSet = LAAuthenticationRequirement(.biometryCurrentSet)

    /// Biometry, with a fallback.
    public static func biometry(fallback: LABiometryFallbackRequirement) -> LAAuthenticationRequirement {
        LAAuthenticationRequirement(fallback.kind)
    }

    /// The access policy for the requirement. Its items are available while the device is unlocked, and never leave it.
    var policy: AccessControl { AccessControl(.whenUnlockedThisDeviceOnly, allowed: flags) }

    /// The access policy of a private key that the requirement guards.
    var keyPolicy: AccessControl { AccessControl(.whenUnlockedThisDeviceOnly, allowed: flags.union(.privateKeyUsage)) }

    private var flags: AccessControlFlags {
        switch kind {
        case .presence, .biometryOrPresence: .userPresence
        case .biometry: .biometryAny
        case .biometryCurrentSet: .biometryCurrentSet
        case .biometryOrPasscode: [.biometryAny, .or, .devicePasscode]
        }
    }
}

/// The fallback for biometry.
public final class LABiometryFallbackRequirement: NSObject, Sendable {
    let kind: LAAuthenticationRequirement.Kind

    init(_ kind: LAAuthenticationRequirement.Kind) { self.kind = kind }

    /// The fallback that the system would use.
    public static let `default` = LABiometryFallbackRequirement(.biometryOrPresence)
    /// The device passcode.
    public static let devicePasscode = LABiometryFallbackRequirement(.biometryOrPasscode)
}
