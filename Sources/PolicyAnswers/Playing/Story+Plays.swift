internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver

extension Story {
    /// Returns the moves of the story as steps of a device that is played: the number of steps before the device comes
    /// to the first person, and all steps.
    func plays(_ cast: Cast) -> JSON {
        var steps: [JSON] = []
        var companion = CompanionTrack(scene.world.device.companion)
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
            // A request states no file, so no search for one moves a file.
            case .file: continue
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
        let (word, value, takesPerson) = words(for: event, companion, cast)
        var members = [word: value]
        if let by, takesPerson { members.set("by", to: .string(by)) }
        return .object(members)
    }

    /// Returns the event as a step: its word, its value, and true if a person does it.
    private static func words(for event: Event, _ companion: CompanionTrack, _ cast: Cast) -> (String, JSON, Bool) {
        func finger(_ finger: Finger) -> JSON { .string(cast.name(of: finger)) }
        func code(_ code: Passcode) -> JSON {
            code.rawValue < Passcode.firstGuess
                ? .string(cast.name(of: code)) : .string("guess \(code.rawValue - Passcode.firstGuess + 1)")
        }
        return switch event {
        case .reboot: ("reboot", .null, true)
        case .lock: ("lock", .null, true)
        case .remoteLock: ("lockRemotely", .null, true)
        case .emergency: ("holdButtons", .null, true)
        case .timePassed(let span): ("wait", .string(span.written), false)
        case .passcodeEntered(let typed), .passcodeRecovered(let typed):
            ("unlock", .object(["passcode": code(typed)]), true)
        case .presented(let shown): ("unlock", .object(["finger": finger(shown)]), true)
        case .passcodeSet(let next), .passcodeChanged(let next): ("setPasscode", code(next), true)
        case .passcodeRemoved: ("removePasscode", .null, true)
        case .enrolled(let new): ("enroll", finger(new), true)
        case .removed(let former): ("remove", finger(former), true)
        case .sensorForgot(let former): ("remove", finger(former), false)
        case .biometryReset: ("resetBiometry", .null, true)
        case .securityDelayStarted: ("startSecurityDelay", .null, true)
        case .companionPaired, .companionUnpaired, .companionNear, .companionAway, .companionUnlocked,
            .companionLocked:
            ("companion", .string(companion.state.name), true)
        case .biometryPermitted(let app): ("permitBiometry", .string(app == .first ? "app" : "another app"), true)
        case .biometryDenied(let app): ("denyBiometry", .string(app == .first ? "app" : "another app"), true)
        // No move of a search installs or removes an app.
        case .appInstalled, .appRemoved: ("wait", .string("0s"), false)
        case .backupTaken(let isEncrypted): ("backup", .string(isEncrypted ? "encrypted" : "unencrypted"), true)
        case .restoredOntoThisDevice: ("restore", .string("thisDevice"), true)
        case .restoredOntoAnotherDevice: ("restore", .string("anotherDevice"), true)
        case .erase: ("erase", .null, true)
        }
    }
}

/// The state of the companion after each event. Steps name the state, and not the event.
private struct CompanionTrack {
    private var isPaired: Bool
    private var isNear: Bool
    private var isUnlocked: Bool

    init(_ companion: Device.Companion) {
        (isPaired, isNear, isUnlocked) = (companion.isPaired, companion.isNear, companion.isUnlocked)
    }

    var state: CompanionState { !isPaired ? .notPaired : !isNear ? .away : isUnlocked ? .ready : .locked }

    mutating func apply(_ event: Event) {
        switch event {
        case .companionPaired: (isPaired, isNear, isUnlocked) = (true, false, false)
        case .companionUnpaired, .erase, .restoredOntoThisDevice, .restoredOntoAnotherDevice:
            (isPaired, isNear, isUnlocked) = (false, false, false)
        case .companionNear: isNear = true
        case .companionAway: isNear = false
        case .companionUnlocked: isUnlocked = true
        case .companionLocked: isUnlocked = false
        case .reboot, .lock, .passcodeEntered, .presented, .timePassed, .passcodeSet, .passcodeChanged,
            .passcodeRemoved, .passcodeRecovered, .enrolled, .removed, .biometryReset, .sensorForgot,
            .securityDelayStarted, .appInstalled, .appRemoved, .biometryPermitted, .biometryDenied, .backupTaken,
            .remoteLock, .emergency:
            break
        }
    }
}
