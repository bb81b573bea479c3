package import AccessPolicy
package import DeviceModel

/// The state of a companion after each event of a story. Steps name this state, and not the event.
package struct CompanionTrack: Sendable {
    private var isPaired: Bool
    private var isNear: Bool
    private var isUnlocked: Bool

    package init(_ state: CompanionState) {
        isPaired = state != .notPaired
        isNear = state == .locked || state == .ready
        isUnlocked = state == .ready
    }

    package var state: CompanionState { !isPaired ? .notPaired : !isNear ? .away : isUnlocked ? .ready : .locked }

    package mutating func apply(_ event: Event) {
        switch event {
        case .companionPaired: (isPaired, isNear, isUnlocked) = (true, false, false)
        case .companionUnpaired, .erase, .restoredOntoThisDevice, .restoredOntoAnotherDevice:
            (isPaired, isNear, isUnlocked) = (false, false, false)
        case .companionNear: isNear = true
        case .companionAway: isNear = false
        case .companionUnlocked: isUnlocked = true
        case .companionLocked: isUnlocked = false
        case .reboot, .lock, .passcodeEntered, .presented, .timePassed, .passcodeSet, .passcodeChanged,
            .passcodeRemoved, .passcodeRecovered, .enrolled, .removed, .biometryReset, .sensorForgot,
            .securityDelayStarted, .appInstalled, .appRemoved, .biometryPermitted, .biometryDenied, .backupTaken,
            .remoteLock, .emergency:
            break
        }
    }
}
