public import AccessPolicy

/// The course of one request: which step comes next, until there is an answer.
///
/// It fixes the order of decisions and prompts for everything that uses the model. It does not decide, check an answer
/// or show a prompt itself. A driver performs each ``step`` and passes the result to the matching `record` method. This
/// driver has a closure that shows a prompt and checks the answer:
///
/// ```swift
/// func answer(
///     _ start: Request, under conditions: Conditions, prompt: (Factor) -> Sheet.Result
/// ) -> Decision {
///     var request = start
///     var negotiation = Negotiation(sensor: .touchID)
///     while true {
///         switch negotiation.step {
///         case .decide:
///             negotiation.record(decide(request, under: conditions), on: request, under: conditions)
///         case .tryOwnPassword: negotiation.record(ownPassword: .none)
///         case .askPermission: negotiation.record(permission: .answered)
///         case .ask(let factor):
///             let result = prompt(factor)
///             if result == .authenticated { request.context.add(Evidence(factor, under: conditions)) }
///             negotiation.record(result)
///         case .over(let rule): negotiation.fail(Denial(rule, under: conditions))
///         case .answer(let decision): return decision
///         }
///     }
/// }
/// ```
///
/// Every method can be called in every state. A result that does not belong to the present step changes nothing.
public struct Negotiation: Hashable, Sendable {
    /// The next step of the driver.
    public enum Step: Hashable, Sendable {
        /// Decide the whole request under the present conditions.
        case decide
        /// Try the password that the application supplied, without a prompt.
        case tryOwnPassword
        /// Ask the user for permission to use the sensor.
        case askPermission
        /// Prompt for this factor once and check the answer.
        case ask(Factor)
        /// Return this decision to the caller. It is a challenge only for a preflight.
        case answer(Decision)
        /// Call ``fail(_:)`` with a denial by this rule, which ended the prompts.
        case over(Rule)
    }

    /// The use of an application password in a request.
    public enum PasswordUse: UInt8, CaseIterable, Sendable {
        /// The password opens the item of the request.
        case opens
        /// The user or the app chooses the password for an item that is about to be stored.
        case chosen
        /// Any password is accepted, because there is no item to check it against.
        case unchecked
    }

    /// The result of trying the password that the application supplied.
    public enum OwnPassword: UInt8, CaseIterable, Sendable {
        /// The password is right, and its evidence is in the context.
        case authenticated
        /// The password is wrong, and the context records that.
        case wrong
        /// The application supplied no password.
        case none
    }

    /// The result of asking for permission to use biometry.
    public enum Permission: Hashable, Sendable {
        /// The user allowed or denied it, and the device has recorded the answer.
        case answered
        /// The prompt ended by this rule without an answer.
        case ended(Rule)
    }

    /// The number of rounds of prompts after which a request fails (semantics 4.4).
    public static let mostRounds: UInt8 = 20

    /// The next step of the driver.
    public private(set) var step = Step.decide
    /// The prompts so far, each with its factor and its ending.
    public private(set) var prompts = Prompts()
    /// The number of the present attempt at the prompted factor, counted from one.
    public private(set) var attempt: UInt8 = 0
    /// The item of the last decision; number 0 for none.
    public private(set) var item = ItemID(rawValue: 0)
    /// The use of an application password in that decision.
    public private(set) var passwordUse = PasswordUse.unchecked

    private let sensor: SensorKind
    private let hidesFallback: Bool
    private let isFallbackImmediate: Bool
    private var fallback = Sheet.Fallback.leadsOn
    private var isPreflight = false
    private var needsPermission = false
    /// The decision to continue with if the application supplied no password.
    private var decided: Decision?
    private var round: UInt8 = 0
    private var sheet: Sheet?
    private var shown: Factor?
    /// The item on which the supplied password was tried in this round. A second try would have the same result.
    private var triedOn: ItemID?

    /// Creates the course of a request on a device with this kind of sensor.
    ///
    /// - Parameters:
    ///   - sensor: The kind of sensor.
    ///   - hidesFallback: Pass true if the caller hides the fallback to another factor.
    ///   - isFallbackImmediate: Pass true to show the fallback at once. Apple's prompts show it after failed matches.
    public init(sensor: SensorKind, hidesFallback: Bool = false, isFallbackImmediate: Bool = false) {
        self.sensor = sensor
        self.hidesFallback = hidesFallback
        self.isFallbackImmediate = isFallbackImmediate
    }

    /// Creates a course that prompts for one of `ways` at once, as unlocking does. After authentication the step is
    /// ``Step/decide``.
    public init(asking ways: Ways, sensor: SensorKind, isFallbackImmediate: Bool = false) {
        self.init(sensor: sensor, isFallbackImmediate: isFallbackImmediate)
        begin(ways)
    }

    /// The alternative to Cancel in the present prompt.
    public var wayOut: Sheet.WayOut { sheet?.wayOut ?? .none }

    /// True if the present prompt still accepts a match. After the last failed match only the fallback and Cancel are
    /// left.
    public var acceptsMatch: Bool { sheet?.acceptsMatch ?? false }

    // MARK: - Results

    /// Records what `decide` returned for `request` under `conditions`.
    public mutating func record(_ decision: Decision, on request: Request, under conditions: Conditions) {
        guard step == .decide else { return }
        if case .granted = decision {
            step = .answer(decision)
            return
        }
        (item, passwordUse) = request.subject.password
        fallback = request.subject.fallback(isHidden: hidesFallback)
        isPreflight = request.interaction == .preflight
        let missing = decision.missing
        needsPermission = conditions.needsPermission(for: missing)
        if missing.contains([.applicationPassword]) && mayTryOwnPassword {
            decided = decision
            step = .tryOwnPassword
        } else {
            proceed(decision)
        }
    }

    /// Records the result of trying the password that the application supplied.
    public mutating func record(ownPassword own: OwnPassword) {
        guard step == .tryOwnPassword else { return }
        triedOn = item
        if sheet != nil {
            own == .authenticated ? advance(.authenticated) : ask(.applicationPassword)
        } else if own == .none, let decided {
            proceed(decided)
        } else {
            step = .decide
        }
    }

    /// Records the result of asking for permission to use biometry.
    public mutating func record(permission: Permission) {
        guard step == .askPermission else { return }
        switch permission {
        case .answered: endRound(.decide)
        case .ended(let rule): endRound(.over(rule))
        }
    }

    /// Records the result of one answer to a prompt.
    public mutating func record(_ result: Sheet.Result) {
        guard case .ask = step else { return }
        prompts.record(result)
        // Treat a fallback that is not offered as a cancel. Otherwise the same prompt would repeat forever.
        advance(result == .fallback && wayOut != .offered ? .ended(.sheetCanceled) : result)
    }

    /// Ends the request with a denial, if the step is ``Step/over(_:)``.
    public mutating func fail(_ denial: Denial) {
        if case .over = step { step = .answer(.denied(denial)) }
    }

    /// Ends the present prompt and decides again, because the device was locked.
    public mutating func withdraw() {
        switch step {
        case .tryOwnPassword where sheet == nil, .decide, .answer, .over: break
        case .tryOwnPassword, .askPermission, .ask: endRound(.decide)
        }
    }

    // MARK: - Rounds

    private mutating func proceed(_ decision: Decision) {
        decided = nil
        guard case .challenge(let ways) = decision, !isPreflight else {
            step = .answer(decision)
            return
        }
        if !needsPermission {
            begin(ways)
        } else if beginRound() {
            step = .askPermission
        }
    }

    private mutating func begin(_ ways: Ways) {
        guard beginRound() else { return }
        sheet = Sheet(ways, sensor: sensor, fallback: fallback, isFallbackImmediate: isFallbackImmediate)
        show()
    }

    /// Begins a round of prompts. Returns false, and ends the prompts, if there were too many rounds.
    private mutating func beginRound() -> Bool {
        if round == Self.mostRounds {
            endRound(.over(.sheetFailed))
            return false
        }
        round += 1
        return true
    }

    private mutating func endRound(_ next: Step) {
        sheet = nil
        shown = nil
        triedOn = nil
        step = next
    }

    private mutating func advance(_ result: Sheet.Result) {
        sheet?.record(result)
        show()
    }

    private mutating func show() {
        switch sheet?.step {
        case .ask(.applicationPassword) where mayTryOwnPassword: step = .tryOwnPassword
        case .ask(let factor): ask(factor)
        case .over(let rule): endRound(.over(rule))
        case .met, nil: endRound(.decide)
        }
    }

    private mutating func ask(_ factor: Factor) {
        attempt = factor == shown ? attempt + 1 : 1
        if factor != shown { prompts.add(factor) }
        shown = factor
        step = .ask(factor)
    }

    private var mayTryOwnPassword: Bool { passwordUse != .chosen && triedOn != item }
}

extension Decision {
    /// The ways that would satisfy the request, with or without a prompt.
    fileprivate var missing: Ways {
        switch self {
        case .granted: Ways()
        case .challenge(let ways): ways
        case .denied(let denial): denial.ways
        }
    }
}

extension Request.Subject {
    /// The item of the request, and the use of an application password for it.
    fileprivate var password: (ItemID, Negotiation.PasswordUse) {
        switch self {
        case .item(let item, .add, _): (item.id, .chosen)
        case .item(let item, _, _): (item.id, .opens)
        case .accessControl(_, nil): (ItemID(rawValue: 0), .chosen)
        case .accessControl, .policy, .missing: (ItemID(rawValue: 0), .unchecked)
        }
    }

    /// Returns the fallback that the prompts of the request show.
    fileprivate func fallback(isHidden: Bool) -> Sheet.Fallback {
        if isHidden { return .hidden }
        if case .policy(.biometry) = self { return .ends }
        return .leadsOn
    }
}
