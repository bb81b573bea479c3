internal import AccessPolicy
internal import DeviceModel

extension Prover {
    /// Whether `owner` can come to `aim` in the end from wherever `attacker` brings the device.
    ///
    /// All that the two can bring about is searched. Those situations in which the owner's request is granted are marked, and those
    /// from which a move of the owner leads to a marked one, until there are no more. What is not marked is a counterexample.
    func always(_ aim: Aim, of item: Int, by owner: Profile, against attacker: Profile) async -> Verdict {
        let company = owner == attacker ? [attacker] : [attacker, owner]
        var search = Search(scene, company, limits: limits)
        await search.run(tasks: tasks)
        if search.end == .outOfRoom { return Verdict(answer: .undecided, story: nil, extent: search.extent) }
        let ownersPlace = company.count - 1
        let actor = search.actors[ownersPlace]
        let wanted = Facts([aim], of: item)

        var isMarked = Array(repeating: false, count: search.found.count)
        var fresh: [Int] = []
        var origins: [(to: Int, from: Int)] = []
        for number in 0..<search.found.count {
            let situation = search.codec.situation(search.found.keys[number])
            let facts = situation.facts(among: wanted, at: scene.items, for: actor, reuse: scene.reuse)
            if !facts.isEmpty {
                isMarked[number] = true
                fresh.append(number)
            } else if !search.isOver(situation) {
                search.eachMove(in: situation) { _, move, next in
                    guard move.actor == ownersPlace else { return }
                    origins.append((search.found.number(of: search.codec.key(next)), number))
                }
            }
        }
        origins.sort { $0.to < $1.to }
        while let number = fresh.popLast() {
            var at = origins.partitioningIndex { $0.to >= number }
            while at < origins.count, origins[at].to == number {
                let from = origins[at].from
                if !isMarked[from] {
                    isMarked[from] = true
                    fresh.append(from)
                }
                at += 1
            }
        }
        // Numbers grow with the distance, so the first is among the nearest.
        guard let stuck = isMarked.firstIndex(of: false) else {
            return Verdict(answer: .holds, story: nil, extent: search.extent)
        }
        let way = Way(situation: stuck, requests: [], item: item, length: search.found.path(to: stuck).count)
        let requests = aim.facts.first { !$0.requests.isEmpty }?.requests ?? []
        return Verdict(answer: .fails, story: search.story(way, inVain: requests), extent: search.extent)
    }

    /// Whether `workflow`, in one context each, never asks somebody of `profile` for more than `count` proofs.
    func atMost(_ count: Int, for workflow: [Action], of item: Int, by profile: Profile) async -> Verdict {
        var search = Search(scene, [profile], limits: limits)
        await search.run(tasks: tasks)
        let actor = search.actors[0]
        for number in 0..<search.found.count {
            var situation = search.codec.situation(search.found.keys[number])
            guard actor.canAsk(in: situation) else { continue }
            var prompts = 0
            for action in workflow {
                prompts += situation.ask(action, of: scene.items[item], by: actor, reuse: scene.reuse).prompts.count
            }
            guard prompts > count else { continue }
            let length = search.found.path(to: number).count + workflow.count
            let way = Way(situation: number, requests: workflow, item: item, length: length)
            return Verdict(answer: .fails, story: search.story(way), extent: search.extent)
        }
        return Verdict(
            answer: search.end == .outOfRoom ? .undecided : .holds, story: nil, extent: search.extent)
    }
}

extension Array {
    /// The first place of which `holds`, where it holds of every place after one of which it does.
    fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
