internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver

/// The most steps that one request may have.
private let mostSteps = 1000

/// Returns the state of a device and the outcome of every step: first the beginning, and then each of the steps.
///
/// The answer depends on the request alone, so a shorter list of steps is an earlier moment.
func play(_ members: inout Members) throws(QuestionError) -> JSON {
    let subject = try Subject(&members)
    let steps = members.value("steps") ?? .array([])
    try members.finish()
    guard case .array(let steps) = steps else { throw QuestionError("\"steps\" takes a list of steps") }
    if steps.count > mostSteps { throw QuestionError("play takes at most \(mostSteps) steps") }
    var device: PlayedDevice
    do throws(StoringError) { device = try PlayedDevice(subject) } catch { throw QuestionError(error.description) }
    var played = [JSON.object(["outcome": .string("beginning"), "state": device.state])]
    for (number, step) in steps.enumerated() {
        let outcome: PlayedDevice.Outcome
        do throws(QuestionError) {
            outcome = try device.play(step)
        } catch {
            throw QuestionError("step \(number + 1): \(error.description)")
        }
        var members = outcome.members
        members.set("state", to: device.state)
        played.append(.object(members))
        if case .asks = outcome, number + 1 < steps.count {
            throw QuestionError("step \(number + 1) waits for an answer: add it before the next step")
        }
    }
    return .array(played)
}

extension PlayedDevice.Outcome {
    /// The outcome as members of an answer.
    fileprivate var members: [String: JSON] {
        switch self {
        case .happened: return ["outcome": .string("happened")]
        case .refused(let reason): return ["outcome": .string("refused"), "because": .string(reason)]
        case .asks(let factor, let wayOut, let rules):
            let fallback =
                switch wayOut {
                case .none: "none"
                case .afterMisses: "afterMisses"
                case .offered: "offered"
                }
            return [
                "outcome": .string("asks"), "factor": .string(factor.name), "fallback": .string(fallback),
                "rules": .array(rules.map { $0.json }),
            ]
        case .decided(let decision, let rules, let prompts):
            var members: [String: JSON] = [:]
            var rules = rules
            members.set("outcome", to: .string(decision.isGranted ? "granted" : "denied"))
            if case .granted(let grant) = decision {
                members.set("way", to: .array(grant.way.map { .string($0.name) }))
            }
            if let denial = decision.denial {
                // A rule of the prompts ended the request after the last decision.
                if rules.last != denial.rule { rules.append(denial.rule) }
                members.set("because", to: .string(denial.rule.summary))
                members.set("flips", to: .string(denial.rule.remedy.text))
            }
            members.set("rules", to: .array(rules.map { $0.json }))
            members["prompts"] = .array(
                prompts.indices.map { place in
                    .object([
                        "factor": .string(prompts[place].name), "ending": .string(prompts.ending(at: place).word),
                    ])
                })
            return members
        }
    }
}

extension Rule {
    /// The rule with its text, its evidence and what would overcome it.
    fileprivate var json: JSON {
        .object([
            "rule": .string(identifier), "says": .string(summary), "source": .string(facts.source),
            "effect": .string(facts.effect.rawValue),
            "flips": remedy == .nothing ? .null : .string(remedy.text),
        ])
    }
}

extension Prompts.Ending {
    fileprivate var word: String {
        switch self {
        case .canceled: "canceled"
        case .failed: "failed"
        case .authenticated: "authenticated"
        }
    }
}

extension PlayedDevice {
    /// The state of the device and the item.
    fileprivate var state: JSON {
        let device = world.device
        func seconds(until moment: Instant) -> JSON {
            .number("\(max(0, ((moment - device.now).milliseconds + 999) / 1000))")
        }
        let passcode =
            switch device.passcodeState {
            case .notSet: "notSet"
            case .ready: "ready"
            case .delayed: "delayed"
            case .disabled: "disabled"
            }
        return .object([
            "seconds": .number("\((device.now - .start).milliseconds / 1000)"), "holder": .string(holder.name),
            "isLocked": .bool(device.isLocked), "hasFirstUnlock": .bool(device.hasFirstUnlock),
            "passcode": .string(passcode),
            "passcodeIs": device.passcode.map { .string(cast.name(of: $0)) } ?? .null,
            "passcodeWait": seconds(until: device.delayedUntil),
            "wantsPasscode": .bool(!device.passcodeReasons.isEmpty || device.isLockedOut),
            "enrolled": .array(device.enrolled.map { .string(cast.name(of: $0)) }),
            "misses": .number(Int(device.failedMatches)), "isLockedOut": .bool(device.isLockedOut),
            "securityDelay": device.securityDelayEnds.map { seconds(until: $0) } ?? .null,
            "companion": .string(device.companion.state.name), "hasBackup": .bool(world.hasBackup),
            "keys": keys, "item": .string(item),
        ])
    }

    /// The class keys: open, closed, or none if the key does not exist.
    private var keys: JSON {
        let open = world.device.openClasses
        var members: [String: JSON] = [:]
        for key in KeyClass.allCases {
            let isMissing = key == .whenPasscodeSet && world.device.passcode == nil
            members[key.name] = .string(isMissing ? "none" : open.contains(key) ? "open" : "closed")
        }
        return .object(members)
    }
}
