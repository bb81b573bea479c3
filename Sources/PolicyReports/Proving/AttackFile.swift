internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver
package import PolicyScenarios
internal import PolicyWords
internal import ScenarioFormat

/// The moves behind a proof as a scenario, which replays them on a real vault.
package struct AttackFile {
    private let proposition: Proposition
    private let story: Attack
    private let names: AttackNames
    private let account: AttackFileAccount?
    private var setting: Proposition.Setting { proposition.setting }

    /// Creates the scenario for `proof`; nil if no moves are behind it.
    package init?(_ proof: Proof) {
        guard let story = proof.verdict.story else { return nil }
        proposition = proof.proposition
        self.story = story
        names = AttackNames(story, of: proof.proposition.setting)
        account = AttackFileAccount(
            story, of: proof.proposition.setting, item: Self.value(proof.proposition.itemName))
    }

    /// Returns the scenarios of all `proofs` with moves, as one file; nil if there are none.
    package static func text(of proofs: [Proof]) -> String? {
        let texts = proofs.compactMap { AttackFile($0)?.text }
        return texts.isEmpty ? nil : texts.joined(separator: "---\n")
    }

    /// The scenario as the text of a file.
    package var text: String {
        var text = "name: \(value(name))\nabout: \(value("The moves behind a claim: \(proposition.fullName)."))\n"
        text += device + fidelity + apps + people + subject + "steps:\n"
        for line in account?.beginning ?? [] { text += self.line(line, nil) }
        var companion = CompanionTrack(setting.device.companion)
        for (number, event) in story.before.enumerated() {
            if number == story.authentication?.after { text += authentication }
            companion.apply(event)
            text += step(event, by: nil, expecting: nil, note: nil, companion)
        }
        if story.before.count == story.authentication?.after { text += authentication }
        for (number, one) in (story.steps + story.inVain).enumerated() {
            text += step(one, on: account?.device(of: one.move.actor, at: number), &companion)
        }
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
        guard let account else { return lines.map { $0 + "\n" }.joined() }
        lines = ["devices:", "  \(AttackFileAccount.hand):"] + lines.dropFirst().map { "  " + $0 }
        return lines.map { $0 + "\n" }.joined() + account.declarations
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
        case .file(let file): AttackFileSteps(file).declaration
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

    private func step(
        _ step: Attack.Step, on device: String?, _ companion: inout CompanionTrack
    ) -> String {
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
            default: break
            }
            switch step.reason {
            case .guesses: return self.step(event, by: nil, on: device, expecting: "refused", note: note, companion)
            case .unknownFinger:
                return self.step(event, by: person, on: device, expecting: "refused", note: note, companion)
            default: return self.step(event, by: person, on: device, expecting: nil, note: note, companion)
            }
        case .request(let action, _, let app):
            return request(action, step, through: app, by: person, on: device, note)
        case .account, .deletionOnOwn, .arrivalOfNext:
            let lines = account?.lines(step.move) ?? []
            return lines.enumerated().map { line($0.element, $0.offset == 0 ? note : nil) }.joined()
        case .file(let use, _):
            guard case .file(let file) = setting.subject else { return "" }
            return AttackFileSteps(file).steps(use, step.reason).map { line in
                self.line(
                    line.words, by: line.takesPerson ? person : nil, line.expected.map { ["expect: \($0)"] } ?? [], note
                )
            }.joined()
        }
    }

    private func request(
        _ action: Action, _ step: Attack.Step, through app: AppID, by person: String, on device: String?, _ note: String
    ) -> String {
        // A step that names no app asks through the first one.
        var fields = device.map { ["on: \($0)"] } ?? []
        if app != .first { fields.append("app: \(value(names.name(of: app)))") }
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

    private func step(
        _ event: Event, by person: String?, on device: String? = nil, expecting outcome: String?, note: String?,
        _ companion: CompanionTrack
    ) -> String {
        let (row, value) = event.step(names, companion: companion.state).written
        return line(
            words(row, value), by: row.takesPerson ? person : nil,
            (device.map { ["on: \($0)"] } ?? []) + (outcome.map { ["expect: \($0)"] } ?? []), note)
    }

    private func line(_ line: AttackFileAccount.Line, _ note: String?) -> String {
        self.line(line.words, by: nil, (line.device.map { ["on: \($0)"] } ?? []) + line.fields, note)
    }

    private func line(_ words: String, by person: String?, _ fields: [String], _ note: String?) -> String {
        var lines = [words]
        if let person { lines.append("by: \(value(person))") }
        lines += fields
        if let note { lines.append("note: \(value(note))") }
        return "  - " + lines.joined(separator: "\n    ") + "\n"
    }

    private func words(_ row: StepRow, _ written: StepValue) -> String {
        switch written {
        case .nothing: return "\(row.word):"
        case .text(let text):
            // A length of time needs no quotation marks.
            if case .duration = row.form { return "\(row.word): \(text)" }
            return "\(row.word): \(value(text))"
        case .texts(let texts): return "\(row.word): [\(texts.map(value).joined(separator: ", "))]"
        case .fields(let fields):
            return "\(row.word): { \(fields.map { "\($0.key): \(value($0.text))" }.joined(separator: ", ")) }"
        }
    }

    // MARK: - Texts

    private func key(_ text: String) -> String { Quoting.yaml(text) }

    /// Returns a text as a value, in which a lone dollar sign would name a column.
    private func value(_ text: String) -> String { Self.value(text) }

    private static func value(_ text: String) -> String {
        Quoting.yaml(text.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$"))
    }
}
