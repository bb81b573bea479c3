package import AccessPolicy

extension World {
    /// The representative of all worlds that behave like this one in every future.
    ///
    /// Counters that never repeat and ages that only grow would make the reachable worlds infinitely many. The normal
    /// form keeps only what matters: whether an item is still bound to the present value of a counter, and which
    /// thresholds an age has passed. It renumbers sessions and items, so a context from before is useless. Create a new
    /// one.
    public var normalized: World {
        var world = self
        world.stored = UInt64(slots.count)
        for id in places { world.slots[id] = normalized(slots[id], at: id) }
        world.device = device.normalized
        return world
    }

    private func normalized(_ slot: Slot, at id: SlotID) -> Slot {
        var slot = slot
        let mark = mark(of: id)
        let number = ItemID(rawValue: UInt64(id.rawValue) + 1)
        slot.item.id = number
        slot.item.binding = mark.binding
        if !mark.hasCopy { slot.copy = nil }
        slot.copy?.binding = nil
        slot.copy?.id = number
        return slot
    }

    /// Returns true if a backup can ever restore the copy. An item that only its own device can restore is lost
    /// elsewhere.
    private func isUsable(_ copy: Item) -> Bool {
        guard let backup, !backup.isOfThisDevice else { return true }
        return copy.travel(inEncryptedBackup: backup.isEncrypted) != .sameDevice
    }

    /// The state of a slot in the normal form, without the item.
    package struct Mark: Hashable, Sendable {
        /// True if an item is stored.
        package var isPresent = false
        /// True if the item has a binding.
        package var isBound = false
        /// True if the enrolled set that the item is bound to is still present.
        package var setHolds = false
        /// True if the class key that the item is bound to still exists.
        package var classKeyHolds = false
        /// The application password that opens the item; zero for none.
        package var applicationPassword: UInt8 = 0
        /// True if a backup can restore the item.
        package var hasCopy = false

        /// Creates the state of a slot in which nothing was stored yet.
        package init() {}

        /// The binding of the item in the normal form.
        package var binding: Binding? {
            guard isBound else { return nil }
            return Binding(domainState: setHolds ? .normal : .former, passcodeClassKey: classKeyHolds ? 1 : .max)
        }
    }

    /// Returns the state of a slot in the normal form, for a search that stores the items separately.
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
    /// Returns whether the enrolled set and the class key are still the ones that the item depends on. Which former
    /// ones they are does not matter.
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
    /// The present enrolled set in a normal form.
    package static let normal = DomainState(sensor: 1, epoch: 1)
    /// Any former enrolled set in a normal form.
    package static let former = DomainState(sensor: 0, epoch: 0)

    /// Returns the normal form of the set on `device`. It keeps whether sensor and set are the present ones.
    package func normalized(on device: Device) -> DomainState {
        DomainState(
            sensor: sensor == device.domainState.sensor ? 1 : 0, epoch: self == device.domainState ? 1 : 0)
    }
}

extension Device {
    /// The device in the normal form; see ``World/normalized``.
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

    /// Returns the moment of an event on a clock that shows zero now. All ages beyond the threshold become the same.
    private func moment(_ event: Instant, notBefore threshold: TimeSpan) -> Instant {
        let age = min(now - event, threshold + TimeSpan(milliseconds: 1))
        return Instant(milliseconds: -age.milliseconds)
    }
}
