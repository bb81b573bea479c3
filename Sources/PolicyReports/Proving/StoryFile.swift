internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver
package import PolicyScenarios
internal import ScenarioFormat

/// The moves behind a proof as a scenario, which replays them on a real vault.
package struct StoryFile {
    private let proposition: Proposition
    private let story: Story
    private let names: StoryNames
    private var setting: Proposition.Setting { proposition.setting }

    /// Creates the scenario for `proof`; nil if no moves are behind it.
    package init?(_ proof: Proof) {
        guard let story = proof.verdict.story else { return nil }
        proposition = proof.proposition
        self.story = story
        names = StoryNames(story, of: proof.proposition.setting)
    }

    /// Returns the scenarios of all `proofs` with moves, as one file; nil if there are none.
    package static func text(of proofs: [Proof]) -> String? {
        let texts = proofs.compactMap { StoryFile($0)?.text }
        return texts.isEmpty ? nil : texts.joined(separator: "---\n")
    }

    /// The scenario as the text of a file.
    package var text: String {
        var text = "name: \(value(name))\nabout: \(value("The moves behind a claim: \(proposition.fullName)."))\n"
        text += device + fidelity + apps + people + subject + "steps:\n"
        for (number, event) in story.before.enumerated() {
            if number == story.authentication?.after { text += authentication }
            text += step(event, by: nil, expecting: nil, note: nil)
        }
        if story.before.count == story.authentication?.after { text += authentication }
        var companion = CompanionTrack(setting.device.companion)
        for event in story.before { companion.apply(event) }
        for one in story.steps { text += step(one, &companion) }
        for one in story.inVain { text += step(one, &companion) }
        return text
    }

    private var name: String {
        let who = story.people.map(\.name).joined(separator: " and ")
        return "\(who): \(proposition.claim)"
    }

    // MARK: - Declarations

    private var device: String {
        let setup = setting.device
        var lines = [
            "device:", "  biometry: \(setup.settings.sensor)", "  passcode: \(setup.passcode.map(value) ?? "none")",
        ]
        lines.append("  enrolled: [\(setup.enrolled.map(value).joined(separator: ", "))]")
        if setup.companion != .notPaired { lines.append("  companion: \(setup.companion)") }
        let usual = DeviceSettings()
        if setup.settings.lockGrace != usual.lockGrace {
            lines.append("  lockGrace: \(setup.settings.lockGrace.written)")
        }
        if setup.settings.stolenDeviceProtection { lines.append("  stolenDeviceProtection: true") }
        if setup.settings.attemptEnd != usual.attemptEnd { lines.append("  attemptEnd: \(setup.settings.attemptEnd)") }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The disputed points whose choices differ from the default.
    private var fidelity: String {
        let usual = FieldNames(of: Fidelity()).all
        let lines = zip(FieldNames(of: setting.device.settings.fidelity).all, usual).compactMap { point, usual in
            point.choice == usual.choice ? nil : "  \(point.name): \(point.choice)\n"
        }
        return lines.isEmpty ? "" : "fidelity:\n" + lines.joined()
    }

    private var apps: String {
        var text = "apps:\n"
        for app in setting.apps {
            var fields = ["groups: [\(app.groups.map(value).joined(separator: ", "))]"]
            if app.permission != .given { fields.append("faceIDPermission: \(app.permission)") }
            if !app.declaresUsage { fields.append("declaresFaceIDUsage: false") }
            text += "  \(key(app.name)): { \(fields.joined(separator: ", ")) }\n"
        }
        if story.people.contains(where: \.asksFromOtherGroup) { text += "  \(key(names.otherApp)):\n" }
        return text
    }

    private var people: String {
        var text = "people:\n"
        for (place, profile) in story.people.enumerated() {
            text += "  \(key(names.name(ofPerson: place))):\n"
            for field in fields(of: profile) { text += "    \(field)\n" }
        }
        if let factors = story.authentication?.factors {
            text += "  \(key(names.authenticatingOwner)):\n"
            for field in fields(ofOwnerWith: factors) { text += "    \(field)\n" }
        }
        return text
    }

    /// Returns the keys of an owner who authenticates with these factors and no others.
    private func fields(ofOwnerWith factors: FactorSet) -> [String] {
        let fingers = factors.contains(.biometry) ? setting.device.enrolled : []
        let passcodes = factors.contains(.passcode) ? [names.name(of: Passcode.owners)] : []
        var fields = [
            "fingers: [\(fingers.map(value).joined(separator: ", "))]",
            "passcode: [\(passcodes.map(value).joined(separator: ", "))]", "guesses: false",
        ]
        if factors.contains(.applicationPassword), let password = setting.item?.applicationPassword {
            fields.append("applicationPassword: \(value(password))")
        }
        if factors.contains(.companion) { fields.append("wearsCompanion: true") }
        return fields
    }

    private func fields(of profile: Profile) -> [String] {
        var fingers = profile.carries.contains(.ownersFinger) ? setting.device.enrolled : []
        if profile.carries.contains(.ownFinger) {
            fingers.append(names.name(of: profile.isOwner ? Finger.ownersSpare : .attackers))
        }
        var passcodes = [names.name(of: profile.isOwner ? Passcode.ownersNext : .attackers)]
        if profile.knows.contains(.passcode) { passcodes.insert(names.name(of: Passcode.owners), at: 0) }
        var fields = [
            "fingers: [\(fingers.map(value).joined(separator: ", "))]",
            "passcode: [\(passcodes.map(value).joined(separator: ", "))]", "guesses: false",
        ]
        if profile.knows.contains(.applicationPassword), let password = setting.item?.applicationPassword {
            fields.append("applicationPassword: \(value(password))")
        }
        if profile.carries.contains(.ownersCompanion) { fields.append("wearsCompanion: true") }
        if profile.carries.contains(.ownCompanion) { fields.append("ownCompanion: true") }
        if profile.knows.contains(.backupPassword) { fields.append("knowsBackupPassword: true") }
        return fields
    }

    private var subject: String {
        switch setting.subject {
        case .item(let item): declaration(of: item)
        case .file(let file): StoryFileSteps(file).declaration
        }
    }

    private func declaration(of item: ItemSetup) -> String {
        var fields = Vocabulary.classWord(of: item).map { ["class: \($0)"] } ?? []
        fields.append("accessible: \(item.control.protection.name)")
        if item.control.hasFlags {
            let flags = AccessControlFlags.named.filter { item.control.flags.contains($0.flag) }.map(\.name)
            fields.append("require: \(flags.isEmpty ? "none" : flags.joined(separator: " "))")
        }
        if let group = item.group { fields.append("group: \(value(group))") }
        if item.isSynchronizable { fields.append("synchronizable: true") }
        if let password = item.applicationPassword { fields.append("applicationPassword: \(value(password))") }
        return "items:\n  \(key(item.name)):\n" + fields.map { "    \($0)\n" }.joined()
    }

    // MARK: - Steps

    /// The step in which the owner authenticates in the context that the app keeps.
    private var authentication: String {
        let action = story.scene.isKey(story.item) ? Action.sign : .readData
        let app = story.authentication.map { $0.app } ?? .first
        return line(
            "\(action.word): \(value(proposition.itemName))", by: names.authenticatingOwner,
            (app == .first ? [] : ["app: \(value(names.name(of: app)))"])
                + ["context: \(names.keptContext)", "expect: granted"],
            "the owner authenticates, and the app keeps the context")
    }

    private func step(_ step: Story.Step, _ companion: inout CompanionTrack) -> String {
        let note = "\(story.sentence(for: step)): \(step.reason.words)"
        let person = names.name(ofPerson: step.move.actor)
        switch step.move.deed {
        case .event(let event):
            let before = companion.state
            companion.apply(event)
            switch event {
            case .companionNear, .companionAway, .companionUnlocked, .companionLocked:
                // A companion that is away changes nothing until it comes near.
                if companion.state == before { return "" }
                return line("companion: \(companion.state)", by: person, [], note)
            default: break
            }
            switch step.reason {
            case .guesses: return self.step(event, by: nil, expecting: "refused", note: note)
            case .unknownFinger: return self.step(event, by: person, expecting: "refused", note: note)
            default: return self.step(event, by: person, expecting: nil, note: note)
            }
        case .request(let action, _, let app): return request(action, step, through: app, by: person, note)
        case .file(let use, _):
            guard case .file(let file) = setting.subject else { return "" }
            return StoryFileSteps(file).steps(use, step.reason).map { line in
                self.line(
                    line.words, by: line.takesPerson ? person : nil, line.expected.map { ["expect: \($0)"] } ?? [], note
                )
            }.joined()
        }
    }

    private func request(
        _ action: Action, _ step: Story.Step, through app: AppID, by person: String, _ note: String
    ) -> String {
        // A step that names no app asks through the first one.
        var fields: [String] = app == .first ? [] : ["app: \(value(names.name(of: app)))"]
        if story.assumptions.contexts == .kept, !story.people[step.move.actor].asksFromOtherGroup {
            fields.append("context: \(names.keptContext)")
        }
        if step.bringsPassword, let password = setting.item?.applicationPassword {
            fields.append("applicationPassword: \(value(password))")
        }
        if story.scene.reuse > .zero { fields.append("reuse: \(story.scene.reuse.written)") }
        if action == .add, setting.item?.control.needsApplicationPassword == true {
            fields.append("applicationPassword: \(value(names.otherPassword))")
        }
        if action == .update { fields.append("secret: another secret") }
        if case .decided(let isGranted, _) = step.reason {
            let prompts = step.prompts.compactMap { Vocabulary.word(for: $0) }.joined(separator: ", ")
            fields.append("expect: { \(isGranted ? "granted" : "denied"): , prompts: [\(prompts)] }")
        }
        return line("\(action.word): \(value(proposition.itemName))", by: person, fields, note)
    }

    private func step(_ event: Event, by person: String?, expecting outcome: String?, note: String?) -> String {
        let (words, takesPerson) = words(for: event)
        return line(words, by: takesPerson ? person : nil, outcome.map { ["expect: \($0)"] } ?? [], note)
    }

    private func line(_ words: String, by person: String?, _ fields: [String], _ note: String?) -> String {
        var lines = [words]
        if let person { lines.append("by: \(value(person))") }
        lines += fields
        if let note { lines.append("note: \(value(note))") }
        return "  - " + lines.joined(separator: "\n    ") + "\n"
    }

    /// Returns the event as a step, and true if a person can do it.
    private func words(for event: Event) -> (String, Bool) {
        switch event {
        case .reboot: ("reboot:", true)
        case .lock: ("lock:", true)
        case .remoteLock: ("lockRemotely:", true)
        case .emergency: ("holdButtons:", true)
        case .timePassed(let span): ("wait: \(span.written)", false)
        case .passcodeEntered(let code), .passcodeRecovered(let code):
            ("unlock: { passcode: \(value(names.name(of: code))) }", true)
        case .presented(let finger): ("unlock: { finger: \(value(names.name(of: finger))) }", true)
        case .passcodeSet(let code), .passcodeChanged(let code): ("setPasscode: \(value(names.name(of: code)))", true)
        case .passcodeRemoved: ("removePasscode:", true)
        case .enrolled(let finger): ("enroll: \(value(names.name(of: finger)))", true)
        case .removed(let finger): ("remove: \(value(names.name(of: finger)))", true)
        // A simulated sensor never forgets a finger by itself, so the step removes it.
        case .sensorForgot(let finger): ("remove: \(value(names.name(of: finger)))", false)
        case .biometryReset: ("resetBiometry:", true)
        case .securityDelayStarted: ("startSecurityDelay:", true)
        case .companionPaired, .companionAway: ("companion: away", true)
        case .companionUnpaired: ("companion: notPaired", true)
        case .companionNear, .companionLocked: ("companion: locked", true)
        case .companionUnlocked: ("companion: ready", true)
        case .appInstalled(let id, _): ("install: \(value(names.name(of: id)))", true)
        case .appRemoved(let id): ("uninstall: \(value(names.name(of: id)))", true)
        case .biometryPermitted(let id): ("permitBiometry: \(value(names.name(of: id)))", true)
        case .biometryDenied(let id): ("denyBiometry: \(value(names.name(of: id)))", true)
        case .backupTaken(let isEncrypted): ("backup: \(isEncrypted ? "encrypted" : "unencrypted")", true)
        case .restoredOntoThisDevice: ("restore: thisDevice", true)
        case .restoredOntoAnotherDevice: ("restore: anotherDevice", true)
        case .erase: ("erase:", true)
        }
    }

    // MARK: - Texts

    private func key(_ text: String) -> String { Quoting.yaml(text) }

    /// Returns a text as a value, in which a lone dollar sign would name a column.
    private func value(_ text: String) -> String {
        Quoting.yaml(text.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$"))
    }
}

/// The state of the companion in the words of steps, which do not say whether a companion that is away is locked.
private struct CompanionTrack {
    private var isPaired: Bool
    private var isNear: Bool
    private var isUnlocked: Bool

    init(_ state: CompanionState) {
        isPaired = state != .notPaired
        isNear = state == .locked || state == .ready
        isUnlocked = state == .ready
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
        default: break
        }
    }
}
