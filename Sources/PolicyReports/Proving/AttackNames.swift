internal import DeviceModel
internal import PolicyProver
internal import PolicyScenarios
internal import PolicyWords
internal import ScenarioFormat

/// The names of the fingers, passcodes and people in a scenario: those of the file, or new ones.
struct AttackNames: StepNames {
    private let setting: Proposition.Setting
    private let story: Attack

    init(_ story: Attack, of setting: Proposition.Setting) {
        self.story = story
        self.setting = setting
    }

    func name(of finger: Finger) -> String {
        let enrolled = setting.device.enrolled
        if Int(finger.rawValue) < enrolled.count { return enrolled[Int(finger.rawValue)] }
        let noun = setting.device.settings.sensor.noun
        let name = finger == .ownersSpare ? "another \(noun) of the owner's" : "the attacker's \(noun)"
        return name.unlike(enrolled)
    }

    /// Returns a passcode: the owner's, one that a person sets, or a guess.
    func name(of code: Passcode) -> String {
        let own = setting.device.passcode
        if code == .owners, let own { return own }
        let name =
            switch code {
            case .owners: "the owner's"
            case .ownersNext: "the owner's next"
            case .attackers: "the attacker's"
            default: "guess \(code.rawValue &- Passcode.firstGuess &+ 1)"
            }
        return name.unlike(own.map { [$0] } ?? [])
    }

    /// Returns the name of the person at this index. The built-in people of scenarios have every factor, so a person of the same name
    /// gets another one.
    func name(ofPerson place: Int) -> String {
        let name = story.people[place].name
        return Scenario.everybody.contains(name) ? "the \(name)" : name
    }

    /// The name of the owner who authenticates before the device changes hands.
    var authenticatingOwner: String { "the owner before".unlike(story.people.indices.map(name(ofPerson:))) }

    /// The name of the context that the app keeps.
    var keptContext: String { "kept" }

    func name(of app: AppID) -> String { story.scene.place(of: app).map { setting.apps[$0].name } ?? otherApp }

    /// The name of an app without the item's access group.
    var otherApp: String { "com.example.other".unlike(setting.apps.flatMap { [$0.name] + $0.groups }) }

    /// The application password for an item that an attacker stores.
    var otherPassword: String { "another password".unlike(setting.item?.applicationPassword.map { [$0] } ?? []) }
}

extension String {
    /// Returns the text, with apostrophes at its end until it differs from all of `others`.
    fileprivate func unlike(_ others: [String]) -> String {
        var name = self
        while others.contains(name) { name += "'" }
        return name
    }
}
