internal import AccessPolicy
internal import DeviceModel

extension Prover {
    /// Returns the search that decides whether `owner` can reach `aim` from every situation that `attacker` can bring
    /// about.
    ///
    /// The attacker moves first, alone, and then the owner, alone: damage that owners do to themselves is no attack.
    /// The check marks each situation in which the device grants the owner's request. Then it marks each situation from
    /// which a move of the owner leads to a marked one, until nothing changes. If the attacker can leave the owner in
    /// an unmarked situation, that is a counterexample.
    ///
    /// The attacker restores no backup onto another device and lets no items arrive on one, because nothing that they read
    /// there changes the owner's device. What they delete there is a move of its own. The owner never restores a backup that
    /// the attacker made.
    ///
    /// Once the item is gone for good, no move leads to a marked situation. So no shorter attack lies beyond the first
    /// level with such a situation, and only the situations before it need checking.
    func always(
        _ aim: Aim, of item: Int, by owner: Profile, against attacker: Profile, assuming assumptions: Assumptions
    ) -> Inquiry {
        let company = owner == attacker ? [attacker] : [attacker, owner]
        var search = Search(
            scene, company, assuming: assumptions, about: Search.Subject(item, of: aim),
            allowing: {
                $0.actor == 0 && $0.deed != .event(.restoredOntoAnotherDevice) && $0.deed != .account(.arrive)
            },
            limits: limits)
        search.endsOnceGone = aim != .destroy
        return Inquiry(search: search) { search in
            verdict(on: aim, of: item, after: search, assuming: assumptions)
        }
    }

    private func verdict(
        on aim: Aim, of item: Int, after search: Search, assuming assumptions: Assumptions
    ) -> Verdict {
        let gone = search.endsOnceGone ? search.firstGone : nil
        let checked = gone ?? search.found.count
        var recovery = Recovery(search, first: checked, aim, of: item)
        recovery.run()
        var extent = search.extent
        extent.situations = max(search.found.count, recovery.found.count)
        extent.moves += recovery.generated
        extent.bytes = recovery.found.bytes
        // Numbers grow with the distance, so the first unmarked situation is one of the nearest.
        let stuck = (0..<checked).first { !recovery.succeeds(from: $0) } ?? gone
        guard let stuck, !recovery.isOutOfRoom else {
            let holds = stuck == nil && search.end == .complete
            // If the item was unusable in some situation and the owner still reaches it, a backup brought it back.
            let reliesOnBackup =
                holds && aim != .readNext
                && search.situations.contains {
                    aim.isAboutFile ? !$0.world.files[item].isPresent : $0.isUseless(scene.items[item])
                }
            return Verdict(
                answer: holds ? .holds : .undecided, story: nil, extent: extent, assumptions: assumptions,
                reliesOnBackup: reliesOnBackup)
        }
        let way = Way(situation: stuck, deeds: [], item: item, length: search.found.path(to: stuck).count)
        let owner = search.actors[search.actors.count - 1]
        let deeds = owner.apps.flatMap { app in
            aim.facts.map { $0.deeds(on: item, in: scene, through: app) }.first { !$0.isEmpty } ?? []
        }
        return Verdict(
            answer: .fails,
            story: search.story(way, about: aim, inVain: aim.isAboutFile ? [deeds[0]] : aim == .readNext ? [] : deeds),
            extent: extent,
            assumptions: assumptions)
    }

    /// Returns the search that decides whether `workflow` shows a person of `profile` at most `count` prompts.
    ///
    /// The person answers every prompt correctly. Each request has its own context, unless the app keeps one. The claim
    /// is about every app of the item's access group, each of which makes all requests.
    func atMost(
        _ count: Int, for workflow: [Action], of item: Int, by profile: Profile, assuming assumptions: Assumptions
    ) -> Inquiry {
        let search = Search(scene, [profile], assuming: assumptions, about: .item(item), limits: limits)
        return Inquiry(search: search) { search in
            verdict(onAtMost: count, for: workflow, of: item, after: search, assuming: assumptions)
        }
    }

    private func verdict(
        onAtMost count: Int, for workflow: [Action], of item: Int, after search: Search,
        assuming assumptions: Assumptions
    ) -> Verdict {
        let actor = search.actors[0]
        var best: Way?
        for number in 0..<search.found.count {
            let situation = search.situation(number)
            guard actor.canAsk(in: situation) else { continue }
            // Waiting only for a reused unlock or a kept context to expire helps no attacker, so the search itself does
            // not try it.
            let pauses = [actor.pauseUntilNoReuse(in: situation, scene.reuse), actor.pauseUntilNoneKept(in: situation)]
            for pause in [nil] + pauses.filter({ $0 != nil }) {
                let length = search.found.path(to: number).count + (pause == nil ? 0 : 1) + workflow.count
                guard length < best?.length ?? .max else { continue }
                let app = actor.apps.first {
                    prompts(workflow, of: item, by: actor, through: $0, in: situation, after: pause) > count
                }
                guard let app else { continue }
                best = Way(
                    situation: number, pause: pause, deeds: workflow.map { .request($0, scene.items[item], app) },
                    item: item, length: length)
            }
        }
        if let best {
            return Verdict(
                answer: .fails, story: search.story(best), extent: search.extent, assumptions: assumptions)
        }
        return Verdict(
            answer: search.end == .outOfRoom ? .undecided : .holds, story: nil, extent: search.extent,
            assumptions: assumptions)
    }

    private func prompts(
        _ workflow: [Action], of item: Int, by actor: Actor, through app: AppID, in situation: Situation,
        after pause: TimeSpan?
    ) -> Int {
        var situation = situation
        if let pause { _ = situation.perform(.event(.timePassed(pause)), by: actor) }
        let slot = scene.items[item]
        var kept = situation.context(for: slot, by: actor, through: app, reuse: scene.reuse)
        return workflow.reduce(0) { sum, action in
            switch actor.assumptions.contexts {
            case .fresh:
                sum + situation.ask(action, of: slot, by: actor, through: app, reuse: scene.reuse).prompts.count
            case .kept: sum + situation.ask(action, of: slot, by: actor, through: app, in: &kept).outcome.prompts.count
            }
        }
    }
}

extension Actor {
    /// Returns the wait until the last unlock by biometry is too old to be reused, or nil if it already is or they
    /// cannot wait.
    fileprivate func pauseUntilNoReuse(in situation: Situation, _ reuse: TimeSpan) -> TimeSpan? {
        guard reuse > .zero, let unlock = situation.world.device.biometricUnlock else { return nil }
        return pause(until: unlock.at + min(reuse, Context.longestReuse), in: situation)
    }

    /// Returns the wait until the kept context expires, or nil if it never does or they cannot wait.
    fileprivate func pauseUntilNoneKept(in situation: Situation) -> TimeSpan? {
        guard let kept = situation.kept else { return nil }
        switch situation.world.device.settings.fidelity.contextLifetime {
        case .untilInvalidated: return nil
        case .tenMinutes: return pause(until: kept.at + Context.longestLifetime, in: situation)
        }
    }

    /// Returns the wait until `last` is over, or nil if it already is or they cannot wait.
    private func pause(until last: Instant, in situation: Situation) -> TimeSpan? {
        guard profile.can.contains(.wait) else { return nil }
        let pause = last + TimeSpan(milliseconds: 1) - situation.world.device.now
        let isInTime = profile.timeLimit == nil || pause <= situation.timeLeft ?? pause
        return pause > .zero && isInTime ? pause : nil
    }
}
