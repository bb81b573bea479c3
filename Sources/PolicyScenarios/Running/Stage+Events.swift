internal import AccessPolicy
internal import DeviceModel
internal import Latchkey
internal import LinuxSystem
internal import PolicyWords
internal import ScenarioFormat
internal import SecretVault
internal import SodiumKit
internal import Synchronization
internal import UserPresence

extension Stage {
    /// Applies an event to the device, without a person who causes it.
    func happen(_ event: StepEvent) throws(KeychainError) -> Effects {
        let (keychain, passcode) = (keychain, passcode)
        switch event {
        case .hold(let name):
            state.withLock { $0.user = name }
            return Effects()
        case .lock: return try keychain.lock()
        case .reboot: return noting(try keychain.simulate(.reboot)) { $0.files.close() }
        case .lockRemotely: return try keychain.simulate(.remoteLock)
        case .holdButtons: return try keychain.simulate(.emergency)
        case .wait(let span): return try keychain.advance(by: span)
        case .erase: return try keychain.simulate(.erase)
        case .unlock(let typed):
            guard let typed = typed ?? passcode else { return Effects(.refused(.passcodeNotSet)) }
            return try keychain.unlock(passcode: secureBytes(typed))
        case .touch(let shown): return try keychain.unlockBySensor(showing: shown)
        case .enroll(let names):
            return try each(names) { name throws(KeychainError) in
                try unlessRefused(.enroll([name])) { () throws(KeychainError) in try keychain.enroll(name) }
            }
        case .remove(let names):
            return try each(names) { name throws(KeychainError) in
                try unlessRefused(.remove([name])) { () throws(KeychainError) in try keychain.removeEnrolled(name) }
            }
        case .resetBiometry: return try keychain.resetSensor()
        case .startSecurityDelay: return try keychain.simulate(.securityDelayStarted)
        case .setPasscode(let next):
            let bytes = try secureBytes(next)
            let effects = try unlessRefused(event) { () throws(KeychainError) in
                if let passcode { return try keychain.changePasscode(from: secureBytes(passcode), to: bytes) }
                return try keychain.setPasscode(bytes)
            }
            return noting(effects) { $0.passcode = next }
        case .removePasscode:
            guard let passcode else { return Effects(.refused(.passcodeNotSet)) }
            return try unlessRefused(event) { () throws(KeychainError) in
                try keychain.removePasscode(secureBytes(passcode))
            }
        case .companion(let place):
            if try !keychain.device.companion.isPaired { state.withLock { $0.pairedBy = nil } }
            return try keychain.place(companion: place)
        case .install(let name):
            let (id, app) = app(name)
            return try keychain.simulate(.appInstalled(id, app))
        case .uninstall(let name): return try keychain.simulate(.appRemoved(app(name).id))
        case .permitBiometry(let name): return try keychain.simulate(.biometryPermitted(app(name).id))
        case .denyBiometry(let name): return try keychain.simulate(.biometryDenied(app(name).id))
        case .backup(let isEncrypted): return try backUp(encrypted: isEncrypted)
        case .restore(let sameDevice): return try restore(sameDevice: sameDevice)
        }
    }

    /// Runs `body` unless the model refuses the event. Otherwise the keychain would type the passcode first, which
    /// unlocks the device.
    private func unlessRefused(
        _ event: StepEvent, _ body: () throws(KeychainError) -> Effects
    ) throws(KeychainError) -> Effects {
        if let refusal = refusal(of: event, on: try keychain.device) { return Effects(.refused(refusal)) }
        return try body()
    }

    /// Returns the app that the scenario declares under this name, with its number on the device.
    func app(_ name: String) -> (id: AppID, app: App) {
        let place = scenario.apps.firstIndex { $0.name == name } ?? 0
        return (AppID(rawValue: UInt8(place)) ?? .first, scenario.apps[place].onDevice)
    }

    private func noting(_ effects: Effects, _ body: (inout State) -> Void) -> Effects {
        if effects.refusal == nil { state.withLock { body(&$0) } }
        return effects
    }

    /// Runs `body` for each name in order, and stops at the first that does not happen.
    func each(
        _ names: [String], _ body: (String) throws(KeychainError) -> Effects
    ) throws(KeychainError) -> Effects {
        var last = Effects(.refused(.nothingToChange))
        for name in names {
            last = try body(name)
            if Self.verdict(of: last) != .happened { break }
        }
        return last
    }

    // MARK: - Backups

    /// The password of every encrypted backup. The file says which people know it.
    private static let passphrase = "the password of the backup"

    private func backUp(encrypted: Bool) throws(KeychainError) -> Effects {
        let path: String
        do { path = try newPath() } catch { throw .wrongKind(error.what) }
        let protection =
            encrypted ? BackupProtection(try secureBytes(Self.passphrase), cost: .test) : BackupProtection()
        let effects = try keychain.backUp(to: path, protection).effects
        return noting(effects) { state in
            if let former = state.backup { TemporaryPlace.removeFile(former.path) }
            state.backup = Backup(
                path: path, isEncrypted: encrypted, items: state.items, files: state.files.copies)
        }
    }

    private func restore(sameDevice: Bool) throws(KeychainError) -> Effects {
        guard let backup = state.withLock({ $0.backup }) else { return Effects(.refused(.noBackup)) }
        let passphrase = backup.isEncrypted ? try secureBytes(Self.passphrase) : nil
        if sameDevice && backup.isOfThisDevice {
            let effects = try keychain.restore(from: backup.path, sealedUnder: passphrase)
            if effects.refusal == nil { try restoreFiles(backup.files) }
            return noting(effects) { $0.bringBack(backup) }
        }
        // Another device is a new keychain. So is this device if the backup came from another one.
        let former = keychain
        let device = try former.device
        let next = try Keychain.simulated(
            scenario.device.settings, passcode: nil, enrolled: [], user: NoUser(), isAudited: isAudited)
        try furnish(next, like: device)
        try next.advance(by: device.now - .start)
        if backup.isEncrypted { _ = try next.bringIn(from: backup.path, sealedUnder: passphrase) }
        state.withLock { state in
            state.keychain = next
            state.bringBack(backup)
            state.backup?.isOfThisDevice = false
        }
        try restoreFiles(backup.files)
        former.close()
        return Effects(.importBackup(sameDevice: false))
    }
}
