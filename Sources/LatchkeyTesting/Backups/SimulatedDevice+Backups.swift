public import AccessPolicy
internal import DeviceModel
internal import Latchkey
internal import LatchkeyFiles
internal import LinuxSystem
internal import SecretVault
internal import SodiumKit

extension SimulatedDevice {
    /// Makes a backup of the items that may leave the device. A locked device makes none, and
    /// ``DeviceBackup/refusal`` says so.
    ///
    ///     let backup = device.backUp(encrypted: true, password: "a password")
    ///     let next = SimulatedDevice(restoring: backup)
    public func backUp(encrypted: Bool = true, password: String = "the password of the backup") -> DeviceBackup {
        let settings = DeviceBackup.Settings(
            biometry: biometry, passcode: passcode, enrolled: enrolled, app: declaredApp,
            defaults: defaultsStore.snapshot)
        func backup(_ folder: String?, _ count: Int, _ refusal: String?) -> DeviceBackup {
            logbook.note("back up", trouble: refusal.map { "refused, \($0)" })
            return DeviceBackup(
                in: folder, isEncrypted: encrypted, password: password, itemCount: count, of: settings, refusal: refusal
            )
        }
        guard let folder = TemporaryPlace.make() else { return backup(nil, 0, "no temporary folder can be made") }
        do throws(KeychainError) {
            let protection =
                encrypted
                ? BackupProtection(SecureBytes(forTest: password), cost: .test) : BackupProtection()
            let (effects, report) = try keychain.backUp(to: DeviceBackup.path(in: folder), protection)
            return backup(folder, report.written, effects.refusal?.text)
        } catch {
            return backup(folder, 0, "\(error)")
        }
    }

    /// Creates a device like the one that made a backup, and restores the backup onto it, as when its owner sets up a new
    /// phone. It has the same app, passcode and names of fingers, which are enrolled anew. It is in no account.
    ///
    ///     let next = SimulatedDevice(restoring: backup)
    public convenience init(restoring backup: DeviceBackup, fidelity: Fidelity = Fidelity()) {
        let settings = backup.settings
        self.init(
            biometry: settings.biometry, passcode: settings.passcode, enrolled: settings.enrolled, app: settings.app,
            fidelity: fidelity)
        bringIn(backup, password: backup.password)
    }

    /// Erases the device, restores a backup onto it, and sets it up as it was. Returns false with a wrong password, and
    /// the device stays as it is.
    ///
    /// Items that are bound to their device come back only on the one that made the backup.
    ///
    ///     device.restore(backup)
    @discardableResult
    public func restore(_ backup: DeviceBackup, password: String? = nil) -> Bool {
        guard let path = backup.path else { return noted("restore", trouble: "refused, there is no backup") }
        let (passcode, enrolled) = (passcode, enrolled)
        let isRestored =
            attempt("restore") { () throws(KeychainError) in
                let passphrase = backup.isEncrypted ? SecureBytes(forTest: password ?? backup.password) : nil
                return try keychain.restore(from: path, sealedUnder: passphrase)
            }.map { $0.refusal == nil } ?? false
        guard isRestored else { return false }
        defaultsStore.bringBack(backup.settings.defaults)
        if let passcode { setPasscode(passcode) }
        for name in enrolled { enroll(name) }
        return true
    }

    /// Moves the items that may leave this device directly to another one that is being set up, as from phone to phone. This
    /// device keeps its items, and the other one keeps those that it has.
    ///
    /// It moves what an encrypted backup moves to another device (a choice of the model).
    ///
    ///     old.migrate(to: new)
    @discardableResult
    public func migrate(to other: SimulatedDevice) -> Bool {
        let backup = backUp(encrypted: true)
        return backup.refusal == nil && other.bringIn(backup, password: backup.password)
    }

    @discardableResult
    private func bringIn(_ backup: DeviceBackup, password: String) -> Bool {
        guard let path = backup.path else { return noted("restore", trouble: "refused, there is no backup") }
        defaultsStore.bringBack(backup.settings.defaults)
        guard backup.isEncrypted else {
            return noted(
                "restore without items: a backup that is not encrypted has them for its own device only", trouble: nil)
        }
        do {
            _ = try keychain.bringIn(from: path, sealedUnder: SecureBytes(forTest: password))
            return noted("restore", trouble: nil)
        } catch {
            return noted("restore", trouble: "\(error)")
        }
    }

    /// The kind of the sensor.
    private var biometry: Biometry { Biometry((try? keychain.device.settings.sensor) ?? .none) }
}
