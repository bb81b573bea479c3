internal import DeviceModel
public import Foundation
internal import Latchkey
internal import SodiumKit

/// Hashes of the enrolled set and of the paired companions. While a hash stays equal, nothing has changed.
public final class LADomainState: NSObject, Sendable {
    /// The hash of the enrolled set.
    public let biometry: LADomainStateBiometry
    /// The hash of the paired companions.
    public let companion: LADomainStateCompanion
    /// A hash over both; nil if there is nothing to hash.
    public let stateHash: Data?

    override convenience init() { self.init(of: try? CurrentKeychain.of(call: "LAContext.domainState").keychain) }

    /// Reads the state of a keychain's device. Without one there is nothing to hash.
    init(of keychain: Keychain?) {
        let device = try? keychain?.device
        let hash = try? keychain?.enrollmentHash.map { Data($0) }
        biometry = LADomainStateBiometry(LABiometryType(device?.settings.sensor ?? .none), hash)
        companion = LADomainStateCompanion(device?.companion.isPaired == true ? .watch : [])
        stateHash = Self.hash(of: [hash, companion.stateHash])
    }

    /// Returns a hash over several parts; nil if every part is nil.
    private static func hash(of parts: [Data?]) -> Data? {
        if parts.allSatisfy({ $0 == nil }) { return nil }
        var bytes: [UInt8] = []
        for part in parts { bytes += [UInt8(part?.count ?? 0)] + (part ?? Data()) }
        return Data(Checksum.of(bytes.span.bytes, count: 32))
    }
}

/// The hash of the enrolled set.
public final class LADomainStateBiometry: NSObject, Sendable {
    /// The kind of sensor.
    public let biometryType: LABiometryType
    /// The hash; nil if no finger or face is enrolled.
    public let stateHash: Data?

    init(_ biometryType: LABiometryType, _ stateHash: Data?) {
        self.biometryType = biometryType
        self.stateHash = stateHash
    }
}

/// The hash of the paired companions. The model has one companion without an identity, so the hash only says that there
/// is one.
public final class LADomainStateCompanion: NSObject, Sendable {
    /// The kinds of paired companions.
    public let availableCompanionTypes: LACompanionType
    /// The hash over all of them; nil if none is paired.
    public let stateHash: Data?

    init(_ types: LACompanionType) {
        availableCompanionTypes = types
        stateHash = types.isEmpty ? nil : Data(Checksum.of(Array("a paired watch".utf8).span.bytes, count: 32))
    }

    /// Returns the hash of the companions of one kind; nil if none is paired.
    public func stateHash(for companionType: LACompanionType) -> Data? {
        !companionType.isEmpty && availableCompanionTypes.isSuperset(of: companionType) ? stateHash : nil
    }
}
