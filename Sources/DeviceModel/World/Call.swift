public import AccessPolicy

/// What an app asks for, and who is there to answer.
public struct Call: Hashable, Sendable {
    /// What it asks for.
    public enum Subject: Hashable, Sendable {
        /// Doing something with the item of a slot; an add or an update may bring a new demand.
        case item(SlotID, Action, demanding: AccessControl?)
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
        self.init(.item(slot, action, demanding: nil), by: person, interaction: interaction)
    }
}

/// What came of a call.
public struct Outcome: Hashable, Sendable {
    /// The last word; a challenge only where the caller asked what would be asked.
    public var decision: Decision
    /// What the person was asked, in order; also what they dismissed.
    public var prompts: Prompts
}

/// The factors that were asked for, one entry each time.
public struct Prompts: Hashable, Sendable, RandomAccessCollection, CustomStringConvertible {
    /// How a prompt ended.
    public enum Ending: UInt8, CaseIterable, Sendable {
        /// The person canceled it, or took the fallback, without trying.
        case canceled
        /// The person tried, and it was not right.
        case failed
        /// The person gave the factor.
        case authenticated
    }

    /// Four bits for each: two for the factor, two for the ending.
    private var word: UInt64 = 0
    /// How many there were; the list has room for fifteen, and no call asks half as often.
    public private(set) var count = 0

    /// No prompt.
    public init() {}

    mutating func add(_ factor: Factor) {
        guard count < 15 else { return }
        word |= UInt64(factor.rawValue) << (4 * UInt64(count))
        count += 1
    }

    /// Records what an answer to the last prompt came to. Canceling after a wrong answer leaves it failed.
    mutating func record(_ result: Sheet.Result) {
        guard count > 0 else { return }
        let ending: Ending
        switch result {
        case .proved: ending = .authenticated
        case .wrong, .unavailable: ending = .failed
        case .fallback, .ended: return
        }
        let shift = 4 * UInt64(count - 1) + 2
        word = word & ~(3 << shift) | UInt64(ending.rawValue) << shift
    }

    /// Returns how the prompt at this place ended.
    public func ending(at position: Int) -> Ending {
        precondition(indices.contains(position), "no such prompt")
        guard let ending = Ending(rawValue: UInt8(word >> (4 * UInt64(position) + 2) & 3)) else {
            preconditionFailure("a prompt is kept with the number of its ending")
        }
        return ending
    }

    /// The factors, in order.
    public var description: String { "[" + map { $0.name }.joined(separator: ", ") + "]" }

    /// Always zero.
    public var startIndex: Int { 0 }
    /// How many there were.
    public var endIndex: Int { count }
    /// The factor that was asked for at this place.
    public subscript(position: Int) -> Factor {
        precondition(indices.contains(position), "no such prompt")
        guard let factor = Factor(rawValue: UInt8(word >> (4 * UInt64(position)) & 3)) else {
            preconditionFailure("a prompt is kept by the number of its factor")
        }
        return factor
    }
}
