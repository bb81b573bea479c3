package import AccessPolicy
internal import DeviceModel
internal import SodiumKit

// For showing which keys there are and which an item needs. Keys are named here; no byte of one leaves the vault.

/// Which keys a keybag holds, by what they are called.
package struct KeybagContents: Hashable, Sendable {
    /// The class keys.
    package let classKeys: [String]
    /// The gates: what is released only against an authenticator's result.
    package let gates: [String]
}

/// How a keybag is written.
package struct KeybagForm: Hashable, Sendable {
    /// Its version.
    package let format: UInt8
    /// True if the box of the root commits to the passcode; nil if there is no passcode.
    package let isCommittedToPasscode: Bool?
    /// True if the box of the root commits to the recovery key; nil if there is none.
    package let isCommittedToRecovery: Bool?
}

/// What the wrap of an item key for one way needs, by what it is called. All of it has to be there.
package struct WrapNeeds: Hashable, Sendable {
    /// What is proved on this way.
    package let way: FactorSet
    /// The class key.
    package let classKey: String
    /// The gates of the keybag that it needs besides.
    package let gates: [String]
}

extension Vault {
    /// Which keys the keybag holds, as the database has it now.
    package func keybagContents() throws(VaultError) -> KeybagContents {
        try run { enclave in
            try enclave.refresh()
            return enclave.bag.contents
        }
    }

    /// How the keybag is written in the database now.
    package func keybagForm() throws(VaultError) -> KeybagForm {
        try run { enclave in
            try enclave.refresh()
            let root = enclave.bag.root
            return KeybagForm(
                format: enclave.bag.format, isCommittedToPasscode: root.underPasscode?.isCommitted,
                isCommittedToRecovery: root.underRecovery?.isCommitted)
        }
    }

    /// What each wrap of an item needs; nothing for an item that asks for nothing, and nil where there is none.
    package func wrapNeeds(of item: ItemReference) throws(VaultError) -> [WrapNeeds]? {
        try run { enclave in
            try enclave.withRecord(item) { enclave, record in
                let header = record.header
                return header.control.ways(enclave.device.settings.fidelity)
                    .filter { record.wrap(for: $0) != nil }.map { WrapNeeds($0, of: header) }
            }
        }
    }
}

extension KeybagProbe {
    /// Which keys the keybag holds in the database at `path`; nil where nothing of the device file opens it.
    package func contents(ofDatabaseAt path: String) throws -> KeybagContents? {
        let connection = try Connection(path, patience: Patience())
        connection.mayCheckpoint = false
        let reading = try connection.prepare("SELECT keybag FROM device WHERE id = 1")
        defer { reading.reset() }
        guard try reading.step(), let box = reading.bytes(0) else { return nil }
        return try keybag(in: box)?.contents
    }
}

extension Keybag {
    fileprivate var contents: KeybagContents {
        KeybagContents(
            classKeys: classKeys.map { $0.keyClass.numbered($0.id) }, gates: gates.map(\.name.description))
    }
}

extension WrapNeeds {
    fileprivate init(_ way: FactorSet, of header: Header) {
        self.way = way
        classKey = header.control.protection.keyClass.numbered(header.classKey)
        gates = way.compactMap { factor in
            switch factor {
            case .biometry: GateName(biometryOf: header.control.guarding, header.binding).description
            case .companion: GateName.companion.description
            case .passcode, .applicationPassword: nil  // agreed upon and stretched for the one wrap, not kept as a gate
            }
        }
    }
}

extension KeyClass {
    /// What the key of this class with this number is called.
    fileprivate func numbered(_ id: UInt32) -> String { "\(self) \(id)" }
}

extension GateName: CustomStringConvertible {
    var description: String {
        switch self {
        case .presence: "presence"
        case .companion: "companion"
        case .sensor(let sensor): "sensor \(sensor)"
        case .domainState(let state): "domain state \(state.sensor).\(state.epoch)"
        }
    }
}
