public import AccessPolicy

/// What an app asks for, and who is there to answer.
public struct Call: Hashable, Sendable {
    /// What it asks for.
    public enum Subject: Hashable, Sendable {
        /// Doing something with the item of a slot; an add or an update may bring a new demand.
        case item(SlotID, Action, control: AccessControl?)
        /// Proving that a policy is met.
        case policy(AuthenticationPolicy)
        /// Meeting an access control.
        case accessControl(AccessControl, Operation?)
    }

    /// What it asks for.
    public var subject: Subject
    /// Which app asks.
    public var app: AppID
    /// Who is in front of the device.
    public var person: Person
    /// Whether they may be asked.
    public var interaction: Interaction
    /// True if the app names the item's access group.
    public var namesGroup: Bool
    /// The application password that the app sets in advance; zero for none.
    public var applicationPassword: UInt8
    /// True if the app hides the fallback that a biometry-only policy would show.
    public var hidesFallback: Bool

    /// The first app asks, with `person` in front of the device.
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

    /// The first app wants to do `action` with the item in `slot`, with `person` in front of the device.
    public init(_ action: Action, _ slot: SlotID, by person: Person, interaction: Interaction = .allowed) {
        self.init(.item(slot, action, control: nil), by: person, interaction: interaction)
    }
}

/// What came of a call.
public struct Outcome: Hashable, Sendable {
    /// The last word; a challenge only where the caller asked what would be asked.
    public var decision: Decision
    /// What the person was asked, in order; also what they dismissed.
    public var prompts: Prompts
}
