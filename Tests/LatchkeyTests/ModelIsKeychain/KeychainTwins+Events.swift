import AccessPolicy
import DeviceModel
import Latchkey
import SecretVault
import UserPresence

extension KeychainTwins {
    /// Makes an event happen to both, and returns how the results differ; nil if they agree.
    mutating func happen(_ event: Event, _ tally: inout ModelIsKeychainTests.Tally) throws -> String? {
        let before = world.device
        let model = world.apply(event)
        let real: Effects
        switch event {
        case .passcodeEntered(let code): real = try keychain.unlock(passcode: Self.text(code))
        case .presented(let finger): real = try keychain.unlockBySensor(showing: Self.name(finger))
        case .passcodeSet(let code): real = try keychain.setPasscode(Self.text(code))
        case .lock: real = try keychain.lock()
        case .timePassed(let span): real = try keychain.advance(by: span)
        case .biometryReset: real = try keychain.resetSensor()
        case .removed(let finger): real = try keychain.removeEnrolled(Self.name(finger))
        case .enrolled(let finger): return try enroll(finger, before, model, &tally)
        default: real = try keychain.simulate(event)
        }
        return compare(event, model, real, &tally)
    }

    /// Changes a setting that takes the passcode. A wrong passcode counts as an attempt on both.
    mutating func happen(
        _ event: Event, typing typed: Passcode, _ tally: inout ModelIsKeychainTests.Tally
    ) throws -> String? {
        var model = world.apply(.passcodeEntered(typed))
        if model.authenticated(.passcode) { model = world.apply(event) }
        let real: Effects
        switch event {
        case .passcodeChanged(let next): real = try keychain.changePasscode(from: Self.text(typed), to: Self.text(next))
        case .passcodeRemoved: real = try keychain.removePasscode(Self.text(typed))
        default: return "\(event) takes no passcode"
        }
        return compare(event, model, real, &tally)
    }

    /// A sensor reports by itself that it is full or that a finger is enrolled already. The device names the first of
    /// both reasons.
    private func enroll(
        _ finger: Finger, _ before: Device, _ model: Effects, _ tally: inout ModelIsKeychainTests.Tally
    ) throws -> String? {
        do throws(KeychainError) {
            let real = try keychain.enroll(Self.name(finger))
            // The device checks for free room before the user shows a finger.
            let isBoth = before.enrolled.contains(finger) && before.enrolled.count >= settings.sensor.capacity
            if isBoth, model.refusal == .alreadyEnrolled, real.refusal == .sensorFull { return nil }
            return compare(.enrolled(finger), model, real, &tally)
        } catch {
            if case .sensor(.alreadyEnrolled) = error, model.refusal == .alreadyEnrolled { return nil }
            return "\(model) in the world, \(error) in the keychain"
        }
    }

    private func compare(
        _ event: Event, _ model: Effects, _ real: Effects, _ tally: inout ModelIsKeychainTests.Tally
    ) -> String? {
        if model.refusal == nil { tally.events += 1 }
        let isSame =
            model.refusal == real.refusal && model.authenticated(.passcode) == real.authenticated(.passcode)
            && model.authenticated(.biometry) == real.authenticated(.biometry)
            && model.contains(.eraseAll) == real.contains(.eraseAll)
        return isSame ? nil : "\(event): \(model) in the world, \(real) in the keychain"
    }
}
