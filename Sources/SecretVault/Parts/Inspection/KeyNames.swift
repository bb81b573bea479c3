package import AccessPolicy
internal import DeviceModel
internal import SodiumKit

// These functions show which keys exist and which keys an item needs. They return the names of keys, never their bytes.

/// The keys that a keybag holds, by name.
package struct KeybagContents: Hashable, Sendable {
    package let classKeys: [String]
    /// The gates: keys that are released only against an authenticator's result.
    package let gates: [String]
}

/// The keys that opening an item in one way needs, by name. It needs all of them.
package struct WrapNeeds: Hashable, Sendable {
    /// The factors that this way authenticates.
    package let way: FactorSet
    package let classKey: String
    /// The gates of the keybag that it needs as well.
    package let gates: [String]
}

extension Vault {
    /// Returns the keys that the keybag in the database holds now.
    package func keybagContents() throws(VaultError) -> KeybagContents {
        try run { vault in
            try vault.refresh()
            return vault.bag.contents
        }
    }

    /// Returns the keys that each wrap of an item needs. The list is empty for an item that needs no authentication.
    /// Returns nil if there is no such item.
    package func wrapNeeds(of item: ItemReference) throws(VaultError) -> [WrapNeeds]? {
        try run { vault in
            try vault.withRecord(item) { vault, record in
                let header = record.header
                return header.control.ways(vault.device.settings.fidelity)
                    .filter { record.wrap(for: $0) != nil }.map { WrapNeeds($0, of: header) }
            }
        }
    }
}

extension KeybagProbe {
    /// Returns the keys that the keybag in the database at `path` holds; nil if no key of the device file opens it.
    package func contents(ofDatabaseAt path: String) throws -> KeybagContents? {
        let connection = try Connection(path, patience: Patience())
        connection.mayCheckpoint = false
        return try connection.keybag()?.withUnsafeBytes { try keybag(in: $0)?.contents }
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
            case .passcode, .applicationPassword: nil  // their keys are computed for the wrap and not kept as gates
            }
        }
    }
}

extension KeyClass {
    /// Returns the name of the key of this class with this number.
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
