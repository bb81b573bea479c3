/// The devices to which a backup can restore an item (semantics 5).
public enum Travel: UInt8, CaseIterable, Sendable {
    /// The backup does not contain the item.
    case never = 0
    /// The item is restored only to the device that made the backup.
    case sameDevice = 1
    /// The item is restored to any device.
    case anywhere = 2
}

extension Item {
    /// Returns the devices to which a backup can restore this item.
    ///
    /// A backup cannot contain an item that needs authentication, and a key never leaves its enclave. A vault also
    /// backs up items that its passcode alone opens, once its owner has entered the passcode (a choice of the model).
    ///
    /// - Parameters:
    ///   - isEncrypted: Pass true for an encrypted backup.
    ///   - factors: The factors that the owner has given for the backup; none on Apple's devices.
    ///   - fidelity: The choices of the device.
    public func travel(
        inEncryptedBackup isEncrypted: Bool, proving factors: FactorSet = [], _ fidelity: Fidelity = Fidelity()
    ) -> Travel {
        if isKey || control.protection == .whenPasscodeSetThisDeviceOnly { return .never }
        if control.isProtected && !control.ways(fidelity).contains(where: { $0.isSubset(of: factors) }) {
            return .never
        }
        return isEncrypted && !control.protection.isThisDeviceOnly ? .anywhere : .sameDevice
    }
}

extension Item {
    /// Returns the factors that the owner must prove before a vault with this item is transferred to another machine.
    ///
    /// A transfer contains every item, also those that no backup may contain. It takes the passcode, and biometry if every
    /// way to open the item takes biometry (a choice of the model).
    ///
    /// - Parameter fidelity: The choices of the device.
    public func factorsToTransfer(_ fidelity: Fidelity = Fidelity()) -> FactorSet {
        let needsBiometry = control.isProtected && control.ways(fidelity).allSatisfy { $0.contains(.biometry) }
        return needsBiometry ? [.passcode, .biometry] : [.passcode]
    }

    /// True if a transfer to another machine leaves a way to open this item. The sensor there is another one, so a way that
    /// takes the fingers enrolled now is lost (a choice of the model).
    public func outlastsTransfer(_ fidelity: Fidelity = Fidelity()) -> Bool {
        !factorsToTransfer(fidelity).contains(.biometry) || control.guarding.biometry != .currentSet
    }
}
