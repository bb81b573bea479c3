import AccessPolicy
import DeviceModel
import TestSupport

/// Random devices and events, drawn so that interesting cases are frequent.
enum History {
    static func device(_ random: inout SeededGenerator) -> Device {
        var settings = DeviceSettings(sensor: random.pick(SensorKind.allCases))
        settings.lockGrace = random.pick([.zero, .seconds(10)])
        settings.attemptEnd = random.pick(AttemptEnd.allCases)
        settings.stolenDeviceProtection = random.once(in: 3)
        settings.fidelity.passcodeDelays = random.pick(Fidelity.PasscodeDelays.allCases)
        settings.fidelity.sensorReset = random.pick(Fidelity.SensorReset.allCases)
        settings.fidelity.passcodeTimeout = random.pick(Fidelity.PasscodeTimeout.allCases)
        settings.fidelity.changedSet = random.pick(Fidelity.ChangedSet.allCases)
        settings.fidelity.duplicate = random.pick(Fidelity.Duplicate.allCases)
        settings.fidelity.attributes = random.pick(Fidelity.Attributes.allCases)
        settings.fidelity.addDuringLockout = random.pick(Fidelity.AddDuringLockout.allCases)
        settings.fidelity.presence = random.pick(Fidelity.Presence.allCases)
        let app = App(permission: random.pick(App.Permission.allCases), declaresUsage: !random.once(in: 8))
        if random.once(in: 4) { return Device(settings, app: app) }
        var device = Device(
            settings, passcode: Cast.right, enrolled: settings.sensor == .none ? [] : [Cast.index], app: app)
        if random.once(in: 4) {
            // Begin close to the delays, which random passcodes rarely reach.
            for number in 50..<54 as Range<UInt8> { _ = device.apply(.passcodeEntered(Cast.code(number))) }
            _ = device.apply(.timePassed(.minutes(1)))
        }
        return device
    }

    static func event(_ random: inout SeededGenerator) -> Event {
        switch Int.random(in: 0..<30, using: &random) {
        case 0: .reboot
        case 1, 2, 3: .lock
        case 4, 5, 6: .passcodeEntered(Cast.right)
        case 7, 8: .passcodeEntered(Cast.code(UInt8.random(in: 1..<16, using: &random)))
        case 9, 10, 11: .presented(Cast.index)
        case 12, 13: .presented(Cast.finger(UInt8.random(in: 0..<4, using: &random)))
        case 14, 15, 16:
            .timePassed(random.pick(waits))
        case 17: .passcodeSet(Cast.code(UInt8.random(in: 1..<4, using: &random)))
        case 18: .passcodeChanged(Cast.code(UInt8.random(in: 1..<4, using: &random)))
        case 19: random.pick([.passcodeRemoved, .passcodeSet(Cast.right), .passcodeRecovered(Cast.code(3))])
        case 20, 21: .enrolled(Cast.finger(UInt8.random(in: 0..<4, using: &random)))
        case 22 where random.once(in: 3): random.once(in: 4) ? .sensorForgot(Cast.index) : .securityDelayStarted
        case 22: .removed(Cast.finger(UInt8.random(in: 0..<4, using: &random)))
        case 23: random.once(in: 3) ? .biometryReset : .removed(Cast.index)
        case 24: random.pick([.companionPaired, .companionPaired, .companionUnpaired])
        case 25: random.pick([.companionNear, .companionAway])
        case 26: random.pick([.companionUnlocked, .companionLocked])
        case 27: random.pick([.biometryPermitted(.first), .biometryDenied(.first), .remoteLock, .emergency])
        case 28:
            random.pick([
                .appInstalled(.first, App()), .appRemoved(.first), .appInstalled(.first, App(permission: .notAsked)),
            ])
        default:
            random.pick([
                .backupTaken(encrypted: true), .backupTaken(encrypted: false), .restoredOntoThisDevice,
                .restoredOntoAnotherDevice, .erase, .timePassed(.seconds(-1)),
            ])
        }
    }

    /// Lengths of time around the thresholds of the device.
    static let waits: [TimeSpan] = [
        .seconds(1), .seconds(9), .seconds(10), .minutes(1), .minutes(5), .minutes(15), .hours(1), .hours(4), .hours(5),
        .hours(47), .hours(49), .hours(157),
    ]
}
