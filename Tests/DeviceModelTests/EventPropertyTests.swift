import AccessPolicy
import DeviceModel
import TestSupport
import Testing

/// Properties of every event on every device, checked over seeded random histories.
@Suite struct EventPropertyTests {
    static let sequences = 10_000
    static let length = 100

    @Test(arguments: 0..<4) func invariantsHoldAfterEveryEvent(_ shard: Int) {
        for sequence in stride(from: shard, to: Self.sequences, by: 4) {
            let seed = UInt64(sequence)
            var random = SeededGenerator(seed: seed)
            let start = History.device(&random)
            let events = (0..<Self.length).map { _ in History.event(&random) }
            guard let broken = firstBroken(start, events) else { continue }
            let shortest = shrink(events) { firstBroken(start, $0) != nil }
            Issue.record("seed \(seed): \(broken); shortest: \(shortest) on \(start)")
            return
        }
    }

    /// Returns the first invariant that an event violates.
    private func firstBroken(_ start: Device, _ events: [Event]) -> String? {
        var device = start
        var hasUnlockKey = false
        for event in events {
            let before = device
            let effects = device.apply(event)
            var twin = before
            let again = twin.apply(event)
            if twin != device || Array(again) != Array(effects) { return "\(event) is not deterministic" }
            if effects.contains(where: { if case .refused = $0 { true } else { false } }) {
                if effects.count != 1 { return "\(event) is refused and does something" }
                if device != before { return "\(event) is refused and changes something" }
            }
            if let broken = brokenInvariant(before, event, device, effects) { return "\(event): \(broken)" }
            for effect in effects {
                switch effect {
                case .close(_, let kept): hasUnlockKey = kept
                case .forgetUnlockKey: hasUnlockKey = false
                case .open where effects.authenticated(.biometry) && !hasUnlockKey:
                    return "\(event) opens by a match what was not kept for one"
                default: break
                }
            }
        }
        return nil
    }

    private func brokenInvariant(_ before: Device, _ event: Event, _ after: Device, _ effects: Effects) -> String? {
        if after.domainState.epoch < before.domainState.epoch { return "an epoch came back" }
        if after.enrolled != before.enrolled && after.domainState == before.domainState { return "a set without epoch" }
        if after.session < before.session || after.now < before.now { return "session or clock ran backwards" }
        if after.passcode == nil && (after.isLocked || !after.isOpen || !after.hasFirstUnlock) {
            return "locked without a passcode"
        }
        if !after.isLocked && !after.isOpen { return "unlocked and closed" }
        if after.passcode != before.passcode && !effects.contains(.rewrapRoot) && !effects.contains(.eraseAll) {
            return "the root stays under the former passcode"
        }
        if after.isOpen && !after.hasFirstUnlock { return "open before the first unlock" }
        if after.enrolled.count > after.settings.sensor.capacity { return "more enrolled than fit" }
        if after.isLocked && after.isOpen && after.now - after.lastUnlocked >= after.settings.lockGrace {
            return "open after the grace"
        }
        let opened = after.openClasses.subtracting(before.openClasses)
        let closed = before.openClasses.subtracting(after.openClasses)
        var told = (opened: KeyClasses(), closed: KeyClasses())
        for effect in effects {
            if case .open(let classes) = effect { told.opened = told.opened.union(classes) }
            if case .close(let classes, _) = effect { told.closed = told.closed.union(classes) }
        }
        if !opened.isSubset(of: told.opened) { return "opens \(opened) silently" }
        if !closed.isSubset(of: told.closed) && !effects.contains(.eraseAll) { return "closes \(closed) silently" }
        let unlocks = before.isLocked && !after.isLocked
        let proves = effects.authenticated(.passcode) || effects.authenticated(.biometry) || effects.contains(.eraseAll)
        if unlocks && !proves { return "unlocks without a proof" }
        if !before.hasFirstUnlock && after.hasFirstUnlock && !effects.authenticated(.passcode)
            && !effects.contains(.eraseAll)
        {
            return "a first unlock without the passcode"
        }
        if (after.session != before.session) != effects.contains(.wipeContexts) { return "a session ends silently" }
        return nil
    }

    /// Removes events from a failing history as long as the rest still fails.
    private func shrink(_ events: [Event], fails: ([Event]) -> Bool) -> [Event] {
        var events = events
        var index = events.count - 1
        while index >= 0 {
            var fewer = events
            fewer.remove(at: index)
            if fails(fewer) { events = fewer }
            index -= 1
        }
        return events
    }

    /// Checks that only the events with that purpose make an item easier to read, also for a caller that holds evidence
    /// or reuses an unlock.
    @Test func anEventNeverWidensWhatAnItemAllowsExceptWhereItShould() throws {
        let controls = [
            AccessControlFlags(), .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode,
            [.biometryAny, .or, .devicePasscode], [.biometryCurrentSet, .companion],
        ].flatMap { flags in Accessibility.allCases.map { Cast.control(flags, $0) } }
        var compared = 0
        for seed in 0..<1_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var device = History.device(&random)
            var items = controls.map { Item($0, binding: device.conditions().binding) }
            var contexts = [Context(), Context(), Context()]
            contexts[1].reuse = .minutes(5)
            for _ in 0..<20 {
                let event = History.event(&random)
                let before = device.conditions()
                for factor in [Factor.biometry, .passcode] where random.once(in: 6) {
                    contexts[2].add(Evidence(factor, under: before))
                }
                let effects = device.apply(event)
                let after = device.conditions()
                if effects.contains(.eraseAll) { items = [] }
                for item in items {
                    for context in contexts {
                        compared += 1
                        let request = Request(.readData, item, in: context)
                        let was = decide(request, under: before)
                        let now = decide(request, under: after)
                        if event == .lock && now.isGranted && !was.isGranted {
                            Issue.record("seed \(seed): a lock grants \(item.control)")
                            return
                        }
                        if isWider(now, than: was) && !mayWiden(event, effects, was) {
                            Issue.record("seed \(seed): \(event) makes \(item.control) easier to read: \(was), \(now)")
                            return
                        }
                    }
                }
            }
        }
        print("widening: \(compared) pairs of decisions compared")
    }

    /// Returns true if the new decision allows something, or offers a way, that the old one did not.
    private func isWider(_ now: Decision, than was: Decision) -> Bool {
        switch (was, now) {
        case (.granted, _), (_, .denied): false
        case (_, .granted), (.denied, .challenge): true
        case (.challenge(let before), .challenge(let after)):
            !after.allSatisfy { way in before.contains { $0.isSubset(of: way) } }
        }
    }

    private func mayWiden(_ event: Event, _ effects: Effects, _ was: Decision) -> Bool {
        switch event {
        case .passcodeEntered: effects.authenticated(.passcode)
        case .presented: effects.authenticated(.biometry)
        case .passcodeSet, .passcodeChanged, .passcodeRecovered, .enrolled, .companionPaired, .companionNear,
            .companionUnlocked,
            .appInstalled, .biometryPermitted:
            true
        case .timePassed(let span):
            // Waiting can only end the delay of the passcode.
            span > .zero && (was.denial?.rule == .passcodeDelayed || !asksPasscode(was))
        case .reboot, .lock, .passcodeRemoved, .removed, .biometryReset, .sensorForgot, .securityDelayStarted,
            .companionUnpaired, .companionAway,
            .companionLocked, .appRemoved, .biometryDenied, .backupTaken, .restoredOntoThisDevice,
            .restoredOntoAnotherDevice, .remoteLock, .emergency, .erase:
            false
        }
    }

    /// Returns false if a challenge lacks the passcode, which it may gain when a delay ends.
    private func asksPasscode(_ decision: Decision) -> Bool {
        guard case .challenge(let ways) = decision else { return true }
        return ways.contains { $0.contains(.passcode) }
    }
}
