internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

extension Keybag {
    private static func context(_ name: StaticString) -> [UInt8] { name.withUTF8Buffer { Array($0) } }

    // MARK: - The root

    /// Replaces every key and removes the passcode. A vault does this when it is created and when it is erased.
    mutating func beginAnew(_ device: Device.Lasting, _ fixed: borrowing FixedKeys) throws {
        let generationOfKeys = (classKeys.map(\.id).max() ?? 0) + 1
        let newRoot = try Key.random()
        root = Root(underFixed: Box.seal(newRoot, under: fixed.root, context: Self.context("root").span.bytes))
        former = nil
        attempts = PasscodeAttempts()
        classKeys = []
        try addClassKey(.always, id: generationOfKeys, under: fixed.always)
        try addClassKey(.afterFirstUnlock, id: generationOfKeys, under: newRoot)
        try addClassKey(.whenUnlocked, id: generationOfKeys, under: newRoot)
        let newGateKey = try Key.random()
        gateKey = Box.seal(newGateKey, under: newRoot, context: Self.context("gate key").span.bytes)
        let gate = try Key.random()
        passcodeGate = Box.seal(gate, under: newRoot, context: Self.context("passcode gate").span.bytes)
        passcodeGatePublic = Agreement.publicHalf(of: gate)
        gates = []
        sensor = SensorRecord()
        try addGates(under: newGateKey, for: device.domainState)
    }

    /// Returns the root while there is no passcode; nil if there is one.
    func root(_ fixed: borrowing FixedKeys) throws -> Key? {
        guard let box = root.underFixed else { return nil }
        return try Box.openKey(box.span.bytes, under: fixed.root, context: Self.context("root").span.bytes)
    }

    /// Returns the root for a stretched passcode; nil if the passcode is wrong.
    func root(_ stretch: borrowing Key, _ fixed: borrowing FixedKeys) throws -> Key? {
        guard let box = root.underPasscode else { return nil }
        return try openRoot(box, try fixed.passcode(stretch))
    }

    /// Returns the root for a recovery key; nil if the key is wrong or the vault has none.
    func root(recovery: borrowing Key, _ fixed: borrowing FixedKeys) throws -> Key? {
        guard let box = root.underRecovery else { return nil }
        return try openRoot(box, try fixed.recovery(recovery))
    }

    func openRoot(_ box: [UInt8], _ key: borrowing Key) throws -> Key? {
        try CommittedBox.openKey(box.span.bytes, under: key, context: Self.context("root").span.bytes)
    }

    static func sealRoot(_ opened: borrowing Key, under key: borrowing Key) throws -> [UInt8] {
        try CommittedBox.seal(opened, under: key, context: context("root").span.bytes)
    }

    /// Wraps the root under a passcode, and no longer under the device's key alone or a former passcode.
    mutating func wrap(_ opened: borrowing Key, stretch: borrowing Key, _ fixed: borrowing FixedKeys) throws {
        let key = try fixed.passcode(stretch)
        root.underPasscode = try Self.sealRoot(opened, under: key)
        root.underFixed = nil
        former = nil
    }

    /// Wraps the root under the device's key alone.
    mutating func wrapWithoutPasscode(_ opened: borrowing Key, _ fixed: borrowing FixedKeys) {
        root.underFixed = Box.seal(opened, under: fixed.root, context: Self.context("root").span.bytes)
        root.underPasscode = nil
        former = nil
    }

    /// Wraps the root under a recovery key as well.
    mutating func wrap(_ opened: borrowing Key, recovery: borrowing Key, _ fixed: borrowing FixedKeys) throws {
        let key = try fixed.recovery(recovery)
        root.underRecovery = try Self.sealRoot(opened, under: key)
    }

    /// Rewraps every key that is wrapped under the root, under a new root. The caller wraps the root itself.
    mutating func replaceRoot(_ old: borrowing Key, by new: borrowing Key) throws {
        func rewrap(_ box: [UInt8], _ context: [UInt8]) throws -> [UInt8] {
            guard let key = try Box.openKey(box.span.bytes, under: old, context: context.span.bytes) else {
                throw VaultError.damaged(.keybag)
            }
            return Box.seal(key, under: new, context: context.span.bytes)
        }
        for place in classKeys.indices where classKeys[place].keyClass != .always {
            let entry = classKeys[place]
            classKeys[place].box = try rewrap(entry.box, Self.context(entry.keyClass, entry.id))
        }
        gateKey = try rewrap(gateKey, Self.context("gate key"))
        passcodeGate = try rewrap(passcodeGate, Self.context("passcode gate"))
    }

    // MARK: - Class keys

    private static func context(_ keyClass: KeyClass, _ id: UInt32) -> [UInt8] {
        var bytes = context("class key")
        bytes.write(keyClass.rawValue)
        bytes.write(id)
        return bytes
    }

    mutating func addClassKey(_ keyClass: KeyClass, id: UInt32, under key: borrowing Key) throws {
        let box = Box.seal(try Key.random(), under: key, context: Self.context(keyClass, id).span.bytes)
        classKeys.append(ClassKey(keyClass: keyClass, id: id, box: box))
    }

    /// Opens the key of a class with the root, or with the device's key for the class that is always open. Returns nil
    /// if there is no such class key.
    func classKey(_ keyClass: KeyClass, under key: borrowing Key) throws -> OpenClassKey? {
        guard let entry = classKeys.last(where: { $0.keyClass == keyClass }) else { return nil }
        let context = Self.context(keyClass, entry.id)
        guard let opened = try Box.openKey(entry.box.span.bytes, under: key, context: context.span.bytes) else {
            throw VaultError.damaged(.keybag)
        }
        return try OpenClassKey(id: entry.id, opened)
    }

    func openGateKey(_ root: borrowing Key) throws -> Key {
        guard
            let key = try Box.openKey(
                gateKey.span.bytes, under: root, context: Self.context("gate key").span.bytes)
        else { throw VaultError.damaged(.keybag) }
        return key
    }

    func openPasscodeGate(_ root: borrowing Key) throws -> Key {
        guard
            let key = try Box.openKey(
                passcodeGate.span.bytes, under: root, context: Self.context("passcode gate").span.bytes)
        else { throw VaultError.damaged(.keybag) }
        return key
    }

    // MARK: - Gates

    private static func context(_ name: GateName) -> [UInt8] {
        var (copy, writer) = (name, StoredWriter())
        copy.code(with: &writer)
        return context("gate") + writer.written
    }

    /// Returns true if any gate is missing that has to exist while `state` identifies the enrolled set.
    func lacksGates(for state: DomainState) -> Bool {
        GateName.needed(under: state).contains { name in !gates.contains { $0.name == name } }
    }

    /// Creates the gates that are missing for this enrolled set.
    mutating func addGates(under gateKey: borrowing Key, for state: DomainState) throws {
        for name in GateName.needed(under: state) where !gates.contains(where: { $0.name == name }) {
            let box = Box.seal(try Key.random(), under: gateKey, context: Self.context(name).span.bytes)
            gates.append(Gate(name: name, box: box))
        }
    }

    func gate(_ name: GateName, under gateKey: borrowing Key) throws -> Key? {
        guard let entry = gates.first(where: { $0.name == name }) else { return nil }
        guard
            let gate = try Box.openKey(
                entry.box.span.bytes, under: gateKey, context: Self.context(name).span.bytes)
        else { throw VaultError.damaged(.keybag) }
        return gate
    }

    mutating func destroyGate(_ name: GateName) { gates.removeAll { $0.name == name } }
}

/// The gates that the vault can reach while it encrypts an item.
struct GateCabinet: ~Copyable {
    private let bag: Keybag
    private let gateKey: Key?

    init(_ bag: Keybag, _ gateKey: borrowing Key?) throws {
        self.bag = bag
        self.gateKey = try Gates.lend(gateKey) { try $0.copy() }
    }

    var passcodeGate: [UInt8] { bag.passcodeGatePublic }

    borrowing func gate(_ name: GateName) throws -> Key {
        let gate: Key?? = try Gates.lend(gateKey) { try bag.gate(name, under: $0) }
        guard case .some(.some(let found)) = consume gate else { throw VaultError.damaged(.keybag) }
        return found
    }
}
