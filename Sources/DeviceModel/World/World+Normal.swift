package import AccessPolicy

extension World {
    /// The world that stands for all worlds which no future can tell from this one.
    ///
    /// Counters that never repeat, and ages beyond every threshold, would make the reachable worlds infinitely many.
    /// What matters of a counter is whether an item is still bound to its present value; of an age, which thresholds it
    /// has passed. Sessions and items are numbered anew, so no context outlives this: begin with a new one.
    public var normalized: World {
        var world = self
        world.stored = UInt64(slots.count)
        for id in places { world.slots[id] = normalized(slots[id], at: id) }
        world.device = device.normalized
        return world
    }

    private func normalized(_ slot: Slot, at id: SlotID) -> Slot {
        var slot = slot
        let number = ItemID(rawValue: UInt64(id.rawValue) + 1)
        slot.item.id = number
        slot.item.binding = slot.item.binding.map { binding in
            let (set, classKey) = binding.holds(for: slot.item.control, on: device)
            return Binding(domainState: set ? .normal : .former, passcodeClassKey: classKey ? 1 : .max)
        }
        slot.copy?.binding = nil
        slot.copy?.id = number
        if let copy = slot.copy, !isUsable(copy) { slot.copy = nil }
        return slot
    }

    /// What a backup of another device holds for that device only can never come back here.
    private func isUsable(_ copy: Item) -> Bool {
        guard let backup, !backup.isOfThisDevice else { return true }
        return copy.travel(inEncryptedBackup: backup.isEncrypted) != .sameDevice
    }

    /// All that ``normalized`` tells of a slot, but for which item it is.
    package struct Mark: Hashable, Sendable {
        /// True if there is an item.
        package var isPresent = false
        /// True if it is bound to anything, or has been put nowhere yet.
        package var isBound = false
        /// True if the enrollment set holds that it is bound to.
        package var setHolds = false
        /// True if the class key holds that it is bound to.
        package var classKeyHolds = false
        /// Which application password opens it; zero for none.
        package var applicationPassword: UInt8 = 0
        /// True if a backup can bring it back.
        package var hasCopy = false
    }

    /// What the normal form tells of a slot, for whoever keeps the rest of it elsewhere.
    package func mark(of id: SlotID) -> Mark {
        slots.with(id) { slot in
            var mark = Mark()
            mark.isPresent = slot.isPresent
            if let binding = slot.item.binding {
                mark.isBound = true
                (mark.setHolds, mark.classKeyHolds) = binding.holds(for: slot.item.control, on: device)
            }
            mark.applicationPassword = slot.applicationPassword
            if let copy = slot.copy { mark.hasCopy = isUsable(copy) }
            return mark
        }
    }
}

extension Binding {
    /// Whether it is to the present value of what the item depends on, or to a former one: which former one does not matter.
    fileprivate func holds(for control: AccessControl, on device: Device) -> (set: Bool, classKey: Bool) {
        let asked = control.requirements
        let setHolds =
            if asked.contains(.biometryCurrentSet) {
                domainState == device.domainState
            } else {
                domainState.sensor == device.domainState.sensor || !asked.contains(.biometryAny)
            }
        let classHolds =
            control.protection.keyClass != .whenPasscodeSet
            || (device.passcode != nil && passcodeClassKey == device.passcodeClassKey)
        return (setHolds, classHolds)
    }
}

extension DomainState {
    /// The present one, in a normal world.
    package static let normal = DomainState(sensor: 1, epoch: 1)
    /// Any that is over, in a normal world.
    package static let former = DomainState(sensor: 0, epoch: 0)

    /// What a match against it is worth on `device`: which of its present sensor and set it was made against.
    package func normalized(on device: Device) -> DomainState {
        DomainState(
            sensor: sensor == device.domainState.sensor ? 1 : 0, epoch: self == device.domainState ? 1 : 0)
    }
}

extension Device {
    /// The device of ``World/normalized``.
    package var normalized: Device {
        var normal = self
        normal.now = .start
        normal.session = 1
        normal.passcodeClassKey = 1
        normal.domainState = .normal
        normal.failedMatches = min(failedMatches, SensorKind.lockoutLimit)

        let isWaiting = passcodeState == .delayed
        normal.delayedUntil = isWaiting ? .start + (delayedUntil - now) : .start

        normal.securityDelayEnds = securityDelayEnds.map { .start + max(.zero, $0 - now) }

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
            return BiometricUnlock(at: .start + (unlock.at - now), domainState: unlock.domainState.normalized(on: self))
        }
        return normal
    }

    /// `event` on a clock that shows zero now; everything that passed `threshold` looks the same.
    private func moment(_ event: Instant, notBefore threshold: TimeSpan) -> Instant {
        let age = min(now - event, threshold + TimeSpan(milliseconds: 1))
        return Instant(milliseconds: -age.milliseconds)
    }
}
