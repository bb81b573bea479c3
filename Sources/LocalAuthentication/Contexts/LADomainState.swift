internal import DeviceModel
public import Foundation
internal import Latchkey

/// Who is enrolled and what is paired, as hashes: equal ones mean that nothing has changed.
public final class LADomainState: NSObject, Sendable {
    /// Who is enrolled.
    public let biometry: LADomainStateBiometry
    /// What is paired.
    public let companion: LADomainStateCompanion
    /// A hash over both; nil where there is nothing to hash.
    public let stateHash: Data?

    override init() {
        let keychain = try? Keychain.current
        let device = try? keychain?.device
        let hash = try? keychain?.enrolmentHash.map { Data($0) }
        biometry = LADomainStateBiometry(LABiometryType(device?.settings.sensor ?? .none), hash)
        companion = LADomainStateCompanion(device?.companion.isPaired == true ? .watch : [])
        stateHash = hash
    }
}

/// Who is enrolled, as a hash.
public final class LADomainStateBiometry: NSObject, Sendable {
    /// The kind of sensor.
    public let biometryType: LABiometryType
    /// The hash; nil where nobody is enrolled.
    public let stateHash: Data?

    init(_ biometryType: LABiometryType, _ stateHash: Data?) {
        self.biometryType = biometryType
        self.stateHash = stateHash
    }
}

/// What is paired. There is no hash of it: the model knows of one companion, and not of which.
public final class LADomainStateCompanion: NSObject, Sendable {
    /// The kinds of companion that are paired.
    public let availableCompanionTypes: LACompanionType
    /// The hash over all of them.
    public let stateHash: Data?

    init(_ types: LACompanionType) {
        availableCompanionTypes = types
        stateHash = nil
    }

    /// The hash of the companions of one kind.
    public func stateHash(for companionType: LACompanionType) -> Data? { nil }
}
