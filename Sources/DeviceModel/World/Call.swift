public import AccessPolicy

/// A call by an app, with the person who answers its prompts.
public struct Call: Hashable, Sendable {
    /// The subject of the call.
    public enum Subject: Hashable, Sendable {
        /// An action on the item of a slot. An add or an update can bring a new access policy.
        case item(SlotID, Action, control: AccessControl?)
        /// The evaluation of a policy.
        case policy(AuthenticationPolicy)
        /// The evaluation of an access control.
        case accessControl(AccessControl, Operation?)
    }

    /// The subject of the call.
    public var subject: Subject
    /// The app that makes the call.
    public var app: AppID
    /// The person in front of the device.
    public var person: Person
    /// The prompts that the app allows.
    public var interaction: Interaction
    /// True if the app names the item's access group.
    public var namesGroup: Bool
    /// The application password that the app supplies; zero for none.
    public var applicationPassword: UInt8
    /// True if the app hides the fallback of the prompts.
    public var hidesFallback: Bool

    /// Creates a call, by default by the first app, with a person in front of the device.
    public init(
        _ subject: Subject, app: AppID = .first, by person: Person, interaction: Interaction = .allowed,
        namesGroup: Bool = false, applicationPassword: UInt8 = 0, hidesFallback: Bool = false
    ) {
        self.subject = subject
        self.app = app
        self.person = person
        self.interaction = interaction
        self.namesGroup = namesGroup
        self.applicationPassword = applicationPassword
        self.hidesFallback = hidesFallback
    }

    /// Creates a call by the first app for an action on the item of a slot.
    public init(_ action: Action, _ slot: SlotID, by person: Person, interaction: Interaction = .allowed) {
        self.init(.item(slot, action, control: nil), by: person, interaction: interaction)
    }
}

/// The outcome of a call.
public struct Outcome: Hashable, Sendable {
    /// The final decision. It is a challenge only for a preflight.
    public var decision: Decision
    /// The prompts that the person saw, in order, including those they canceled.
    public var prompts: Prompts
}
