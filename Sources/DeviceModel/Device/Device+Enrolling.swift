internal import AccessPolicy

extension Device {
    // A locked device takes enrollment events: what changed on a sensor may be learned only while it is locked. Whether
    // somebody may cause one is the concern of who holds the device.

    mutating func enroll(_ finger: Finger) -> Effects {
        if settings.sensor == .none { return Effects(.noSensor) }
        if passcode == nil { return Effects(.passcodeNotSet) }
        if enrolled.contains(finger) { return Effects(.alreadyEnrolled) }
        if enrolled.count >= settings.sensor.capacity { return Effects(.sensorFull) }
        return beginEpoch { $0.insert(finger) }
    }

    mutating func unenroll(_ finger: Finger) -> Effects {
        if settings.sensor != .none && !settings.sensor.forgetsOneByOne { return Effects(.onlyResetRemoves) }
        return forget(finger)
    }

    mutating func forget(_ finger: Finger) -> Effects {
        if settings.sensor == .none { return Effects(.noSensor) }
        if !enrolled.contains(finger) { return Effects(.notEnrolled) }
        return beginEpoch { $0.remove(finger) }
    }

    mutating func resetBiometry() -> Effects {
        if settings.sensor == .none { return Effects(.noSensor) }
        guard countersLeft else { return Effects(.countersExhausted) }
        var effects = Effects()
        var sensor = domainState.sensor
        if settings.fidelity.sensorReset == .replacesSensor {
            effects.add(.destroySensor(sensor))
            sensor += 1
        }
        for effect in beginEpoch(of: sensor, { $0 = [] }) { effects.add(effect) }
        return effects
    }

    /// The number for the next one who is enrolled on a sensor; nil where no number is left.
    package var freeFinger: Finger? {
        (0..<Finger.unknown.rawValue).lazy.compactMap { Finger(rawValue: $0) }.first { !enrolled.contains($0) }
    }

    /// Every change of the set begins an epoch that never was, so that a set cannot come back. What is over is the set of the
    /// sensor that was there before, also where `sensor` is another one.
    private mutating func beginEpoch(of sensor: UInt32? = nil, _ change: (inout Fingers) -> Void) -> Effects {
        guard domainState.epoch < .max else { return Effects(.countersExhausted) }
        var effects = Effects()
        effects.add(.destroyDomainState(domainState))
        domainState.epoch += 1
        domainState.sensor = sensor ?? domainState.sensor
        change(&enrolled)
        effects.add(.beginDomainState(domainState))
        if enrolled.isEmpty {
            securityDelayEnds = nil
            effects.add(.forgetUnlockKey)
            if passcode != nil && !isOpen { passcodeReasons.insert(.noUnlockKey) }
        }
        return effects
    }
}
