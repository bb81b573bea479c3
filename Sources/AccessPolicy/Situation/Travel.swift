/// How far an item gets in a backup (semantics 5).
public enum Travel: UInt8, CaseIterable, Sendable {
    /// It stays out of the backup.
    case never = 0
    /// It comes back on the device that the backup is of.
    case sameDevice = 1
    /// It comes back on any device.
    case anywhere = 2
}

extension Item {
    /// How far this item gets in a backup.
    ///
    /// What cannot be opened without someone there cannot be exported either; a key never leaves its enclave. `proving` are
    /// the factors that someone has proved for the backup: nothing on Apple's devices. On a vault that keeps its owner's
    /// secrets it is the passcode, and takes along what the passcode alone opens (`model`).
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
