public import AccessPolicy
public import DeviceModel

/// A shortest sequence of moves that shows how an attacker or an owner reaches an aim, beginning with the device as its
/// owner left it.
///
/// If a claim that something never happens fails, its story is the attack.
public struct Attack: Hashable, Sendable {
    /// The device and the items stored on it.
    public let scene: Scene
    /// The people who act. Steps refer to them by index.
    public let people: [Profile]
    /// The index of the item that the story is about, among those of the scene, or of the file.
    public let item: Int
    /// True if the story is about a file instead of an item.
    public let isAboutFile: Bool
    /// The assumptions of the search that found it.
    public let assumptions: Assumptions
    /// The events before the device comes to the first person.
    public let before: [Event]
    /// The owner's authentication in the context that the app keeps, or nil if no step relies on it.
    public let authentication: Authentication?
    /// The moves of the story, in order.
    public let steps: [Step]
    /// The owner's last requests or uses of the file, all denied, if the story shows how an attacker locks the owner out. Otherwise it is
    /// empty.
    public let inVain: [Step]

    /// The owner's authentication in a context that the app keeps.
    public struct Authentication: Hashable, Sendable {
        /// The number of events in ``Attack/before`` that precede it.
        public let after: Int
        /// The factors that the owner gives.
        public let factors: FactorSet
        /// The app that keeps the context.
        public let app: AppID
    }

    /// One move, with the reason for its outcome.
    public struct Step: Hashable, Sendable {
        /// The move and the person who makes it.
        public let move: Move
        /// The reason why it succeeds or is denied.
        public let reason: Reason
        /// The prompts that it shows, in order.
        public let prompts: Prompts
        /// The factors that count here because the owner authenticated with them in the context that the app keeps.
        public var kept = FactorSet()
        /// True if the app supplies the application password, so that no prompt asks for it.
        public var bringsPassword = false

        /// Creates a step that uses neither a kept context nor a password from the app.
        init(move: Move, reason: Reason, prompts: Prompts) {
            self.move = move
            self.reason = reason
            self.prompts = prompts
        }
    }

    /// The reason why a step succeeds or is denied.
    public enum Reason: Hashable, Sendable {
        /// It takes nothing but the device in hand, or not even that.
        case nothingNeeded
        /// The device is unlocked.
        case deviceUnlocked
        /// The settings ask for an unlocked device and for its passcode, if it has one.
        case settings(hasPasscode: Bool)
        /// Stolen Device Protection also asks for biometry and, for some settings, for the end of the security delay.
        case protectedSettings(afterDelay: Bool)
        /// The person knows the passcode.
        case knowsPasscode
        /// The person guesses at the passcode.
        case guesses
        /// The finger is enrolled.
        case knownFinger
        /// The person tries a finger that is not enrolled.
        case unknownFinger
        /// The person wears the companion.
        case wearsCompanion
        /// The person can open the backup.
        case opensBackup
        /// The engine decided the request by these rules; `granted` is the final decision.
        case decided(granted: Bool, rules: [Rule])
        /// The engine decided an access to the file by this rule.
        case decidedFile(FileAccess, FileRule)
        /// There is no such file.
        case fileMissing
        /// The file belongs to another app than the one that the person asks through.
        case otherAppsFile
        /// The account allows this move; nil for what devices of the circle do by themselves.
        case account(AccountMove?)
    }
}

extension Search {
    /// Returns the story of `way`, replayed on the world itself instead of its normal form.
    ///
    /// The last of the actors then makes the moves of `inVain`. `aim` says what the story is about if `way` ends with no
    /// request.
    func story(_ way: Way, about aim: Aim? = nil, inVain deeds: [Move.Deed] = []) -> Attack {
        var situation = scene.beginning(for: actors[0].profile, assuming: assumptions)
        var steps: [Attack.Step] = []
        for index in found.path(to: way.situation) {
            guard let move = move(index, in: situation) else {
                preconditionFailure("a story makes the moves of its search")
            }
            steps.append(tell(move, in: &situation))
        }
        if let pause = way.pause {
            steps.append(tell(Move(actor: 0, deed: .event(.timePassed(pause))), in: &situation))
        }
        // An app that keeps a context makes all requests of a workflow in it.
        let slot = scene.items.indices.contains(way.item) ? scene.items[way.item] : nil
        let app = way.deeds.compactMap { $0.app }.first ?? actors[0].apps[0]
        var context =
            slot.map { situation.context(for: $0, by: actors[0], through: app, reuse: scene.reuse) } ?? Context()
        for deed in way.deeds {
            if let slot, assumptions.contexts == .fresh {
                context = situation.context(for: slot, by: actors[0], through: app, reuse: scene.reuse)
            }
            steps.append(tell(Move(actor: 0, deed: deed), in: &situation, &context))
        }
        var inVain: [Attack.Step] = []
        for deed in deeds where actors[actors.count - 1].canAsk(in: situation) {
            inVain.append(tell(Move(actor: actors.count - 1, deed: deed), in: &situation))
        }
        let prelude = scene.prelude(for: actors[0].profile, assuming: assumptions)
        let kept = (steps + inVain).reduce(FactorSet()) { $0.union($1.kept) }
        let keeper = (steps + inVain).first { !$0.kept.isEmpty }?.move.deed.app ?? app
        let isAboutFile = aim?.isAboutFile ?? (way.deeds + steps.map { $0.move.deed }).contains { $0.isOfFile }
        let ways =
            isAboutFile
            ? []
            : scene.authentications(for: actors[0].profile, assuming: assumptions, through: keeper)[way.item]
        return Attack(
            scene: scene, people: actors.map { $0.profile }, item: way.item, isAboutFile: isAboutFile,
            assumptions: assumptions,
            before: prelude.events,
            authentication: kept.isEmpty
                ? nil
                : ways.first { kept.isSubset(of: $0) }.map {
                    Attack.Authentication(after: prelude.authenticatesAfter, factors: $0, app: keeper)
                }, steps: steps, inVain: inVain)
    }

    private func move(_ number: Int, in situation: Situation) -> Move? {
        var found: Move?
        eachOffer(in: situation) { index, move in if index == number { found = move } }
        return found
    }

    private func tell(_ move: Move, in situation: inout Situation) -> Attack.Step {
        var context = Context()
        if case .request(_, let slot, let app) = move.deed {
            context = situation.context(for: slot, by: actors[move.actor], through: app, reuse: scene.reuse)
        }
        return tell(move, in: &situation, &context)
    }

    private func tell(_ move: Move, in situation: inout Situation, _ context: inout Context) -> Attack.Step {
        let actor = actors[move.actor]
        switch move.deed {
        case .event, .account, .deletionOnOwn, .arrivalOfNext:
            let reason = situation.reason(of: move.deed, by: actor)
            guard situation.perform(move.deed, by: actor) else {
                preconditionFailure("a story makes the moves of its search")
            }
            return Attack.Step(move: move, reason: reason, prompts: Prompts())
        case .request(let action, let slot, let app):
            let place = situation.world[slot]
            let asked = situation.ask(action, of: slot, by: actor, through: app, in: &context)
            let outcome = asked.outcome
            if action == .delete, outcome.decision.isGranted { situation.noteDeletion(of: slot, by: actor) }
            var trace = Trace()
            if var item = place?.item {
                if action == .add { item.binding = nil }
                context.offersApplicationPassword = action == .add
                let isThere = place?.isPresent == true || action == .add
                _ = decide(
                    isThere
                        ? Request(action, item, in: context) : Request(action, missingFrom: item.group, in: context),
                    under: situation.world.device.conditions(for: app), into: &trace)
            }
            var step = Attack.Step(
                move: move, reason: .decided(granted: outcome.decision.isGranted, rules: Array(trace)),
                prompts: outcome.prompts)
            step.bringsPassword = asked.bringsPassword
            if case .granted(let grant) = outcome.decision {
                let kept = (actor.kept[app]?[slot] ?? []).subtracting(FactorSet(outcome.prompts))
                step.kept = grant.way.intersection(kept)
                if grant.reusesUnlock { step.kept.remove(.biometry) }
                if asked.bringsPassword { step.kept.remove(.applicationPassword) }
            }
            return step
        case .file(let use, let place):
            let reason = Attack.Reason(situation.answer(to: use, of: place, by: actor))
            _ = situation.perform(use, of: place, by: actor)
            return Attack.Step(move: move, reason: reason, prompts: Prompts())
        }
    }
}

extension Attack.Reason {
    fileprivate init(_ answer: FileOutcome) {
        self =
            switch answer {
            case .decided(let access, let decision): .decidedFile(access, decision.rule)
            case .backup: .opensBackup
            case .unlockedDevice: .deviceUnlocked
            case .missing: .fileMissing
            case .otherApps: .otherAppsFile
            }
    }
}

extension Move.Deed {
    fileprivate var isOfFile: Bool { if case .file = self { true } else { false } }

    /// The app that makes the request, or nil if the move is none.
    fileprivate var app: AppID? { if case .request(_, _, let app) = self { app } else { nil } }
}

extension FactorSet {
    fileprivate init(_ prompts: Prompts) {
        self.init()
        for factor in prompts { insert(factor) }
    }
}

extension Situation {
    fileprivate func reason(of deed: Move.Deed, by actor: Actor) -> Attack.Reason {
        let event: Event
        switch deed {
        case .event(let happening): event = happening
        case .account(let move): return .account(move)
        case .request, .file, .deletionOnOwn, .arrivalOfNext: return .account(nil)
        }
        return switch event.means(on: world.device) {
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
