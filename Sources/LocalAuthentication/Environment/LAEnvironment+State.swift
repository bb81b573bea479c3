internal import AccessPolicy
internal import DeviceModel
public import Foundation
internal import Latchkey

extension LAEnvironment {
    /// The means of authentication at one moment. Two states are equal if the facts about all mechanisms are.
    public final class State: NSObject, NSCopying, Sendable {
        /// Biometry; nil if the device has no sensor.
        public let biometry: MechanismBiometry?
        /// The passcode; nil if no keychain opens.
        public let userPassword: MechanismUserPassword?
        /// The kinds of paired companions, whether or not one is in reach.
        public let companions: [MechanismCompanion]

        /// All mechanisms.
        public var allMechanisms: [Mechanism] {
            [biometry, userPassword].compactMap { $0 as Mechanism? } + companions
        }

        /// Reads the state of a keychain's device. Without one there are no mechanisms.
        init(of keychain: Keychain?) {
            guard let keychain, let device = try? keychain.device else {
                biometry = nil
                userPassword = nil
                companions = []
                return
            }
            let domain = LADomainState(of: keychain)
            let conditions = device.conditions(for: keychain.requester.app)
            func isUsable(_ policy: LAPolicy) -> Bool {
                decide(Request(proving: policy.forPolicy, interaction: .preflight), under: conditions).denial == nil
            }
            biometry =
                device.settings.sensor == .none
                ? nil
                : MechanismBiometry(
                    domain.biometry, isUsable: isUsable(.deviceOwnerAuthenticationWithBiometrics),
                    isEnrolled: !device.enrolled.isEmpty, isLockedOut: device.isLockedOut)
            userPassword = MechanismUserPassword(
                isUsable: isUsable(.deviceOwnerAuthentication), isSet: device.passcode != nil)
            companions =
                domain.companion.availableCompanionTypes.isEmpty
                ? []
                : [
                    MechanismCompanion(
                        domain.companion, isUsable: isUsable(.deviceOwnerAuthenticationWithCompanion))
                ]
        }

        /// Returns this object, because it never changes.
        public func copy(with zone: NSZone? = nil) -> Any { self }

        /// Returns true if the facts about all mechanisms are the same.
        public override func isEqual(_ object: Any?) -> Bool {
            (object as? State)?.allMechanisms.map(\.facts) == allMechanisms.map(\.facts)
        }

        /// The hash of the facts about all mechanisms.
        public override var hash: Int { allMechanisms.map(\.facts).hashValue }

        /// The facts about all mechanisms, in words.
        public override var description: String { allMechanisms.map(\.description).joined(separator: "; ") }
    }
}
