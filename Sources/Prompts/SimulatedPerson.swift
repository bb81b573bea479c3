internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// A simulated person: the factors that they have, and how they use them. They answer as a person of the device model
/// does.
public struct SimulatedPerson: DeviceUser, Hashable {
    /// The names of their fingers, or of their face.
    public var fingers: [String]
    /// The passcode that they type; nil if they know none.
    public var passcode: String?
    /// The former passcode of the device, if they remember it.
    public var formerPasscode: String?
    /// The application password that they type.
    public var applicationPassword: String?
    /// True if they wear the companion and can confirm on it.
    public var wearsCompanion: Bool
    /// True if they dismiss every prompt.
    public var dismisses: Bool
    /// True if they permit an app to use biometry when it first asks.
    public var permitsBiometry: Bool
    /// True if they take the fallback whenever a prompt offers one. If it appears only after a failed match, they fail
    /// on purpose.
    public var prefersFallback = false

    /// Creates a person with these factors. Without arguments, they have none.
    public init(
        fingers: [String] = [], passcode: String? = nil, applicationPassword: String? = nil,
        wearsCompanion: Bool = false,
        dismisses: Bool = false, permitsBiometry: Bool = true
    ) {
        self.fingers = fingers
        self.passcode = passcode
        self.applicationPassword = applicationPassword
        self.wearsCompanion = wearsCompanion
        self.dismisses = dismisses
        self.permitsBiometry = permitsBiometry
    }

    /// True: a simulated person answers at once.
    public var answersAtOnce: Bool { true }

    /// Returns the answer of a person of the device model who has these factors.
    public func answer(_ prompt: Prompt) -> Response {
        let content = prompt.content
        if prefersFallback && !dismisses {
            if content.offersFallback { return .fallback }
            if content.offersFallbackLater { return .touch(showing: Self.nobodys(content.enrolled + fingers)) }
        }
        switch content.kind {
        case .permission: return permitsBiometry && !dismisses ? .confirm : .cancel
        case .formerPasscode: return dismisses ? .cancel : Self.typed(formerPasscode)
        case .biometry: return answer(to: .biometry, content)
        case .companion: return answer(to: .companion, content)
        case .passcode: return answer(to: .passcode, content)
        case .applicationPassword, .newApplicationPassword: return answer(to: .applicationPassword, content)
        case .newPasscode, .recoveryKey, .passphrase, .newPassphrase, .newSecret: return .cancel
        }
    }

    private func answer(to factor: Factor, _ content: PromptContent) -> Response {
        // The model numbers fingers: first the enrolled ones, then the other fingers of this person.
        var names = content.enrolled
        for finger in fingers where !names.contains(finger) { names.append(finger) }
        func numbers(_ wanted: [String]) -> Fingers {
            wanted.reduce(into: []) { set, name in
                if let place = names.firstIndex(of: name), let finger = Finger(rawValue: UInt8(clamping: place)) {
                    set.insert(finger)
                }
            }
        }
        let person = Person(
            fingers: numbers(fingers), passcode: passcode == nil ? nil : Passcode(rawValue: 0),
            applicationPassword: applicationPassword == nil ? 0 : 1, wearsCompanion: wearsCompanion,
            dismisses: dismisses,
            permitsBiometry: permitsBiometry)
        let wayOut: Sheet.WayOut =
            content.offersFallback ? .offered : content.offersFallbackLater ? .afterMisses : .none
        switch person.answer(to: factor, wayOut: wayOut, enrolled: numbers(content.enrolled)) {
        case .finger(.unknown): return .touch(showing: Self.nobodys(names))
        case .finger(let finger): return .touch(showing: names[Int(finger.rawValue)])
        case .confirm: return .confirm
        case .passcode: return Self.typed(passcode)
        case .applicationPassword: return Self.typed(applicationPassword)
        case .fallback: return .fallback
        case .cancel: return .cancel
        }
    }

    /// Returns the name of a finger that is none of `names`.
    private static func nobodys(_ names: [String]) -> String {
        var name = "an unknown finger"
        while names.contains(name) { name += "!" }
        return name
    }

    private static func typed(_ text: String?) -> Response {
        guard let text, let bytes = try? SecureBytes(text) else { return .cancel }
        return .typed(bytes)
    }
}
