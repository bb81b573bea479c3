internal import AccessPolicy
package import DeviceModel
package import SodiumKit

/// A probe that tries to open sealed keys with nothing but a device file, and skips every check that could refuse. With
/// it, tests show that destroyed keys cannot be opened, and not merely that the vault refuses to open them.
package final class KeybagProbe {
    /// A class that owns a key, because arrays cannot hold noncopyable values.
    private final class Holder {
        let key: Key
        init(_ key: consuming Key) { self.key = key }
    }

    private let holders: [Holder]
    private let ledger: Holder
    private let vaultID: [UInt8]

    /// Creates a probe with the keys of the device file at `path`.
    package init(deviceFile path: String) throws {
        let device = try DeviceBlocks(opening: path)
        let fixed = try FixedKeys(try device.fixedKey())
        ledger = Holder(try fixed.ledger.copy())
        let erase = try device.eraseKeys()
        let newest = try fixed.keybag(erase.newest)
        let older = try erase.withOlder { try Holder(fixed.keybag($0)) }
        holders = [Holder(newest)] + (older.map { [$0] } ?? [])
        vaultID = device.vaultID
    }

    /// Returns the generation of the keybag in `box`; nil if these keys do not open it as a keybag.
    package func generation(of box: UnsafeRawBufferPointer) throws -> UInt64? {
        try keybag(in: box)?.generation
    }

    /// Opens the keybag in `box` with any of the keys. Returns nil if none opens it.
    func keybag(in box: UnsafeRawBufferPointer) throws -> Keybag? {
        for holder in holders {
            if let bag = try Keybag.open(box, under: holder.key, vaultID: vaultID) { return bag }
        }
        return nil
    }
}

extension KeybagProbe {
    /// Returns the bytes that this version writes for the keybag in `box`; nil if no key opens it.
    package func rewritten(keybag box: UnsafeRawBufferPointer) throws -> RewrittenBytes? {
        for holder in holders {
            let found = try Keybag.rewritten(box, under: holder.key, vaultID: vaultID)
            if let found { return found }
        }
        return nil
    }

    /// Returns the bytes that this version writes for the ledger in `box`; nil if the key does not open it.
    package func rewritten(ledger box: UnsafeRawBufferPointer) throws -> RewrittenBytes? {
        try Ledger.rewritten(box, under: ledger.key)
    }
}

/// The parts of a keybag that only the owner changes, and the wrapped forms of the root, as any program with the device file
/// can change them. With it, tests show that the vault notices.
package struct ForgedSettings: Hashable, Sendable {
    /// The number of commits, which has to rise for a vault that is open to read the keybag again.
    package var generation: UInt64
    /// The number of changes by the owner.
    package var number: UInt64
    /// True if the vault keeps real secrets.
    package var isReal: Bool
    /// True if the vault accepts a fake sensor.
    package var hasFakeSensor: Bool
    /// True if the audit log is durable.
    package var isAuditDurable: Bool
    /// The cost of the passcode.
    package var cost: StretchCost
    /// The salt of the passcode.
    package var salt: [UInt8]
    package var applicationSalt: [UInt8]
    /// The number of the passcode on the device; nil for a device without one.
    package var passcode: Passcode?
    /// The grace period of the lock, in milliseconds.
    package var lockGrace: Int64
    /// The public half of the passcode gate.
    package var passcodeGate: [UInt8]
    /// The settings of the program that uses the vault.
    package var settings: [UInt8]
    /// The copy of all these under a key of the root.
    package var box: [UInt8]
    /// The root under the passcode.
    package var underPasscode: [UInt8]?
    /// The root under the recovery key.
    package var underRecovery: [UInt8]?
    /// The root under the device's own key.
    package var underFixed: [UInt8]?
    /// The root under the former passcode.
    package var underFormer: [UInt8]?
}

extension ForgedSettings {
    fileprivate init(_ bag: Keybag) {
        self.init(
            generation: bag.generation, number: bag.settingsNumber, isReal: bag.isReal,
            hasFakeSensor: bag.hasFakeSensor, isAuditDurable: bag.isAuditDurable, cost: bag.cost, salt: bag.salt,
            applicationSalt: bag.applicationSalt, passcode: bag.device.passcode,
            lockGrace: bag.device.settings.lockGrace.milliseconds,
            passcodeGate: bag.passcodeGatePublic, settings: bag.settings, box: bag.settingsBox,
            underPasscode: bag.root.underPasscode, underRecovery: bag.root.underRecovery,
            underFixed: bag.root.underFixed, underFormer: bag.former?.wrapped)
    }

    fileprivate func write(to bag: inout Keybag) {
        // An older copy has an older generation, with which no vault would read it.
        (bag.generation, bag.settingsNumber) = (max(bag.generation, generation), number)
        (bag.isReal, bag.hasFakeSensor, bag.isAuditDurable) = (isReal, hasFakeSensor, isAuditDurable)
        (bag.cost, bag.salt, bag.applicationSalt) = (cost, salt, applicationSalt)
        bag.device.settings.lockGrace.milliseconds = lockGrace
        bag.device.passcode = passcode
        (bag.passcodeGatePublic, bag.settings, bag.settingsBox) = (passcodeGate, settings, box)
        bag.root = Keybag.Root(underPasscode: underPasscode, underRecovery: underRecovery, underFixed: underFixed)
        if underFormer != bag.former?.wrapped {
            bag.former = underFormer.map { FormerWrap(wrapped: $0, since: bag.device.now.milliseconds) }
        }
    }
}

extension KeybagProbe {
    /// Changes these parts of the keybag in the database at `path`, and seals it again. Returns them as they were.
    @discardableResult
    package func forge(databaseAt path: String, _ change: (inout ForgedSettings) -> Void) throws -> ForgedSettings {
        let connection = try Connection(path, patience: Patience())
        guard let box = try connection.keybag(),
            let (found, bag, sealed) = try box.withUnsafeBytes({ try forged($0, change) })
        else { throw VaultError.damaged(.keybag) }
        try connection.replace(keybag: sealed, generation: Int64(bitPattern: bag.generation))
        return found
    }

    private func forged(
        _ box: UnsafeRawBufferPointer, _ change: (inout ForgedSettings) -> Void
    ) throws -> (ForgedSettings, Keybag, [UInt8])? {
        for holder in holders {
            guard var bag = try Keybag.open(box, under: holder.key, vaultID: vaultID) else { continue }
            let found = ForgedSettings(bag)
            var next = found
            change(&next)
            next.write(to: &bag)
            return (found, bag, bag.sealed(under: holder.key, vaultID: vaultID))
        }
        return nil
    }
}
