internal import DeviceModel
internal import PolicyProver
internal import PolicyScenarios
internal import ScenarioFormat

/// What the fingers, passcodes and people of a story are called in a scenario: as the file calls them, where it does.
struct StoryNames {
    private let setting: Proposition.Setting
    private let story: Story

    init(_ story: Story, of setting: Proposition.Setting) {
        self.story = story
        self.setting = setting
    }

    /// A finger or face of the owner's, or another.
    func name(of finger: Finger) -> String {
        let enrolled = setting.device.enrolled
        if Int(finger.rawValue) < enrolled.count { return enrolled[Int(finger.rawValue)] }
        let noun = setting.device.settings.sensor.noun
        let name = finger == .ownersSpare ? "another \(noun) of the owner's" : "the attacker's \(noun)"
        return name.unlike(enrolled)
    }

    /// The passcode of the owner, one that somebody sets, or a guess.
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

    /// Somebody of the story, by their place. Whom every scenario knows has all that the device knows, which these may not have.
    func name(ofPerson place: Int) -> String {
        let name = story.people[place].name
        return Scenario.everybody.contains(name) ? "the \(name)" : name
    }

    /// The owner, before the device comes to anybody else.
    var authenticatingOwner: String { "the owner before".unlike(story.people.indices.map(name(ofPerson:))) }

    /// The context that the app keeps.
    var keptContext: String { "kept" }

    /// The app that they ask through.
    func app(ofPerson place: Int) -> String {
        story.people[place].asksFromOtherGroup ? otherApp : setting.app.name
    }

    /// An app that has not the item's group.
    var otherApp: String { "com.example.other".unlike([setting.app.name] + setting.app.groups) }

    /// The application password that somebody would store another item under.
    var otherPassword: String { "another password".unlike(setting.item.applicationPassword.map { [$0] } ?? []) }
}

extension String {
    /// It, or something like it that is none of `others`.
    fileprivate func unlike(_ others: [String]) -> String {
        var name = self
        while others.contains(name) { name += "'" }
        return name
    }
}
