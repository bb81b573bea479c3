package import AccessPolicy
package import DeviceModel

/// The events before a person gets the device.
package struct Prelude: Hashable, Sendable {
    package var events: [Event] = []
    /// The number of events that precede the owner's last use of the app.
    package var authenticatesAfter = 0
}

extension Scene {
    /// Returns the events before a person of `profile` gets the device.
    package func prelude(for profile: Profile, assuming assumptions: Assumptions = Assumptions()) -> Prelude {
        var prelude = Prelude()
        let hasPasscode = world.device.passcode != nil
        switch profile.holds {
        case .unlocked: if hasPasscode { prelude = justUnlocked }
        case .locked where !hasPasscode: break
        case .locked:
            switch assumptions.held {
            case .longLocked: prelude.events = [.lock, .timePassed(untilClosed)]
            case .justLocked:
                prelude = justUnlocked
                prelude.events.append(.lock)
            }
        case .poweredOff: prelude.events = [.reboot]
        case .backup: prelude.events = [.backupTaken(encrypted: true)]
        // The device stays locked with its owner, or lies somewhere.
        case .nothing: if hasPasscode { prelude.events = [.lock, .timePassed(untilClosed)] }
        case .erased:
            prelude.events = [.erase]
            return prelude  // Erasing forgets the companion, so none has to move away.
        }
        let isOwnersCompanionThere = profile.carries.contains(.ownersCompanion)
        if world.device.companion.isNear && !isOwnersCompanionThere { prelude.events.append(.companionAway) }
        return prelude
    }

    private var untilClosed: TimeSpan { .seconds(1) + world.device.settings.lockGrace }

    /// The events by which the owner unlocks the device, by biometry if possible, and uses the app.
    private var justUnlocked: Prelude {
        var events: [Event] = [.lock, .timePassed(untilClosed)]
        var locked = world.device
        for event in events { _ = locked.apply(event) }
        let match = locked.enrolled.first { _ in true }.map(Event.presented)
        // After a lock grace of more than two days, biometry no longer unlocks the device.
        let isMatched = match.map { locked.apply($0).refusal == nil } ?? false
        events.append(match.flatMap { isMatched ? $0 : nil } ?? .passcodeEntered(.owners))
        return Prelude(events: events, authenticatesAfter: events.count)
    }

    /// Returns the situation in which a person of `profile` gets the device.
    package func beginning(for profile: Profile, assuming assumptions: Assumptions = Assumptions()) -> Situation {
        let prelude = prelude(for: profile, assuming: assumptions)
        var world = world
        var kept: KeptContext?
        for (number, event) in prelude.events.enumerated() {
            if number == prelude.authenticatesAfter { kept = KeptContext(authenticatedOn: world.device) }
            world.apply(event)
        }
        if prelude.authenticatesAfter == prelude.events.count { kept = KeptContext(authenticatedOn: world.device) }
        var situation = Situation(
            world: world, timeLeft: profile.timeLimit, kept: assumptions.contexts == .kept ? kept : nil)
        if let circles = circles.modeled {
            situation.joinAccount(circles, keeping: self.world.shared)
            if profile.holds == .erased,
                let next = circles.next(circles.start, after: .handErased, by: .owner, isUnlocked: true)
            {
                situation.account.circle = next
            }
        }
        return situation
    }

    /// Returns, for each item, the sets of factors with which the owner can open it through `app` before a person of
    /// `profile` gets the device.
    ///
    /// Each set stands for a context that the app keeps, and all of these contexts are at hand afterwards. The list is
    /// empty for each item if the app keeps no context.
    package func authentications(
        for profile: Profile, assuming assumptions: Assumptions, through app: AppID = .first
    ) -> [[FactorSet]] {
        guard assumptions.contexts == .kept else { return items.map { _ in [] } }
        let prelude = prelude(for: profile, assuming: assumptions)
        var world = world
        for event in prelude.events.prefix(prelude.authenticatesAfter) { world.apply(event) }
        return items.indices.map { place in
            var found: [FactorSet] = []
            for bits in 1..<(1 << Factor.allCases.count) {
                let factors = FactorSet(bits: UInt8(bits))
                var trial = world
                var context = Context()
                let call = Call(
                    .item(items[place], isKey(place) ? .sign : .readData, control: nil), app: app,
                    by: .owner(of: trial.device, authenticatingWith: factors))
                guard trial.perform(call, in: &context).decision.isGranted else { continue }
                var authenticated = FactorSet()
                for factor in Factor.allCases where context[factor] != nil { authenticated.insert(factor) }
                if !authenticated.isEmpty && !found.contains(authenticated) { found.append(authenticated) }
            }
            return found
        }
    }
}

extension Person {
    /// Returns the owner of `device`, who authenticates with `factors` and nothing else.
    fileprivate static func owner(of device: Device, authenticatingWith factors: FactorSet) -> Person {
        var owner = Person.owner(of: device)
        if !factors.contains(.biometry) { owner.fingers = [] }
        if !factors.contains(.passcode) { owner.passcode = nil }
        if !factors.contains(.companion) { owner.wearsCompanion = false }
        owner.applicationPassword = factors.contains(.applicationPassword) ? Scene.applicationPassword : 0
        return owner
    }
}

extension Profile {
    /// The time that they have, or nil if it is unlimited or more than a year, which outlasts all delays and limits
    /// together.
    var timeLimit: TimeSpan? { time.flatMap { $0 > .hours(365 * 24) ? nil : $0 } }
}
