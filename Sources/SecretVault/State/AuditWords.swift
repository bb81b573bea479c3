internal import AccessPolicy
package import DeviceModel

// The words of the audit log. They are stored in vaults, so a word never changes.

extension Event {
    /// The word that the audit log stores for the event.
    package var auditWord: String {
        switch self {
        case .reboot: "reboot"
        case .lock: "lock"
        case .passcodeEntered: "passcodeEntered"
        case .presented: "presented"
        case .timePassed: "timePassed"
        case .passcodeSet: "passcodeSet"
        case .passcodeChanged: "passcodeChanged"
        case .passcodeRemoved: "passcodeRemoved"
        case .passcodeRecovered: "passcodeRecovered"
        case .enrolled: "enrolled"
        case .removed: "removed"
        case .biometryReset: "biometryReset"
        case .sensorForgot: "sensorForgot"
        case .securityDelayStarted: "securityDelayStarted"
        case .companionPaired: "companionPaired"
        case .companionUnpaired: "companionUnpaired"
        case .companionNear: "companionNear"
        case .companionAway: "companionAway"
        case .companionUnlocked: "companionUnlocked"
        case .companionLocked: "companionLocked"
        case .appInstalled: "appInstalled"
        case .appRemoved: "appRemoved"
        case .biometryPermitted: "biometryPermitted"
        case .biometryDenied: "biometryDenied"
        case .backupTaken: "backupTaken"
        case .restoredOntoThisDevice: "restoredOntoThisDevice"
        case .restoredOntoAnotherDevice: "restoredOntoAnotherDevice"
        case .remoteLock: "remoteLock"
        case .emergency: "emergency"
        case .erase: "erase"
        }
    }
}

extension AuditRecord.Kind {
    /// The word for the kind in `latchkey log` and in the agent's protocol.
    package var word: String {
        switch self {
        case .opened: "opened"
        case .closed: "closed"
        case .granted: "granted"
        case .challenged: "challenged"
        case .denied: "denied"
        case .event: "event"
        case .dropped: "dropped"
        }
    }
}
