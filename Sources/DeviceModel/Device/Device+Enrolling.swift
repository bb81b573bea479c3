internal import AccessPolicy

extension Device {
    // A locked device accepts enrollment events, because a real sensor may report a change only while it is locked.
    // `World.act` decides which person may cause such an event.

    /// Returns the device with a sensor that is added to it, on which no finger is enrolled yet. A device that has a
    /// sensor keeps it.
    package func adding(_ sensor: SensorKind) -> Device {
        var device = self
        if settings.sensor == .none { device.settings.sensor = sensor }
        return device
    }

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

    /// The lowest number that is free for the next enrollment; nil if all are in use.
    package var freeFinger: Finger? {
        (0..<Finger.unknown.rawValue).lazy.compactMap { Finger(rawValue: $0) }.first { !enrolled.contains($0) }
    }

    /// Changes the enrolled set and begins a new epoch, so that no former set can return.
    ///
    /// The set of the present sensor ends, even if `sensor` is another one.
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
