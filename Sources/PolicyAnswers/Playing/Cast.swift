internal import AccessPolicy
internal import DeviceModel
internal import PlainText
internal import PolicyProver
internal import PolicyWords

/// The names of the fingers and passcodes of a device that is played, and the people who hold it.
///
/// A request makes up its names, as a scenario does: a finger matches if its name is the one that was enrolled.
struct Cast: StepNames, StepNumbers {
    private var fingers: [(name: String, finger: Finger)]
    private var passcodes: [(name: String, code: Passcode)]
    private var passwords = ["the application password"]
    private var nextFinger = Finger.attackers.rawValue + 1
    private var nextPasscode = Passcode.firstGuess

    /// The names of the apps, in the order of their numbers.
    static let appNames = ["app", "another app"]

    /// The application password under which the item is stored.
    static let applicationPassword = "the application password"

    /// Creates the names of a device as it comes.
    init(_ setting: Setting) {
        let noun = setting.settings.sensor == .touchID ? "finger" : "face"
        fingers = [
            ("another \(noun) of the owner's", .ownersSpare), ("the attacker's \(noun)", .attackers),
        ]
        for (number, name) in setting.preset.enrolled.enumerated() {
            if let finger = Finger(rawValue: UInt8(number)) { fingers.append((name, finger)) }
        }
        passcodes = [
            (setting.preset.passcode ?? "the owner's", .owners), ("the owner's next", .ownersNext),
            ("the attacker's", .attackers),
        ]
    }

    /// Returns the finger with this name. Throws if a sensor cannot distinguish so many.
    mutating func finger(_ name: String) throws(QuestionError) -> Finger {
        if let known = fingers.first(where: { $0.name == name }) { return known.finger }
        guard nextFinger < Finger.unknown.rawValue, let finger = Finger(rawValue: nextFinger) else {
            throw QuestionError("a sensor distinguishes 30 fingers: use fewer names")
        }
        nextFinger += 1
        fingers.append((name, finger))
        return finger
    }

    func name(of finger: Finger) -> String { fingers.first { $0.finger == finger }?.name ?? "a finger" }

    /// Returns the passcode that is written like this. Throws if a device cannot distinguish so many.
    mutating func passcode(_ text: String) throws(QuestionError) -> Passcode {
        if let known = passcodes.first(where: { $0.name == text }) { return known.code }
        guard let code = Passcode(rawValue: nextPasscode) else {
            throw QuestionError("a device distinguishes 60 passcodes: use fewer")
        }
        nextPasscode += 1
        passcodes.append((text, code))
        return code
    }

    /// Returns the passcode as it is written.
    func name(of code: Passcode) -> String {
        passcodes.first { $0.code == code }?.name ?? "guess \(code.rawValue &- Passcode.firstGuess &+ 1)"
    }

    func name(of app: AppID) -> String { Self.appNames[app == .first ? 0 : 1] }

    /// Returns the app with this name. Throws if there is none.
    func app(_ name: String) throws(QuestionError) -> (id: AppID, app: App) {
        guard let place = Self.appNames.firstIndex(of: name), let id = AppID(rawValue: UInt8(place)) else {
            throw QuestionError(unknownWord("app", name, among: Self.appNames))
        }
        return (id, App())
    }

    /// Returns the number of an application password. Throws if there are too many.
    mutating func password(_ text: String) throws(QuestionError) -> UInt8 {
        if let place = passwords.firstIndex(of: text) { return UInt8(place) + Scene.applicationPassword }
        guard passwords.count < 60 else { throw QuestionError("use fewer application passwords") }
        passwords.append(text)
        return UInt8(passwords.count - 1) + Scene.applicationPassword
    }
}
