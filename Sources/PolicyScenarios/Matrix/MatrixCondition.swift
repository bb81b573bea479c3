internal import AccessPolicy
package import DeviceModel

/// What a device has come to since the item was stored: a row of the table.
///
/// Each begins anew with an unlocked device of which the owner has just stored the item. One that a device cannot come to
/// (there is no enrolling without a sensor) is no row of its table.
package enum MatrixCondition: String, CaseIterable, Sendable {
    case unlocked, unlockedForAWeek, background
    case lockedInGrace, locked, lockedThenUnlocked, lockedForDaysThenUnlocked, lockedFromAfarThenUnlocked
    case restarted, restartedThenUnlocked, lockedAfterFirstUnlock
    case anotherEnrolled, thiefEnrolled, enrolledAnew, nobodyEnrolled, sensorReset
    case matchesFailed, permissionRefused
    case passcodeDelayed, passcodeDisabled, passcodeChanged, passcodeRemoved, passcodeSetAnew
    case companionAway, companionLocked, companionUnpaired
    case wrongApplicationPassword, noApplicationPassword
    case otherApp, appReinstalled
    case restoredHere, restoredElsewhere, restoredEncryptedHere, restoredEncryptedElsewhere

    /// Rows that belong together.
    package enum Topic: String, CaseIterable, Sendable {
        case use = "In use"
        case locks = "Locks and restarts"
        case biometry = "Biometry"
        case passcode = "The passcode"
        case companion = "The watch"
        case apps = "Apps"
        case backups = "Backups"
    }

    /// What it belongs to.
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

    /// The condition in plain words.
    package func title(on sensor: SensorKind) -> String {
        let noun = sensor.noun
        return switch self {
        case .unlocked: "unlocked"
        case .unlockedForAWeek: "left unlocked for a week: the passcode is due"
        case .background: "unlocked; the app lets nobody be asked"
        case .lockedInGrace: "locked five seconds ago"
        case .locked: "locked eleven seconds ago"
        case .lockedThenUnlocked: "locked, then unlocked by whoever can"
        case .lockedForDaysThenUnlocked: "locked for 49 hours, then unlocked by whoever can"
        case .lockedFromAfarThenUnlocked: "locked from afar, then unlocked by whoever can"
        case .restarted: "restarted, not unlocked since"
        case .restartedThenUnlocked: "restarted, then unlocked by whoever can"
        case .lockedAfterFirstUnlock: "restarted, unlocked once, locked again"
        case .anotherEnrolled: "the owner enrolled another \(noun)"
        case .thiefEnrolled: "the thief enrolled their own \(noun)"
        case .enrolledAnew: "the enrolled \(noun) removed, and enrolled again"
        case .nobodyEnrolled: "the enrolled \(noun) removed: nobody is left"
        case .sensorReset: "the sensor reset, the owner enrolled again"
        case .matchesFailed: "five matches failed"
        case .permissionRefused: "the app was refused the sensor"
        case .passcodeDelayed: "six wrong passcodes: the device waits"
        case .passcodeDisabled: "wrong passcodes until it takes no more"
        case .passcodeChanged: "the owner changed the passcode"
        case .passcodeRemoved: "the passcode removed"
        case .passcodeSetAnew: "the passcode removed, and set again"
        case .companionAway: "the watch is away"
        case .companionLocked: "the watch is locked"
        case .companionUnpaired: "the watch is no longer paired"
        case .wrongApplicationPassword: "the app brings a wrong password"
        case .noApplicationPassword: "the app brings no password"
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
    /// Brings `stage` there.
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
        case .appReinstalled:
            stage.happen(.appRemoved(.first))
            stage.happen(.appInstalled(.first, App(permission: .notAsked)))
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

    /// A device without a passcode comes up unlocked: there is nothing to see.
    fileprivate mutating func restart() {
        happen(.reboot)
        if !world.device.isLocked { cannotHappen() }
    }

    /// A backup that is made now comes onto a device that is then set up as this one was.
    fileprivate mutating func restore(encrypted: Bool, _ event: Event) {
        happen(.backupTaken(encrypted: encrypted))
        happen(event)
        if wasSetUp { setUp() }
    }
}
