package import AccessPolicy
package import DeviceModel

extension Event {
    /// Returns the step that stands for the event. A step of a companion names its state afterwards, which is `companion`.
    package func step(_ names: some StepNames, companion: CompanionState) -> StepEvent {
        switch self {
        case .reboot: .reboot
        case .lock: .lock
        case .remoteLock: .lockRemotely
        case .emergency: .holdButtons
        case .timePassed(let span): .wait(span)
        case .passcodeEntered(let code), .passcodeRecovered(let code): .unlock(passcode: names.name(of: code))
        case .presented(let finger): .touch(names.name(of: finger))
        case .passcodeSet(let code), .passcodeChanged(let code): .setPasscode(names.name(of: code))
        case .passcodeRemoved: .removePasscode
        case .enrolled(let finger): .enroll([names.name(of: finger)])
        // A simulated sensor never forgets a finger by itself, so the step removes it.
        case .removed(let finger), .sensorForgot(let finger): .remove([names.name(of: finger)])
        case .biometryReset: .resetBiometry
        case .securityDelayStarted: .startSecurityDelay
        case .companionPaired, .companionUnpaired, .companionNear, .companionAway, .companionUnlocked,
            .companionLocked:
            .companion(companion)
        case .appInstalled(let app, _): .install(names.name(of: app))
        case .appRemoved(let app): .uninstall(names.name(of: app))
        case .biometryPermitted(let app): .permitBiometry(names.name(of: app))
        case .biometryDenied(let app): .denyBiometry(names.name(of: app))
        case .backupTaken(let isEncrypted): .backup(encrypted: isEncrypted)
        case .restoredOntoThisDevice: .restore(sameDevice: true)
        case .restoredOntoAnotherDevice: .restore(sameDevice: false)
        case .erase: .erase
        }
    }
}

extension StepEvent {
    /// Returns the events that the step stands for on this device, in order.
    ///
    /// Of the events of a companion, the device refuses those that would change nothing. There is no event if nothing happens to the
    /// device: if it changes hands, if the owner of a device without a passcode types it, and for an empty list of fingers.
    package func events<Numbers: StepNumbers>(
        on device: Device, _ numbers: inout Numbers
    ) throws(Numbers.Failure) -> [Event] {
        switch self {
        case .lock: return [.lock]
        case .reboot: return [.reboot]
        case .lockRemotely: return [.remoteLock]
        case .holdButtons: return [.emergency]
        case .removePasscode: return [.passcodeRemoved]
        case .resetBiometry: return [.biometryReset]
        case .startSecurityDelay: return [.securityDelayStarted]
        case .erase: return [.erase]
        case .unlock(nil): return device.passcode.map { [.passcodeEntered($0)] } ?? []
        case .unlock(let code?): return [.passcodeEntered(try numbers.passcode(code))]
        case .touch(let finger): return [.presented(try numbers.finger(finger))]
        case .enroll(let names):
            var events: [Event] = []
            for name in names { events.append(.enrolled(try numbers.finger(name))) }
            return events
        case .remove(let names):
            var events: [Event] = []
            for name in names { events.append(.removed(try numbers.finger(name))) }
            return events
        case .setPasscode(let code):
            let code = try numbers.passcode(code)
            return [device.passcode == nil ? .passcodeSet(code) : .passcodeChanged(code)]
        case .companion(.notPaired): return [.companionUnpaired]
        case .companion(let state):
            let paired: [Event] = device.companion.isPaired ? [] : [.companionPaired]
            switch state {
            case .notPaired, .away: return paired.isEmpty ? [.companionAway] : paired
            case .locked: return paired + [.companionNear, .companionLocked]
            case .ready: return paired + [.companionNear, .companionUnlocked]
            }
        case .wait(let span): return [.timePassed(span)]
        case .install(let name):
            let (id, app) = try numbers.app(name)
            return [.appInstalled(id, app)]
        case .uninstall(let name): return [.appRemoved(try numbers.app(name).id)]
        case .permitBiometry(let name): return [.biometryPermitted(try numbers.app(name).id)]
        case .denyBiometry(let name): return [.biometryDenied(try numbers.app(name).id)]
        case .backup(let isEncrypted): return [.backupTaken(encrypted: isEncrypted)]
        case .restore(let sameDevice): return [sameDevice ? .restoredOntoThisDevice : .restoredOntoAnotherDevice]
        case .hold: return []
        }
    }
}
