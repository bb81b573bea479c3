internal import AccessPolicy
internal import DeviceModel
internal import Latchkey
internal import SecretVault
internal import SodiumKit
internal import Synchronization
internal import UserPresence

extension Stage {
    /// Lets something happen to the device, whoever holds it.
    func happen(_ event: StageEvent) throws(KeychainError) -> Effects {
        let (keychain, passcode) = state.withLock { ($0.keychain, $0.passcode) }
        switch event {
        case .lock: return try keychain.lock()
        case .reboot: return try keychain.simulate(.reboot)
        case .lockRemotely: return try keychain.simulate(.remoteLock)
        case .holdButtons: return try keychain.simulate(.emergency)
        case .wait(let span): return try keychain.advance(by: span)
        case .erase:
            let effects = try keychain.simulate(.erase)
            return noting(effects) { $0.passcode = nil }
        case .unlock(let typed):
            guard let typed = typed ?? passcode else { return Effects(.refused(.passcodeNotSet)) }
            return try keychain.unlock(passcode: secureBytes(typed))
        case .touch(let shown): return try keychain.unlockBySensor(showing: shown)
        case .enroll(let names): return try each(names) { name throws(KeychainError) in try keychain.enrol(name) }
        case .remove(let names):
            return try each(names) { name throws(KeychainError) in try keychain.removeEnrolled(name) }
        case .resetBiometry: return try keychain.resetSensor()
        case .setPasscode(let next):
            let bytes = try secureBytes(next)
            let effects =
                if let passcode {
                    try keychain.changePasscode(from: secureBytes(passcode), to: bytes)
                } else {
                    try keychain.setPasscode(bytes)
                }
            return noting(effects) { $0.passcode = next }
        case .removePasscode:
            guard let passcode else { return Effects(.refused(.passcodeNotSet)) }
            let effects = try keychain.removePasscode(secureBytes(passcode))
            return noting(effects) { $0.passcode = nil }
        case .companion(let place): return try keychain.place(companion: place)
        case .install(let app): return try keychain.simulate(.appInstalled(id(app), scenario.apps[app].onDevice))
        case .uninstall(let app): return try keychain.simulate(.appRemoved(id(app)))
        case .permitBiometry(let app): return try keychain.simulate(.biometryPermitted(id(app)))
        case .denyBiometry(let app): return try keychain.simulate(.biometryDenied(id(app)))
        case .backup(let isEncrypted): return try backUp(encrypted: isEncrypted)
        case .restore(let sameDevice): return try restore(sameDevice: sameDevice)
        }
    }

    private func id(_ app: Int) -> AppID { AppID(rawValue: UInt8(app)) ?? .first }

    private func noting(_ effects: Effects, _ body: (inout State) -> Void) -> Effects {
        if effects.refusal == nil { state.withLock { body(&$0) } }
        return effects
    }

    /// One after another; the first that is refused ends it.
    private func each(
        _ names: [String], _ body: (String) throws(KeychainError) -> Effects
    ) throws(KeychainError) -> Effects {
        var last = Effects(.refused(.nothingToChange))
        for name in names {
            last = try body(name)
            if last.refusal != nil { break }
        }
        return last
    }

    // MARK: - By people

    /// Lets somebody do it, as far as they can: what a device's settings ask the passcode for, they can do only with it on an
    /// unlocked device.
    func act(_ event: StageEvent, by name: String) throws(KeychainError) -> Effects {
        let visitor = visitor(name)
        let person = visitor.person
        let keychain = keychain
        let device = try keychain.device
        switch event.inModel(on: device).means(on: device) {
        case .nothing: return try happen(event)
        case .unlockedDevice: return device.isLocked ? Effects(.refused(.deviceLocked)) : try happen(event)
        case .settings: return try changeSettings(event, by: person, device)
        case .passcode:
            // Nobody types a passcode that they do not know: without one named, they type their own.
            guard case .unlock(let typed) = event, let own = person.passcode, typed == nil || typed == own else {
                return Effects(.refused(.personCannot))
            }
            return try happen(.unlock(passcode: own))
        case .finger:
            guard case .touch(let shown) = event, person.fingers.contains(shown) else {
                return Effects(.refused(.personCannot))
            }
            return try happen(event)
        case .companion: return person.wearsCompanion ? try happen(event) : Effects(.refused(.personCannot))
        case .backup: return opensBackup(visitor) ? try happen(event) : Effects(.refused(.personCannot))
        case .backupAndSettings:
            return opensBackup(visitor)
                ? try changeSettings(event, by: person, device) : Effects(.refused(.personCannot))
        case .recoveryKey: return Effects(.refused(.personCannot))
        }
    }

    private func changeSettings(
        _ event: StageEvent, by person: SimulatedPerson, _ device: Device
    ) throws(KeychainError) -> Effects {
        if device.isLocked { return Effects(.refused(.deviceLocked)) }
        var trial = device
        if let refusal = trial.apply(event.inModel(on: device)).refusal { return Effects(.refused(refusal)) }
        if device.passcode != nil {
            guard let typed = person.passcode else { return Effects(.refused(.personCannot)) }
            let effects = try keychain.unlock(passcode: secureBytes(typed))
            guard effects.proved(.passcode) else { return effects }
        }
        return try happen(event)
    }

    private func opensBackup(_ visitor: Visitor) -> Bool {
        state.withLock { $0.backup?.isEncrypted } != true || visitor.knowsBackupPassword
    }

    // MARK: - Backups

    /// What every encrypted backup is sealed under here; who knows it is said of people.
    private static let passphrase = "the password of the backup"

    private func backUp(encrypted: Bool) throws(KeychainError) -> Effects {
        let path: String
        do throws(StageTrouble) { path = try newPath() } catch { throw .wrongKind(error.what) }
        let protection =
            encrypted ? BackupProtection(try secureBytes(Self.passphrase), cost: .test) : BackupProtection()
        let effects = try keychain.backUp(to: path, protection).effects
        return noting(effects) { state in
            if let former = state.backup { TemporaryPlace.removeFile(former.path) }
            state.backup = Backup(path: path, isEncrypted: encrypted)
        }
    }

    private func restore(sameDevice: Bool) throws(KeychainError) -> Effects {
        guard let backup = state.withLock({ $0.backup }) else { return Effects(.refused(.noBackup)) }
        let passphrase = backup.isEncrypted ? try secureBytes(Self.passphrase) : nil
        if sameDevice && backup.isOfThisDevice {
            let effects = try keychain.restore(from: backup.path, sealedUnder: passphrase)
            return noting(effects) { state in
                state.passcode = nil
                state.contexts = [:]
            }
        }
        // Another device is another keychain, fresh from the box; so is this one to the backup of another.
        let former = keychain
        let now = try former.device.now
        let next = try Keychain.simulated(
            scenario.device.settings, passcode: nil, enrolled: [], holder: NobodyThere())
        try furnish(next)
        try next.advance(by: now - .start)
        if backup.isEncrypted { _ = try next.bringIn(from: backup.path, sealedUnder: passphrase) }
        state.withLock { state in
            state.former.append(state.keychain)
            state.keychain = next
            state.passcode = nil
            state.contexts = [:]
            state.backup?.isOfThisDevice = false
        }
        return Effects(.importBackup(sameDevice: false))
    }
}

extension StageEvent {
    /// The same to the model, which numbers what has names here; what it takes does not depend on the numbers. A passcode that is
    /// set is another than the one that there is.
    fileprivate func inModel(on device: Device) -> Event {
        let code = Passcode(rawValue: device.passcode?.rawValue == 0 ? 1 : 0)!
        let app = AppID.first
        return switch self {
        case .lock: .lock
        case .reboot: .reboot
        case .lockRemotely: .remoteLock
        case .holdButtons: .emergency
        case .removePasscode: .passcodeRemoved
        case .resetBiometry: .biometryReset
        case .erase: .erase
        case .unlock: .passcodeEntered(code)
        case .touch: .presented(.unknown)
        case .enroll: .enrolled(.unknown)
        case .remove: .biometryReset
        case .setPasscode: device.passcode == nil ? .passcodeSet(code) : .passcodeChanged(code)
        case .companion(.notPaired): .companionUnpaired
        case .companion where !device.companion.isPaired: .companionPaired
        case .companion(.away): .companionAway
        case .companion(.locked): .companionLocked
        case .companion(.ready): .companionUnlocked
        case .wait(let span): .timePassed(span)
        case .install: .appInstalled(app, App())
        case .uninstall: .appRemoved(app)
        case .permitBiometry: .biometryPermitted(app)
        case .denyBiometry: .biometryDenied(app)
        case .backup(let isEncrypted): .backupTaken(encrypted: isEncrypted)
        case .restore(let sameDevice): sameDevice ? .restoredOntoThisDevice : .restoredOntoAnotherDevice
        }
    }
}
