internal import UserPresence

/// Somebody who may hold the device: what they can prove, and whether they care to.
///
///     device.user = Person(fingers: ["left thumb"], passcode: "1234")
///
/// They answer a sheet the same up to three times (twice for Face ID), and take the fallback where they lack what is asked for.
/// A sheet for biometry shows its fallback after a miss (Face ID: two): to get there they show a finger that is not enrolled.
public struct Person: Hashable, Sendable {
    /// Their fingers, or face, by name.
    public var fingers: [String]
    /// The passcode that they type when asked; nil where they know none.
    public var passcode: String?
    /// The application password that they type when asked; nil where they know none.
    public var applicationPassword: String?
    /// True if they wear the companion, and so can confirm on it.
    public var wearsCompanion: Bool
    /// True if they let an app use biometry when it asks for the first time.
    public var permitsBiometry: Bool
    /// True if they take every fallback that is offered, although they have the factor. They miss on purpose for it.
    public var prefersFallback: Bool
    /// True if they dismiss every sheet.
    public var dismisses: Bool

    /// Somebody with these fingers who knows this passcode.
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

    /// Whoever has all that `device` knows now: everyone enrolled, the passcode, and the companion if one is paired.
    ///
    ///     device.user = .owner(of: device)
    public static func owner(of device: SimulatedDevice) -> Person { device.owner }

    /// Somebody whose finger is not enrolled, and who types a wrong passcode.
    ///
    ///     device.user = .stranger
    public static let stranger = Person(fingers: ["a stranger's finger"], passcode: "a wrong passcode")

    /// Nobody: every sheet is dismissed.
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
