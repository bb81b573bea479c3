internal import AccessPolicy
package import DeviceModel

/// A condition that a device can come to after the item was stored: a row of the table.
///
/// Each condition starts from an unlocked device on which the owner has just stored the item. A condition that cannot
/// occur on a device, such as another enrolled finger without a sensor, is no row of its table.
package enum MatrixCondition: String, CaseIterable, Sendable {
    /// A condition of a device in use.
    case unlocked, unlockedForAWeek, background
    /// A condition after a lock.
    case lockedInGrace, locked, lockedThenUnlocked, lockedForDaysThenUnlocked, lockedFromAfarThenUnlocked
    /// A condition after a restart.
    case restarted, restartedThenUnlocked, lockedAfterFirstUnlock
    /// A condition after an enrollment change.
    case anotherEnrolled, thiefEnrolled, enrolledAnew, nobodyEnrolled, sensorReset
    /// A condition in which the sensor gives no answer to the app.
    case matchesFailed, permissionRefused
    /// A condition of the passcode.
    case passcodeDelayed, passcodeDisabled, passcodeChanged, passcodeRemoved, passcodeSetAnew
    /// A condition of the watch.
    case companionAway, companionLocked, companionUnpaired
    /// A condition of the application password.
    case wrongApplicationPassword, noApplicationPassword
    /// A condition of the app that asks.
    case otherApp, appReinstalled
    /// A condition after a backup was restored.
    case restoredHere, restoredElsewhere, restoredEncryptedHere, restoredEncryptedElsewhere

    /// A group of rows.
    package enum Topic: String, CaseIterable, Sendable {
        case use = "In use"
        case locks = "Locks and restarts"
        /// The enrollments or the sensor changed.
        case biometry = "Biometry"
        /// The passcode changed, or failed too often.
        case passcode = "The passcode"
        case companion = "The watch"
        /// The app or its application password changed.
        case apps = "Apps"
        case backups = "Backups"
    }

    package var topic: Topic {
        switch self {
        case .unlocked, .unlockedForAWeek, .background: .use
        case .lockedInGrace, .locked, .lockedThenUnlocked, .lockedForDaysThenUnlocked, .lockedFromAfarThenUnlocked,
            .restarted, .restartedThenUnlocked, .lockedAfterFirstUnlock:
            .locks
        case .anotherEnrolled, .thiefEnrolled, .enrolledAnew, .nobodyEnrolled, .sensorReset, .matchesFailed,
            .permissionRefused:
            .biometry
        case .passcodeDelayed, .passcodeDisabled, .passcodeChanged, .passcodeRemoved, .passcodeSetAnew: .passcode
        case .companionAway, .companionLocked, .companionUnpaired: .companion
        case .wrongApplicationPassword, .noApplicationPassword, .otherApp, .appReinstalled: .apps
        case .restoredHere, .restoredElsewhere, .restoredEncryptedHere, .restoredEncryptedElsewhere: .backups
        }
    }

    /// Returns the condition in plain words, for a device with this sensor.
    package func title(on sensor: SensorKind) -> String {
        let noun = sensor.noun
        return switch self {
        case .unlocked: "unlocked"
        case .unlockedForAWeek: "left unlocked for a week: the passcode is due"
        case .background: "unlocked; the app allows no prompt"
        case .lockedInGrace: "locked five seconds ago"
        case .locked: "locked eleven seconds ago"
        case .lockedThenUnlocked: "locked, then unlocked if possible"
        case .lockedForDaysThenUnlocked: "locked for 49 hours, then unlocked if possible"
        case .lockedFromAfarThenUnlocked: "locked from afar, then unlocked if possible"
        case .restarted: "restarted, not unlocked since"
        case .restartedThenUnlocked: "restarted, then unlocked if possible"
        case .lockedAfterFirstUnlock: "restarted, unlocked once, locked again"
        case .anotherEnrolled: "the owner enrolled another \(noun)"
        case .thiefEnrolled: "the thief enrolled their own \(noun)"
        case .enrolledAnew: "the enrolled \(noun) removed, and enrolled again"
        case .nobodyEnrolled: "the enrolled \(noun) removed, none left"
        case .sensorReset: "the sensor reset, the owner enrolled again"
        case .matchesFailed: "five matches failed"
        case .permissionRefused: "the app was refused the sensor"
        case .passcodeDelayed: "six wrong passcodes: the passcode is delayed"
        case .passcodeDisabled: "wrong passcodes until the device takes no more"
        case .passcodeChanged: "the owner changed the passcode"
        case .passcodeRemoved: "the passcode removed"
        case .passcodeSetAnew: "the passcode removed, and set again"
        case .companionAway: "the watch is away"
        case .companionLocked: "the watch is locked"
        case .companionUnpaired: "the watch is no longer paired"
        case .wrongApplicationPassword: "the app supplies a wrong password"
        case .noApplicationPassword: "the app supplies no password"
        case .otherApp: "an app of another access group asks"
        case .appReinstalled: "the app removed and installed again"
        case .restoredHere: "backup restored onto this device"
        case .restoredElsewhere: "backup restored onto another device"
        case .restoredEncryptedHere: "encrypted backup restored onto this device"
        case .restoredEncryptedElsewhere: "encrypted backup restored onto another device"
        }
    }
}

extension MatrixCondition {
    func arrange(_ stage: inout MatrixStage) {
        switch self {
        case .unlocked: break
        case .unlockedForAWeek:
            stage.happen(.timePassed(.hours(7 * 24)))
            if !stage.world.device.conditions().isPasscodeRequired { stage.cannotHappen() }
        case .background: stage.interaction = .fail
        case .lockedInGrace: stage.lock(for: .seconds(5))
        case .locked: stage.lock(for: .seconds(11))
        case .lockedThenUnlocked:
            stage.lock(for: .seconds(11))
            stage.isUnlockedFirst = true
        case .lockedForDaysThenUnlocked:
            stage.lock(for: .hours(49))
            stage.isUnlockedFirst = true
        case .lockedFromAfarThenUnlocked:
            stage.happen(.remoteLock)
            stage.isUnlockedFirst = true
        case .restarted: stage.restart()
        case .restartedThenUnlocked:
            stage.restart()
            stage.isUnlockedFirst = true
        case .lockedAfterFirstUnlock:
            stage.restart()
            stage.happen(.passcodeEntered(.first))
            stage.lock(for: .seconds(11))
        case .anotherEnrolled: stage.happen(.enrolled(.ownersOther), by: .owner)
        case .thiefEnrolled: stage.happen(.enrolled(.thiefs), by: .thief)
        case .enrolledAnew:
            stage.happen(.removed(.owners))
            stage.happen(.enrolled(.owners))
        case .nobodyEnrolled:
            stage.happen(stage.world.device.settings.sensor.forgetsOneByOne ? .removed(.owners) : .biometryReset)
        case .sensorReset:
            stage.happen(.biometryReset)
            stage.happen(.enrolled(.owners))
        case .matchesFailed: for _ in 0..<SensorKind.lockoutLimit { stage.happen(.presented(.unknown)) }
        case .permissionRefused: stage.happen(.biometryDenied(.first))
        case .passcodeDelayed:
            stage.guess(times: 6)
            if stage.world.device.passcodeState != .delayed { stage.cannotHappen() }
        case .passcodeDisabled:
            stage.guess(times: stage.world.device.settings.fidelity.passcodeDelays.limit)
            if stage.world.device.passcodeState != .disabled { stage.cannotHappen() }
        case .passcodeChanged: stage.changePasscode()
        case .passcodeRemoved: stage.happen(.passcodeRemoved)
        case .passcodeSetAnew:
            stage.happen(.passcodeRemoved)
            stage.happen(.passcodeSet(.first))
        case .companionAway: stage.happen(.companionAway)
        case .companionLocked: stage.happen(.companionLocked)
        case .companionUnpaired: stage.happen(.companionUnpaired)
        case .wrongApplicationPassword: stage.applicationPassword = MatrixStage.wrongPassword
        case .noApplicationPassword: stage.applicationPassword = 0
        case .otherApp: if let other = MatrixStage.otherApp { stage.app = other }
        case .appReinstalled: stage.reinstallApp()
        case .restoredHere: stage.restore(encrypted: false, .restoredOntoThisDevice)
        case .restoredElsewhere: stage.restore(encrypted: false, .restoredOntoAnotherDevice)
        case .restoredEncryptedHere: stage.restore(encrypted: true, .restoredOntoThisDevice)
        case .restoredEncryptedElsewhere: stage.restore(encrypted: true, .restoredOntoAnotherDevice)
        }
    }
}

extension MatrixStage {
    fileprivate mutating func lock(for span: TimeSpan) {
        happen(.lock)
        happen(.timePassed(span))
    }

    /// Restarts the device. Without a passcode it starts unlocked, so the condition cannot occur.
    fileprivate mutating func restart() {
        happen(.reboot)
        if !world.device.isLocked { cannotHappen() }
    }

    /// Makes a backup, restores it, and sets the device up again as it was.
    fileprivate mutating func restore(encrypted: Bool, _ event: Event) {
        happen(.backupTaken(encrypted: encrypted))
        happen(event)
        if wasSetUp { setUp() }
    }
}
