internal import UserPresence

/// A person who may hold the device, with the factors they have and the choices they make at prompts.
///
///     device.user = Person(fingers: ["left thumb"], passcode: "1234")
///
/// A person makes up to three attempts at a prompt (two with Face ID), all with the same answer. Without the factor
/// that a prompt asks for, they take its fallback. A prompt for biometry offers one after a miss (with Face ID, two),
/// so they show a finger that is not enrolled until it does.
public struct Person: Hashable, Sendable {
    /// The names of their fingers, or of their face.
    public var fingers: [String]
    /// The passcode they type; nil if they know none.
    public var passcode: String?
    /// The application password they type; nil if they know none.
    public var applicationPassword: String?
    /// True if they wear the companion and can confirm on it.
    public var wearsCompanion: Bool
    /// True if they permit an app to use biometry when it first asks.
    public var permitsBiometry: Bool
    /// True if they take every fallback that is offered, although they have the factor. They miss on purpose to get it.
    public var prefersFallback: Bool
    /// True if they dismiss every prompt.
    public var dismisses: Bool

    /// Creates a person with these factors.
    public init(
        fingers: [String] = [], passcode: String? = nil, applicationPassword: String? = nil,
        wearsCompanion: Bool = false, permitsBiometry: Bool = true, prefersFallback: Bool = false,
        dismisses: Bool = false
    ) {
        self.fingers = fingers
        self.passcode = passcode
        self.applicationPassword = applicationPassword
        self.wearsCompanion = wearsCompanion
        self.permitsBiometry = permitsBiometry
        self.prefersFallback = prefersFallback
        self.dismisses = dismisses
    }

    /// Returns a person who has every factor that `device` knows now: all enrolled fingers or faces, the passcode, and
    /// the companion if one is paired.
    ///
    ///     device.user = .owner(of: device)
    public static func owner(of device: SimulatedDevice) -> Person { device.owner }

    /// A person whose finger is not enrolled, and who types a wrong passcode.
    ///
    ///     device.user = .stranger
    public static let stranger = Person(fingers: ["a stranger's finger"], passcode: "a wrong passcode")

    /// A device that no one holds: every prompt is dismissed.
    ///
    ///     device.user = .absent
    public static let absent = Person(dismisses: true)

    var simulated: SimulatedPerson {
        var person = SimulatedPerson(
            fingers: fingers, passcode: passcode, applicationPassword: applicationPassword,
            wearsCompanion: wearsCompanion, dismisses: dismisses, permitsBiometry: permitsBiometry)
        person.prefersFallback = prefersFallback
        return person
    }
}
