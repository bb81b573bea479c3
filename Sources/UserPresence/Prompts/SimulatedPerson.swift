internal import AccessPolicy
internal import DeviceModel
internal import SodiumKit

/// Somebody who is only simulated: what they can prove, and whether they care to. They answer as the model's people do.
public struct SimulatedPerson: DeviceUser, Hashable {
    /// Their fingers, or face, by name.
    public var fingers: [String]
    /// The passcode that they type when asked; nil for none that they know.
    public var passcode: String?
    /// The passcode that they remember the device to have had.
    public var formerPasscode: String?
    /// The application password that they type when asked.
    public var applicationPassword: String?
    /// True if they wear the companion, and so can confirm on it.
    public var wearsCompanion: Bool
    /// True if they dismiss every prompt.
    public var dismisses: Bool
    /// True if they let an app use biometry when it asks for the first time.
    public var permitsBiometry: Bool
    /// True if they take the fallback wherever one is offered, though they have what is asked for. Where it appears after a
    /// failed match only, they fail on purpose.
    public var prefersFallback = false

    /// Somebody with these fingers who knows this passcode.
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

    /// They answer by themselves.
    public var answersAtOnce: Bool { true }

    /// What they do, which is what the model's person does who has what they have.
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
        // The model numbers fingers: those that the sensor knows first, then theirs.
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

    /// Returns the name of a finger that is none of these.
    private static func nobodys(_ names: [String]) -> String {
        var name = "a finger that nobody knows"
        while names.contains(name) { name += "!" }
        return name
    }

    private static func typed(_ text: String?) -> Response {
        guard let text, let bytes = try? SecureBytes(text) else { return .cancel }
        return .typed(bytes)
    }
}
