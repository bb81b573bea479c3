/// One of the nine flags that a `SecAccessControl` can be made with. ``AccessControlFlags`` is a set of them.
package enum AccessControlFlag: UInt, CaseIterable, Sendable {
    case userPresence = 0x1
    case biometryAny = 0x2
    case biometryCurrentSet = 0x8
    case devicePasscode = 0x10
    case companion = 0x20
    case or = 0x4000
    case and = 0x8000
    case privateKeyUsage = 0x4000_0000
    case applicationPassword = 0x8000_0000

    /// The role of a flag in an access control.
    package enum Role: Hashable, Sendable {
        /// It adds a requirement.
        case requires(Requirement)
        /// It says how many of the requirements are needed.
        case joins
        /// It makes the requirements guard the use of a private key.
        case guardsKeyUse
        /// It asks for the application password besides.
        case needsApplicationPassword
    }

    /// Its role in an access control. Each flag has one, so that none can be passed over.
    package var role: Role {
        switch self {
        case .userPresence: .requires(.presence)
        case .biometryAny: .requires(.biometryAny)
        case .biometryCurrentSet: .requires(.biometryCurrentSet)
        case .devicePasscode: .requires(.passcode)
        case .companion: .requires(.companion)
        case .or, .and: .joins
        case .privateKeyUsage: .guardsKeyUse
        case .applicationPassword: .needsApplicationPassword
        }
    }

    /// The name people write. Vaults keep the bits, and files and frames the name: neither changes.
    package var name: String {
        switch self {
        case .userPresence: "userPresence"
        case .biometryAny: "biometryAny"
        case .biometryCurrentSet: "biometryCurrentSet"
        case .devicePasscode: "devicePasscode"
        case .companion: "companion"
        case .or: "or"
        case .and: "and"
        case .privateKeyUsage: "privateKeyUsage"
        case .applicationPassword: "applicationPassword"
        }
    }
}
