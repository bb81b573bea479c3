public import AccessPolicy

/// A person who may hold the device: the factors they can give, and how they answer prompts.
public struct Person: Hashable, Sendable {
    /// The person's fingers or face.
    public var fingers: Fingers
    /// The passcode that the person enters at a prompt, right or wrong; nil if they know none.
    public var passcode: Passcode?
    /// The application password that the person enters at a prompt; zero for none.
    public var applicationPassword: UInt8
    /// True if the person wears the companion and can confirm on it.
    public var wearsCompanion: Bool
    /// True if the person knows the password of an encrypted backup.
    public var knowsBackupPassword: Bool
    /// True if the person cancels every prompt.
    public var dismisses: Bool
    /// True if the person allows an app to use biometry when it asks.
    public var permitsBiometry: Bool

    /// Creates a person. By default they have no factor and answer every prompt.
    public init(
        fingers: Fingers = [], passcode: Passcode? = nil, applicationPassword: UInt8 = 0, wearsCompanion: Bool = false,
        knowsBackupPassword: Bool = false, dismisses: Bool = false, permitsBiometry: Bool = true
    ) {
        self.fingers = fingers
        self.passcode = passcode
        self.applicationPassword = applicationPassword
        self.wearsCompanion = wearsCompanion
        self.knowsBackupPassword = knowsBackupPassword
        self.dismisses = dismisses
        self.permitsBiometry = permitsBiometry
    }

    /// An absent person: every prompt is canceled.
    public static let absent = Person(dismisses: true)

    /// Returns the owner of a device: they have every enrolled finger, the passcode, the companion and the password of
    /// the backup.
    public static func owner(of device: Device) -> Person {
        Person(
            fingers: device.enrolled, passcode: device.passcode, wearsCompanion: device.companion.isPaired,
            knowsBackupPassword: true)
    }

    /// Returns the finger that the person shows to a sensor that knows `enrolled`: one that it knows, or else their
    /// first.
    public func finger(for enrolled: Fingers) -> Finger? {
        fingers.intersection(enrolled).first { _ in true } ?? fingers.first { _ in true }
    }

    /// Returns the person's answer to a prompt for `factor`.
    ///
    /// A person without the factor takes the fallback. If the fallback appears only after a failed match and the person
    /// has another factor, they show a finger that no sensor knows. Otherwise they cancel the prompt.
    public func answer(to factor: Factor, wayOut: Sheet.WayOut, enrolled: Fingers) -> Answer {
        if dismisses { return .cancel }
        let answer: Answer? =
            switch factor {
            case .biometry: finger(for: enrolled).map(Answer.finger)
            case .companion: wearsCompanion ? .confirm : nil
            case .passcode: passcode.map(Answer.passcode)
            case .applicationPassword: applicationPassword == 0 ? nil : .applicationPassword(applicationPassword)
            }
        if let answer { return answer }
        switch wayOut {
        case .none: return .cancel
        case .afterMisses: return passcode != nil || wearsCompanion ? .finger(.unknown) : .cancel
        case .offered: return .fallback
        }
    }
}

/// A person's answer to a prompt.
public enum Answer: Hashable, Sendable {
    /// The person shows a finger or a face.
    case finger(Finger)
    /// The person confirms on the companion.
    case confirm
    /// The person enters a passcode.
    case passcode(Passcode)
    /// The person enters an application password.
    case applicationPassword(UInt8)
    /// The person takes the fallback.
    case fallback
    /// The person cancels the prompt.
    case cancel
}
