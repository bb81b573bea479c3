package import AccessPolicy

extension World {
    /// The world that stands for all worlds which no future can tell from this one.
    ///
    /// Counters that never repeat, and ages beyond every threshold, would make the reachable worlds infinitely many.
    /// What matters of a counter is whether an item is still bound to its present value; of an age, which thresholds it
    /// has passed. Sessions and items are numbered anew, so no context outlives this: begin with a new one.
    public var normalised: World {
        var world = self
        world.stored = UInt64(slots.count)
        let device = device
        var index: UInt64 = 0
        world.slots.changeEach { slot in
            index += 1
            slot.item.id = ItemID(rawValue: index)
            slot.item.binding = slot.item.binding.map { $0.normalised(for: slot.item.control, on: device) }
            slot.copy?.binding = nil
            slot.copy?.id = ItemID(rawValue: index)
        }
        if let backup, !backup.isOfThisDevice { world.dropUnusableCopies(of: backup) }
        world.device = device.normalised
        return world
    }

    /// What a backup of another device holds for that device only can never come back here.
    private mutating func dropUnusableCopies(of backup: Backup) {
        slots.changeEach { slot in
            if slot.copy?.travel(inEncryptedBackup: backup.isEncrypted) == .sameDevice { slot.copy = nil }
        }
    }
}

extension Binding {
    /// Bound to the present value of what the item depends on, or to a former one: which former one does not matter.
    fileprivate func normalised(for control: AccessControl, on device: Device) -> Binding {
        let asked = control.requirements
        let sensorHolds = domainState.sensor == device.domainState.sensor
        let holds =
            if asked.contains(.biometryCurrentSet) {
                domainState == device.domainState
            } else {
                sensorHolds || !asked.contains(.biometryAny)
            }
        let classHolds =
            control.protection.keyClass != .whenPasscodeSet
            || (device.passcode != nil && passcodeClassKey == device.passcodeClassKey)
        return Binding(domainState: holds ? .normal : .former, passcodeClassKey: classHolds ? 1 : .max)
    }
}

extension DomainState {
    /// The present one, in a normal world.
    package static let normal = DomainState(sensor: 1, epoch: 1)
    /// Any that is over, in a normal world.
    package static let former = DomainState(sensor: 0, epoch: 0)
}

extension Device {
    fileprivate var normalised: Device {
        var normal = self
        normal.now = .start
        normal.session = 1
        normal.passcodeClassKey = 1
        normal.domainState = .normal
        normal.failedMatches = min(failedMatches, SensorKind.lockoutLimit)

        let isWaiting = passcodeState == .delayed
        normal.delayedUntil = isWaiting ? .start + (delayedUntil - now) : .start

        let graceRuns = isLocked && isOpen
        let idleCounts = isLocked && !passcodeReasons.contains(.notUnlocked)
        let longest = max(graceRuns ? settings.lockGrace : .zero, idleCounts ? .hours(48) : .zero)
        normal.lastUnlocked = graceRuns || idleCounts ? moment(lastUnlocked, notBefore: longest) : .start

        let limits = settings.fidelity.passcodeTimeout
        let disuseCounts = passcode != nil && !passcodeReasons.contains(.passcodeUnused)
        normal.lastPasscode = disuseCounts ? moment(lastPasscode, notBefore: limits.passcodeUnused) : .start
        normal.lastBiometricUnlock =
            disuseCounts ? moment(lastBiometricUnlock, notBefore: limits.biometryUnused) : .start
        normal.biometricUnlock = biometricUnlock.flatMap { unlock in
            if now - unlock.at > Context.longestReuse { return nil }
            let state = DomainState(
                sensor: unlock.domainState.sensor == domainState.sensor ? 1 : 0,
                epoch: unlock.domainState == domainState ? 1 : 0)
            return BiometricUnlock(at: .start + (unlock.at - now), domainState: state)
        }
        return normal
    }

    /// `event` on a clock that shows zero now; everything that passed `threshold` looks the same.
    private func moment(_ event: Instant, notBefore threshold: TimeSpan) -> Instant {
        let age = min(now - event, threshold + TimeSpan(milliseconds: 1))
        return Instant(milliseconds: -age.milliseconds)
    }
}
