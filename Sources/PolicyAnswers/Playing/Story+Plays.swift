internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver
internal import PolicyWords

extension Attack {
    /// Returns the moves of the story as steps of a device that is played: the number of steps before the device comes
    /// to the first person, and all steps.
    func plays(_ cast: Cast) -> JSON {
        var steps: [JSON] = []
        var companion = CompanionTrack(scene.world.device.companion.state)
        for (number, event) in before.enumerated() {
            if number == authentication?.after { steps.append(authenticates) }
            companion.apply(event)
            steps.append(Self.step(event, nil, companion, cast))
        }
        if before.count == authentication?.after { steps.append(authenticates) }
        // The device comes to the first person.
        steps.append(.object(["hold": .string(people[0].name)]))
        let count = steps.count
        for step in self.steps + inVain {
            let name = people[step.move.actor].name
            switch step.move.deed {
            case .event(let event):
                companion.apply(event)
                steps.append(Self.step(event, step.reason == .guesses ? nil : name, companion, cast))
            case .request(let action, _, _):
                var members: [String: JSON] = [action.word: .string("item"), "by": .string(name)]
                if assumptions.contexts == .kept, !people[step.move.actor].asksFromOtherGroup {
                    members.set("context", to: .string("kept"))
                }
                if step.bringsPassword { members.set("applicationPassword", to: .string(Cast.applicationPassword)) }
                let needsPassword = scene.world[scene.items[item]]?.item.control.needsApplicationPassword == true
                if action == .add && needsPassword {
                    members.set("applicationPassword", to: .string("another password"))
                }
                steps.append(.object(members))
            // A request states neither a file nor an account, so no search for one makes these moves.
            case .file, .account, .deletionOnOwn, .arrivalOfNext: continue
            }
        }
        return .object(["before": .number(count), "steps": .array(steps)])
    }

    /// The step in which the owner authenticates in the context that the app keeps.
    private var authenticates: JSON {
        .object([
            (scene.isKey(item) ? Action.sign : .readData).word: .string("item"), "by": .string(Profile.owner.name),
            "context": .string("kept"), "with": .array((authentication?.factors ?? []).map { .string($0.name) }),
        ])
    }

    private static func step(_ event: Event, _ by: String?, _ companion: CompanionTrack, _ cast: Cast) -> JSON {
        let (row, value) = event.step(cast, companion: companion.state).written
        var members = [row.word: value.json]
        if let by, row.takesPerson { members.set("by", to: .string(by)) }
        return .object(members)
    }
}

extension StepValue {
    fileprivate var json: JSON {
        switch self {
        case .nothing: return .null
        case .text(let text): return .string(text)
        case .texts(let texts): return .array(texts.map { .string($0) })
        case .fields(let fields):
            var members: [String: JSON] = [:]
            for field in fields { members.set(field.key, to: .string(field.text)) }
            return .object(members)
        }
    }
}
