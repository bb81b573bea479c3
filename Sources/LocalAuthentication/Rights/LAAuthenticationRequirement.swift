internal import AccessPolicy
public import Foundation

/// What a right demands of whoever wants to use it.
public final class LAAuthenticationRequirement: NSObject, Sendable {
    enum Kind: String, Sendable {
        case presence, biometry, biometryCurrentSet, biometryOrPresence, biometryOrPasscode
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    /// That the owner of the device is there.
    public static let `default` = LAAuthenticationRequirement(.presence)
    /// Biometry.
    public static let biometry = LAAuthenticationRequirement(.biometry)
    /// Biometry, by those who are enrolled now.
    public static let biometryCurrentSet = LAAuthenticationRequirement(.biometryCurrentSet)

    /// Biometry, or else something that takes its place.
    public static func biometry(fallback: LABiometryFallbackRequirement) -> LAAuthenticationRequirement {
        LAAuthenticationRequirement(fallback.kind)
    }

    /// The same as a demand. It is read while the device is unlocked, and never leaves it.
    var policy: AccessControl? {
        let flags: AccessControlFlags =
            switch kind {
            case .presence, .biometryOrPresence: .userPresence
            case .biometry: .biometryAny
            case .biometryCurrentSet: .biometryCurrentSet
            case .biometryOrPasscode: [.biometryAny, .or, .devicePasscode]
            }
        return try? AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: flags)
    }
}

/// What takes the place of biometry.
public final class LABiometryFallbackRequirement: NSObject, Sendable {
    let kind: LAAuthenticationRequirement.Kind

    init(_ kind: LAAuthenticationRequirement.Kind) { self.kind = kind }

    /// What the system would take.
    public static let `default` = LABiometryFallbackRequirement(.biometryOrPresence)
    /// The device passcode.
    public static let devicePasscode = LABiometryFallbackRequirement(.biometryOrPasscode)
}
