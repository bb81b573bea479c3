internal import DeviceModel
internal import PlainText
internal import PolicyProver
internal import PolicyScenarios
internal import PolicyWords
internal import ScenarioFormat

/// The devices of the account in the scenario of an attack, and the steps for its moves.
struct AttackFileAccount {
    /// A step, with the device on which it happens; nil for the device of the claim.
    struct Line {
        var words: String
        var device: String?
        var fields: [String] = []
    }

    private let setting: Proposition.Setting
    private let story: Attack
    private let item: String

    /// Creates the account of a story; nil if its device is in none.
    init?(_ story: Attack, of setting: Proposition.Setting, item: String) {
        guard story.scene.hasAccount else { return nil }
        (self.story, self.setting, self.item) = (story, setting, item)
    }

    static let hand = "phone"
    private static let other = "other"
    private static let othersPasscode = "the other device's"

    /// Returns the device that a person brings.
    private func own(_ actor: Int) -> String { story.people[actor].isOwner ? "new" : "theirs" }

    private var brought: [String] {
        var seen: [String] = []
        for actor in story.people.indices where !seen.contains(own(actor)) { seen.append(own(actor)) }
        return seen
    }

    /// The devices besides the one of the claim.
    var declarations: String {
        let sensor = "biometry: \(setting.device.settings.sensor)"
        var text = "  \(Self.other): { \(sensor), passcode: \(Quoting.yaml(Self.othersPasscode)) }\n"
        for name in brought { text += "  \(name): { \(sensor), passcode: none, enrolled: [] }\n" }
        return text
    }

    /// The steps that lead to the beginning: the devices that people bring are signed out, and the others have everything.
    var beginning: [Line] {
        brought.map { Line(words: "signOut: deletingData", device: $0) } + [Line(words: "settle:")]
    }

    /// Returns the device at which a person acts at this step of the story.
    func device(of actor: Int, at step: Int) -> String? {
        let hasArrived = story.steps.prefix(step).contains {
            $0.move.actor == actor && $0.move.deed == .account(.arrive)
        }
        return hasArrived ? own(actor) : nil
    }

    /// Returns the steps for a move in the account; nil if it is none.
    func lines(_ move: Move) -> [Line]? {
        let own = own(move.actor)
        switch move.deed {
        case .event, .request, .file: return nil
        case .deletionOnOwn:
            return [Line(words: "settle:"), Line(words: "delete: \(item)", device: own), Line(words: "settle:")]
        case .arrivalOfNext:
            return [
                Line(words: "update: \(item)", device: Self.other, fields: ["secret: the next secret"]),
                Line(words: "settle:"),
            ]
        case .account(let made):
            switch made {
            case .signIn: return [Line(words: "signIn:", device: own)]
            case .joinBySponsor: return [Line(words: "join: { sponsor: \(Self.hand) }", device: own)]
            case .joinByPasscode:
                return [
                    Line(
                        words:
                            "join: { passcode: \(Quoting.yaml(setting.device.passcode ?? "")), of: \(Self.hand) }",
                        device: own)
                ]
            case .joinByOtherPasscode:
                return [
                    Line(
                        words: "join: { passcode: \(Quoting.yaml(Self.othersPasscode)), of: \(Self.other) }",
                        device: own)
                ]
            case .joinByOther: return [Line(words: "join: { sponsor: \(Self.other) }", device: own)]
            case .resetCircle: return [Line(words: "resetCircle:", device: own)]
            case .resetByOther: return [Line(words: "resetCircle:", device: Self.other)]
            case .bringIn: return [Line(words: "join: { sponsor: \(own) }", device: Self.hand)]
            case .removal: return [Line(words: "removeFromAccount:", device: Self.hand), Line(words: "settle:")]
            case .arrive: return [Line(words: "settle:")]
            case .handErased: return []
            }
        }
    }
}
