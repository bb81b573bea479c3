internal import AccessPolicy
internal import DeviceModel

extension Situation {
    /// Lets `actor` do it. Whether anything came of it.
    mutating func take(_ deed: Move.Deed, by actor: Actor, reuse: TimeSpan = .zero) -> Bool {
        switch deed {
        case .event(let event):
            let person = actor.person(in: self)
            let guesser = person.guessing(event)
            let effects = world.act(event, by: guesser)
            guard effects.refusal == nil else { return false }
            note(event, by: actor)
            return true
        case .request(let action, let slot):
            return ask(action, of: slot, by: actor, reuse: reuse).decision.isGranted
        }
    }

    private mutating func note(_ event: Event, by actor: Actor) {
        switch event {
        case .companionPaired: isCompanionNew = actor.pairsOwn
        case .companionUnpaired, .erase, .restoredOntoAnotherDevice, .restoredOntoThisDevice: isCompanionNew = false
        case .enrolled, .removed, .biometryReset, .sensorForgot: hasSeenEnrolmentChange = true
        case .timePassed(let span):
            timeLeft = timeLeft.map { TimeSpan(milliseconds: max(0, $0.milliseconds - span.milliseconds)) }
        default: break
        }
    }

    /// Lets the app of `actor` ask, with them in front of the device.
    mutating func ask(_ action: Action, of slot: SlotID, by actor: Actor, reuse: TimeSpan = .zero) -> Outcome {
        var context = Context()
        context.reuse = reuse
        return ask(action, of: slot, by: actor, in: &context)
    }

    /// The same in a context that keeps what is proved.
    mutating func ask(_ action: Action, of slot: SlotID, by actor: Actor, in context: inout Context) -> Outcome {
        let call = Call(
            .item(slot, action, demanding: nil), app: actor.app, by: actor.person(in: self),
            // Only who stores an item says under which password.
            applicationPassword: action == .add && world[slot]?.item.control.needsApplicationPassword == true ? 2 : 0)
        return world.perform(call, in: &context)
    }
}

extension Person {
    /// The same, who also types or shows what `event` says, though it is not right.
    fileprivate func guessing(_ event: Event) -> Person {
        var person = self
        switch event {
        case .passcodeEntered(let code): person.passcode = code
        case .presented(let finger): person.fingers.insert(finger)
        default: break
        }
        return person
    }
}
