/// How far an item gets in a backup (semantics 5).
public enum Travel: UInt8, CaseIterable, Sendable {
    /// It stays out of the backup.
    case never
    /// It comes back on the device that the backup is of.
    case sameDevice
    /// It comes back on any device.
    case anywhere
}

extension Item {
    /// How far this item gets in a backup.
    ///
    /// What cannot be opened without someone there cannot be exported either; a key never leaves its enclave.
    public func travel(inEncryptedBackup isEncrypted: Bool) -> Travel {
        if isKey || control.isProtected || control.protection == .whenPasscodeSetThisDeviceOnly { return .never }
        return isEncrypted && !control.protection.isThisDeviceOnly ? .anywhere : .sameDevice
    }
}
