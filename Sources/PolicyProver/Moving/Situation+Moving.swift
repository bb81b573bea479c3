internal import AccessPolicy
internal import DeviceModel

extension Situation {
    /// Makes a move of `actor`, and returns true if it succeeded.
    mutating func perform(_ deed: Move.Deed, by actor: Actor, reuse: TimeSpan = .zero) -> Bool {
        switch deed {
        case .event(let event):
            let person = actor.person(in: self)
            let guesser = person.guessing(event)
            let effects = world.act(event, by: guesser)
            guard effects.refusal == nil else { return false }
            noteInAccount(event, effects, by: actor)
            note(event, by: actor)
            return true
        case .request(let action, let slot, let app):
            guard ask(action, of: slot, by: actor, through: app, reuse: reuse).decision.isGranted else { return false }
            if action == .delete { noteDeletion(of: slot, by: actor) }
            return true
        case .file(let use, let place): return perform(use, of: place, by: actor)
        case .account(let move): return perform(move, by: actor)
        case .deletionOnOwn(let slot): return deleteOnOwn(slot, by: actor)
        case .arrivalOfNext(let slot): return receiveNext(slot, for: actor)
        }
    }

    /// Notes what the world itself does not record.
    private mutating func note(_ event: Event, by actor: Actor) {
        switch event {
        case .companionPaired: isCompanionNew = actor.pairsOwn
        case .restoredOntoAnotherDevice:
            isElsewhere = true
            isCompanionNew = false
        case .companionUnpaired, .erase, .restoredOntoThisDevice: isCompanionNew = false
        case .enrolled, .removed, .biometryReset, .sensorForgot: hasSeenEnrollmentChange = true
        case .timePassed(let span):
            timeLeft = timeLeft.map { TimeSpan(milliseconds: max(0, $0.milliseconds - span.milliseconds)) }
        case .reboot, .lock, .passcodeEntered, .presented, .passcodeSet, .passcodeChanged, .passcodeRemoved,
            .passcodeRecovered, .securityDelayStarted, .companionNear, .companionAway, .companionUnlocked,
            .companionLocked, .appInstalled, .appRemoved, .biometryPermitted, .biometryDenied, .backupTaken,
            .remoteLock, .emergency:
            break  // The world itself records these.
        }
    }

    /// Makes a request through an app of `actor`, who answers its prompts, in the context that the app keeps or in a
    /// fresh one.
    mutating func ask(
        _ action: Action, of slot: SlotID, by actor: Actor, through app: AppID, reuse: TimeSpan = .zero
    ) -> Outcome {
        var context = context(for: slot, by: actor, through: app, reuse: reuse)
        return ask(action, of: slot, by: actor, through: app, in: &context).outcome
    }

    /// Returns the context in which an app of `actor` makes a request for the item.
    func context(for slot: SlotID, by actor: Actor, through app: AppID, reuse: TimeSpan) -> Context {
        var context = Context()
        context.reuse = reuse
        guard let kept, let factors = actor.kept[app]?[slot], let item = world[slot]?.item.id else { return context }
        let conditions = world.device.conditions(for: app)
        for factor in factors { context.add(kept.evidence(factor, of: item, under: conditions)) }
        return context
    }

    /// Makes a request through an app of `actor` in `context`, which keeps the factors that they give.
    ///
    /// If a prompt for the application password leads to a denial and `actor` knows the password, the app supplies it
    /// instead. That takes no prompt, so it works on a locked device as well.
    mutating func ask(
        _ action: Action, of slot: SlotID, by actor: Actor, through app: AppID, in context: inout Context
    ) -> Asked {
        guard brings(action, slot, actor) else {
            return Asked(
                outcome: ask(action, of: slot, by: actor, app, bringing: 0, in: &context), bringsPassword: false)
        }
        var typed = self
        var contextOfTyped = context
        let outcome = typed.ask(action, of: slot, by: actor, app, bringing: 0, in: &contextOfTyped)
        if outcome.decision.isGranted {
            (self, context) = (typed, contextOfTyped)
            return Asked(outcome: outcome, bringsPassword: false)
        }
        return Asked(
            outcome: ask(action, of: slot, by: actor, app, bringing: actor.applicationPassword, in: &context),
            bringsPassword: true)
    }

    /// Returns true if an app of `actor` can supply the application password of the item instead of prompting for it.
    func brings(_ action: Action, _ slot: SlotID, _ actor: Actor) -> Bool {
        action != .add && actor.applicationPassword != 0
            && world[slot]?.item.control.needsApplicationPassword == true
    }

    private mutating func ask(
        _ action: Action, of slot: SlotID, by actor: Actor, _ app: AppID, bringing password: UInt8,
        in context: inout Context
    ) -> Outcome {
        let call = Call(
            .item(slot, action, control: nil), app: app, by: actor.person(in: self),
            // Only the app that stores an item chooses its application password.
            applicationPassword: action == .add && world[slot]?.item.control.needsApplicationPassword == true
                ? 2 : password)
        return world.perform(call, in: &context)
    }
}

/// The outcome of a request, and whether the app supplied the application password for it.
struct Asked {
    var outcome: Outcome
    var bringsPassword: Bool
}

extension Person {
    /// Returns a person who also types the passcode or shows the finger of `event`, though it may be wrong.
    fileprivate func guessing(_ event: Event) -> Person {
        var person = self
        switch event {
        case .passcodeEntered(let code): person.passcode = code
        case .presented(let finger): person.fingers.insert(finger)
        case .reboot, .lock, .timePassed, .passcodeSet, .passcodeChanged, .passcodeRemoved, .passcodeRecovered,
            .enrolled,
            .removed, .biometryReset, .sensorForgot, .securityDelayStarted, .companionPaired, .companionUnpaired,
            .companionNear, .companionAway, .companionUnlocked, .companionLocked, .appInstalled, .appRemoved,
            .biometryPermitted, .biometryDenied, .backupTaken, .restoredOntoThisDevice, .restoredOntoAnotherDevice,
            .remoteLock, .emergency, .erase:
            break  // The person neither types nor shows anything for these.
        }
        return person
    }
}
