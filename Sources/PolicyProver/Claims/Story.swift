public import AccessPolicy
public import DeviceModel

/// What somebody does, step by step, on a device that is as its owner left it.
public struct Story: Hashable, Sendable {
    /// The device and what is stored on it.
    public let scene: Scene
    /// Who acts; steps name them by their place.
    public let people: [Profile]
    /// Which item it is about: its place among those of the scene.
    public let item: Int
    /// The assumptions.
    public let assumptions: Assumptions
    /// What happens before the device comes to the first of them.
    public let before: [Event]
    /// How the owner authenticated in the context that the app keeps; nil if no step needs that.
    public let authentication: Authentication?
    /// What they do.
    public let steps: [Step]
    /// What is asked in vain in the end, where the story is about somebody who is kept out.
    public let inVain: [Step]

    /// The owner's use of the app in a context that the app keeps.
    public struct Authentication: Hashable, Sendable {
        /// How many of the events before precede it.
        public let after: Int
        /// The factors that the owner gives.
        public let factors: FactorSet
    }

    /// One step, and what let it through.
    public struct Step: Hashable, Sendable {
        /// What is done, by whom.
        public let move: Move
        /// What let it through.
        public let reason: Reason
        /// What was asked for on the way.
        public let prompts: Prompts
        /// The factors that the owner had authenticated with in the context that the app keeps, and that count here.
        public var kept = FactorSet()
        /// True if the app brings the application password, instead of a prompt for it.
        public var bringsPassword = false

        /// Creates a step that needs nothing that the app keeps or brings.
        init(move: Move, reason: Reason, prompts: Prompts) {
            self.move = move
            self.reason = reason
            self.prompts = prompts
        }
    }

    /// What lets a step through.
    public enum Reason: Hashable, Sendable {
        /// They have the device in their hands, or not even that.
        case nothingNeeded
        /// The device is unlocked.
        case deviceUnlocked
        /// What the settings ask for: the device is unlocked, and they know the passcode, where there is one.
        case settings(hasPasscode: Bool)
        /// The additional conditions of Stolen Device Protection: biometry, and that the security delay is over.
        case protectedSettings(afterDelay: Bool)
        /// They know the passcode.
        case knowsPasscode
        /// They take a guess at it.
        case guesses
        /// The device knows the finger.
        case knownFinger
        /// They try a finger that it does not know.
        case unknownFinger
        /// They wear the companion.
        case wearsCompanion
        /// They can open the backup.
        case opensBackup
        /// The engine decided so, by these rules; the decision as it was in the end.
        case decided(granted: Bool, rules: [Rule])
    }
}

extension Search {
    /// The story of `way`, told on the device itself, without anything being left out of it; `inVain` is what the last of the company
    /// asks for at its end.
    func story(_ way: Way, inVain requests: [Action] = []) -> Story {
        var situation = scene.beginning(for: actors[0].profile, assuming: assumptions)
        var steps: [Story.Step] = []
        for index in found.path(to: way.situation) {
            guard let move = move(index, in: situation) else {
                preconditionFailure("a story makes the moves of its search")
            }
            steps.append(tell(move, in: &situation))
        }
        if let pause = way.pause {
            steps.append(tell(Move(actor: 0, deed: .event(.timePassed(pause))), in: &situation))
        }
        // An app that keeps a context asks for all of a workflow in it.
        let slot = scene.items[way.item]
        var context = situation.context(for: slot, by: actors[0], reuse: scene.reuse)
        for action in way.requests {
            if assumptions.contexts == .fresh {
                context = situation.context(for: slot, by: actors[0], reuse: scene.reuse)
            }
            steps.append(tell(Move(actor: 0, deed: .request(action, slot)), in: &situation, &context))
        }
        var inVain: [Story.Step] = []
        for action in requests where actors[actors.count - 1].canAsk(in: situation) {
            inVain.append(
                tell(Move(actor: actors.count - 1, deed: .request(action, scene.items[way.item])), in: &situation))
        }
        let prelude = scene.prelude(for: actors[0].profile, assuming: assumptions)
        let kept = (steps + inVain).reduce(FactorSet()) { $0.union($1.kept) }
        let ways = scene.authentications(for: actors[0].profile, assuming: assumptions)[way.item]
        return Story(
            scene: scene, people: actors.map { $0.profile }, item: way.item, assumptions: assumptions,
            before: prelude.events,
            authentication: kept.isEmpty
                ? nil
                : ways.first { kept.isSubset(of: $0) }.map {
                    Story.Authentication(after: prelude.authenticatesAfter, factors: $0)
                }, steps: steps, inVain: inVain)
    }

    /// The move of this number.
    private func move(_ number: Int, in situation: Situation) -> Move? {
        var found: Move?
        eachOffer(in: situation) { index, move in if index == number { found = move } }
        return found
    }

    private func tell(_ move: Move, in situation: inout Situation) -> Story.Step {
        var context = Context()
        if case .request(_, let slot) = move.deed {
            context = situation.context(for: slot, by: actors[move.actor], reuse: scene.reuse)
        }
        return tell(move, in: &situation, &context)
    }

    private func tell(_ move: Move, in situation: inout Situation, _ context: inout Context) -> Story.Step {
        let actor = actors[move.actor]
        switch move.deed {
        case .event(let event):
            let reason = situation.reason(of: event, by: actor)
            guard situation.perform(move.deed, by: actor) else {
                preconditionFailure("a story makes the moves of its search")
            }
            return Story.Step(move: move, reason: reason, prompts: Prompts())
        case .request(let action, let slot):
            let place = situation.world[slot]
            let asked = situation.ask(action, of: slot, by: actor, in: &context)
            let outcome = asked.outcome
            var trace = Trace()
            if var item = place?.item {
                if action == .add { item.binding = nil }
                context.offersApplicationPassword = action == .add
                let isThere = place?.isPresent == true || action == .add
                _ = decide(
                    isThere
                        ? Request(action, item, in: context) : Request(action, missingFrom: item.group, in: context),
                    under: situation.world.device.conditions(for: actor.app), into: &trace)
            }
            var step = Story.Step(
                move: move, reason: .decided(granted: outcome.decision.isGranted, rules: Array(trace)),
                prompts: outcome.prompts)
            step.bringsPassword = asked.bringsPassword
            if case .granted(let grant) = outcome.decision {
                let kept = (actor.kept[slot] ?? []).subtracting(FactorSet(outcome.prompts))
                step.kept = grant.way.intersection(kept)
                if grant.reusesUnlock { step.kept.remove(.biometry) }
                if asked.bringsPassword { step.kept.remove(.applicationPassword) }
            }
            return step
        }
    }
}

extension FactorSet {
    fileprivate init(_ prompts: Prompts) {
        self.init()
        for factor in prompts { insert(factor) }
    }
}

extension Situation {
    fileprivate func reason(of event: Event, by actor: Actor) -> Story.Reason {
        switch event.means(on: world.device) {
        case .nothing: .nothingNeeded
        case .unlockedDevice: .deviceUnlocked
        case .settings, .backupAndSettings: .settings(hasPasscode: world.device.passcode != nil)
        case .passcode(let code): code == world.device.passcode ? .knowsPasscode : .guesses
        case .finger(let finger): world.device.enrolled.contains(finger) ? .knownFinger : .unknownFinger
        case .companion: .wearsCompanion
        case .protectedSettings(let afterDelay): .protectedSettings(afterDelay: afterDelay)
        case .backup, .recoveryKey, .sensorItself: .opensBackup
        }
    }
}
