public import Foundation

extension LAEnvironment {
    /// A means of authentication.
    public class Mechanism: NSObject, @unchecked Sendable {  // every class here has constants only
        /// True if the policy of the mechanism could be evaluated now, as `LAContext.canEvaluatePolicy` says.
        public let isUsable: Bool
        /// The name to show, such as "Touch ID".
        public let localizedName: String
        /// The name of a symbol for the mechanism.
        public let iconSystemName: String

        fileprivate init(isUsable: Bool, _ name: String, symbol: String) {
            self.isUsable = isUsable
            localizedName = name
            iconSystemName = symbol
        }

        /// All facts about the mechanism. Two states are equal if these are.
        var facts: [String] { [localizedName, "usable: \(isUsable)"] }

        /// The facts in words.
        public override var description: String { facts.joined(separator: ", ") }
    }

    /// Biometry.
    public final class MechanismBiometry: Mechanism, @unchecked Sendable {
        /// The kind of sensor.
        public let biometryType: LABiometryType
        /// True if a finger or a face is enrolled.
        public let isEnrolled: Bool
        /// True if biometry is locked out after failed matches, until the passcode is entered.
        public let isLockedOut: Bool
        /// The hash of the enrolled set, equal to that of `LAContext.domainState`; empty if the set is empty.
        public let stateHash: Data
        /// True if the sensor is out of reach, as under the closed lid of a Mac. It never is here.
        public let builtInSensorInaccessible = false

        init(_ domain: LADomainStateBiometry, isUsable: Bool, isEnrolled: Bool, isLockedOut: Bool) {
            biometryType = domain.biometryType
            stateHash = domain.stateHash ?? Data()
            self.isEnrolled = isEnrolled
            self.isLockedOut = isLockedOut
            let (name, symbol) = domain.biometryType.label
            super.init(isUsable: isUsable, name, symbol: symbol)
        }

        override var facts: [String] {
            super.facts + [
                "enrolled: \(isEnrolled)", "locked out: \(isLockedOut)", "hash: \(stateHash.base64EncodedString())",
            ]
        }
    }

    /// The passcode of the device, or the password of its user.
    public final class MechanismUserPassword: Mechanism, @unchecked Sendable {
        /// True if a passcode is set.
        public let isSet: Bool

        init(isUsable: Bool, isSet: Bool) {
            self.isSet = isSet
            super.init(isUsable: isUsable, "Passcode", symbol: "lock")
        }

        override var facts: [String] { super.facts + ["set: \(isSet)"] }
    }

    /// A kind of companion of which at least one is paired.
    public final class MechanismCompanion: Mechanism, @unchecked Sendable {
        /// The kind.
        public let type: LACompanionType
        /// The hash of the paired companions of this kind, equal to that of `LAContext.domainState`.
        public let stateHash: Data?

        init(_ domain: LADomainStateCompanion, isUsable: Bool) {
            type = domain.availableCompanionTypes
            stateHash = domain.stateHash(for: domain.availableCompanionTypes)
            super.init(isUsable: isUsable, "Apple Watch", symbol: "applewatch")
        }

        override var facts: [String] {
            super.facts + ["type: \(type.rawValue)", "hash: \(stateHash?.base64EncodedString() ?? "none")"]
        }
    }
}

extension LABiometryType {
    /// The name to show, and the name of its symbol.
    fileprivate var label: (name: String, symbol: String) {
        switch self {
        case .none: ("", "")
        case .touchID: ("Touch ID", "touchid")
        case .faceID: ("Face ID", "faceid")
        case .opticID: ("Optic ID", "opticid")
        }
    }
}
