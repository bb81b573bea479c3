/// One of the nine flags of a `SecAccessControl`. ``AccessControlFlags`` is a set of them.
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

    package enum Role: Hashable, Sendable {
        case requires(Requirement)
        /// The flag says whether one requirement is enough or all are needed.
        case joins
        /// The flag makes the requirements guard the use of a private key.
        case guardsKeyUse
        /// The flag adds the application password to every way.
        case needsApplicationPassword
    }

    /// The role of the flag. Every flag has one, so that code which handles all roles handles all flags.
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

    /// The name of the flag. Scenario files and messages contain the names and vaults the bits, so neither ever
    /// changes.
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
