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
    /// What happens before the device comes to the first of them.
    public let before: [Event]
    /// What they do.
    public let steps: [Step]
    /// What is asked in vain in the end, where the story is about somebody who is kept out.
    public let inVain: [Step]

    /// One step, and what let it through.
    public struct Step: Hashable, Sendable {
        /// What is done, by whom.
        public let move: Move
        /// What let it through.
        public let reason: Reason
        /// What was asked for on the way.
        public let prompts: Prompts
    }

    /// What lets a step through.
    public enum Reason: Hashable, Sendable {
        /// They have the device in their hands, or not even that.
        case nothingNeeded
        /// The device is unlocked.
        case deviceUnlocked
        /// What the settings ask for: the device is unlocked, and they know the passcode, where there is one.
        case settings(hasPasscode: Bool)
        /// What Stolen Device Protection asks for as well: biometry, and that the security delay is over.
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
        var situation = scene.beginning(for: actors[0].profile)
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
        for action in way.requests {
            steps.append(tell(Move(actor: 0, deed: .request(action, scene.items[way.item])), in: &situation))
        }
        var inVain: [Story.Step] = []
        for action in requests where actors[actors.count - 1].canAsk(in: situation) {
            inVain.append(
                tell(Move(actor: actors.count - 1, deed: .request(action, scene.items[way.item])), in: &situation))
        }
        return Story(
            scene: scene, people: actors.map(\.profile), item: way.item,
            before: scene.prelude(for: actors[0].profile), steps: steps, inVain: inVain)
    }

    /// The move of this number.
    private func move(_ number: Int, in situation: Situation) -> Move? {
        var move: Move?
        var index = 0
        for place in actors.indices {
            actors[place].eachMove(in: situation) { deed in
                if index == number { move = Move(actor: place, deed: deed) }
                index += 1
            }
        }
        return move
    }

    private func tell(_ move: Move, in situation: inout Situation) -> Story.Step {
        let actor = actors[move.actor]
        switch move.deed {
        case .event(let event):
            let reason = situation.reason(of: event, by: actor)
            guard situation.take(move.deed, by: actor) else {
                preconditionFailure("a story makes the moves of its search")
            }
            return Story.Step(move: move, reason: reason, prompts: Prompts())
        case .request(let action, let slot):
            let item = situation.world[slot]?.item
            var context = Context()
            context.reuse = scene.reuse
            let outcome = situation.ask(action, of: slot, by: actor, in: &context)
            var trace = Trace()
            if var item {
                if action == .add { item.binding = nil }
                context.offersApplicationPassword = action == .add
                _ = decide(
                    Request(action, item, in: context), under: situation.world.device.conditions(for: actor.app),
                    into: &trace)
            }
            return Story.Step(
                move: move, reason: .decided(granted: outcome.decision.isGranted, rules: Array(trace)),
                prompts: outcome.prompts)
        }
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
