import AccessPolicy

/// Decisions about items with every set of flags, under mixed conditions and evidence. They are the same in every run.
struct Workload {
    struct Question {
        let request: Request
        let conditions: Conditions
    }

    let questions: [Question]

    init(count: Int) throws {
        var controls: [AccessControl] = []
        let flags = AccessControlFlags.named.map(\.flag)
        for pattern in 0..<(1 << flags.count) {
            let chosen = flags.indices.filter { pattern >> $0 & 1 == 1 }.map { flags[$0] }
            for protection in [Accessibility.whenUnlocked, .afterFirstUnlock, .whenPasscodeSetThisDeviceOnly] {
                // Apple refuses two thirds of all combinations. Leave them out.
                if let control = try? AccessControl(protection: protection, flags: AccessControlFlags(chosen)) {
                    controls.append(control)
                }
            }
        }
        var state: UInt64 = 1
        func draw(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        questions = (0..<count).map { _ in
            let control = controls[Int(draw(UInt64(controls.count)))]
            var conditions = Conditions(now: .start + .hours(1))
            conditions.companion = .ready
            if draw(8) == 0 { conditions.openClasses = [.always] }
            if draw(8) == 0 { conditions.domainState.epoch = 2 }
            if draw(16) == 0 { conditions.groups = [.token] }
            let item = Item(
                control,
                binding: Binding(domainState: DomainState(sensor: 1, epoch: 1), passcodeClassKey: 1),
                isKey: control.guardsKeyUse)
            var context = Context()
            context.isInvalidated = draw(32) == 0
            for factor in Factor.allCases where draw(3) != 0 { context.add(Evidence(factor, under: conditions)) }
            return Question(
                request: Request(control.guardsKeyUse ? .sign : .readData, item, in: context), conditions: conditions)
        }
    }

    /// The workload for the peers: the facts as Boolean values, and our answer.
    ///
    /// This decides nothing: each value is one fact about the item, the device, the caller or the evidence.
    var json: String {
        let rows = questions.map { question in
            guard case .item(let item, _, _) = question.request.subject else { return "" }
            let conditions = question.conditions
            let asked = item.control.requirements
            let facts: [(String, Bool)] = [
                ("invalidated", question.request.context.isInvalidated),
                ("inGroup", conditions.groups.contains(item.group)),
                ("classOpen", conditions.openClasses.contains(item.control.protection.keyClass)),
                ("setChanged", item.binding?.domainState != conditions.domainState),
                ("asksPresence", asked.contains(.presence)),
                ("asksBiometry", asked.contains(.biometryAny)),
                ("asksCurrentSet", asked.contains(.biometryCurrentSet)),
                ("asksCompanion", asked.contains(.companion)),
                ("asksPasscode", asked.contains(.passcode)),
                ("anyDoes", item.control.flags.contains(.or)),
                ("asksPassword", item.control.needsApplicationPassword),
                ("hasBiometry", question.request.context[.biometry] != nil),
                ("hasCompanion", question.request.context[.companion] != nil),
                ("hasPasscode", question.request.context[.passcode] != nil),
                ("hasPassword", question.request.context[.applicationPassword] != nil),
            ]
            let granted = decide(question.request, under: conditions).isGranted
            let context = facts.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
            return "{\"granted\": \(granted), \"context\": {\(context)}}"
        }
        return "[" + rows.joined(separator: ",\n") + "]\n"
    }
}
