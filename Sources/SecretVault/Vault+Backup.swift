public import DeviceModel
public import SodiumKit

extension Vault {
    /// Writes what may leave the device into a new file at `path`, which only its owner may read.
    ///
    /// On a device of Apple's, and on a simulated one, nothing that asks for a proof is taken along. A real vault takes what
    /// the passcode alone opens, if `context` holds it. What is left out is named; nothing is, when the effects say that the
    /// device refused.
    public func export(
        to path: String, _ protection: borrowing BackupProtection, in context: VaultContext? = nil
    ) throws(VaultError) -> (effects: Effects, report: ExportReport) {
        try run(in: context) { try $0.export(to: path, protection, in: $1) }
    }

    /// Brings in what a backup holds: all of it or nothing. What is there already stays.
    public func importBackup(
        from path: String, passphrase: borrowing SecureBytes
    ) throws(VaultError) -> ImportReport {
        try passphrase.withBytes { passphrase throws(VaultError) in
            try run { try $0.importBackup(path, passphrase) }
        }
    }

    /// Brings in what a backup holds that is sealed under this device alone.
    public func importBackup(from path: String) throws(VaultError) -> ImportReport {
        try run { try $0.importBackup(path, nil) }
    }

    /// Puts a backup onto this device, which erases it first. A backup that is damaged, or that the passphrase does not open,
    /// erases nothing.
    package func restore(
        from path: String, passphrase: borrowing SecureBytes
    ) throws(VaultError) -> (effects: Effects, report: ImportReport) {
        try passphrase.withBytes { passphrase throws(VaultError) in try run { try $0.restore(path, passphrase) } }
    }

    /// The same for a backup that is sealed under this device alone.
    package func restore(from path: String) throws(VaultError) -> (effects: Effects, report: ImportReport) {
        try run { try $0.restore(path, nil) }
    }
}
