internal import DeviceModel
public import Foundation
internal import Latchkey
internal import SodiumKit

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
        let hash = try? keychain?.enrollmentHash.map { Data($0) }
        biometry = LADomainStateBiometry(LABiometryType(device?.settings.sensor ?? .none), hash)
        companion = LADomainStateCompanion(device?.companion.isPaired == true ? .watch : [])
        stateHash = Self.hash(of: [hash, companion.stateHash])
    }

    /// A hash over several; nil where there is none of them.
    private static func hash(of parts: [Data?]) -> Data? {
        if parts.allSatisfy({ $0 == nil }) { return nil }
        var bytes: [UInt8] = []
        for part in parts { bytes += [UInt8(part?.count ?? 0)] + (part ?? Data()) }
        return Data(Checksum.of(bytes.span.bytes, count: 32))
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

/// What is paired. The model knows of one companion, and not of which: its hash says that there is one.
public final class LADomainStateCompanion: NSObject, Sendable {
    /// The kinds of companion that are paired.
    public let availableCompanionTypes: LACompanionType
    /// The hash over all of them; nil where none is paired.
    public let stateHash: Data?

    init(_ types: LACompanionType) {
        availableCompanionTypes = types
        stateHash = types.isEmpty ? nil : Data(Checksum.of(Array("a paired watch".utf8).span.bytes, count: 32))
    }

    /// The hash of the companions of one kind.
    public func stateHash(for companionType: LACompanionType) -> Data? {
        !companionType.isEmpty && availableCompanionTypes.isSuperset(of: companionType) ? stateHash : nil
    }
}
