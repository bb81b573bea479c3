extension Device {
    /// Applies an event, and returns the effects that the owner of the keys must carry out.
    ///
    /// Every event can be applied to every device. If an event cannot happen, it is refused and changes nothing; the
    /// reason is in ``Effects/refusal``.
    public mutating func apply(_ event: Event) -> Effects {
        switch event {
        case .reboot: reboot()
        case .lock: lock(because: nil)
        case .remoteLock: lock(because: .remoteLock)
        case .emergency: lock(because: .emergency)
        case .passcodeEntered(let code): enter(code)
        case .presented(let finger): present(finger)
        case .timePassed(let span): pass(span)
        case .passcodeSet(let code): setPasscode(code)
        case .passcodeChanged(let code): changePasscode(code)
        case .passcodeRemoved: removePasscode()
        case .passcodeRecovered(let code): recoverPasscode(code)
        case .enrolled(let finger): enroll(finger)
        case .removed(let finger): unenroll(finger)
        case .biometryReset: resetBiometry()
        case .sensorForgot(let finger): forget(finger)
        case .securityDelayStarted: startSecurityDelay()
        case .companionPaired: pairCompanion()
        case .companionUnpaired: unpairCompanion()
        case .companionNear: changeCompanion { $0.isNear = true }
        case .companionAway: changeCompanion { $0.isNear = false }
        case .companionUnlocked: changeCompanion { $0.isUnlocked = true }
        case .companionLocked: changeCompanion { $0.isUnlocked = false }
        case .appInstalled(let id, let app): install(app, at: id)
        case .appRemoved(let id): install(nil, at: id)
        case .biometryPermitted(let id): permit(id, .given)
        case .biometryDenied(let id): permit(id, .denied)
        case .backupTaken(let encrypted): makeBackup(encrypted: encrypted)
        case .restoredOntoThisDevice: restore(sameDevice: true)
        case .restoredOntoAnotherDevice: restore(sameDevice: false)
        case .erase: erase()
        }
    }
}
