public import AccessPolicy

/// One request on its way to an answer.
///
/// It holds the only order in which anything is asked. It decides nothing, checks nothing and shows no prompt: a driver does
/// what ``step`` says and passes the result to the `record` of that step.
///
/// ```swift
/// while true {
///     switch negotiation.step {
///     case .decide: negotiation.record(decide(request, under: conditions), on: request, under: conditions)
///     case .ask(let factor): negotiation.record(prompt(for: factor))
///     case .answer(let decision): return decision
///     // and so on
///     }
/// }
/// ```
///
/// Every call is legal in every state: a result that the present step did not ask for changes nothing.
public struct Negotiation: Hashable, Sendable {
    /// The next step of the driver.
    public enum Step: Hashable, Sendable {
        /// Decide the whole request, under the conditions of this moment.
        case decide
        /// Try the application's own password, without a prompt.
        case tryOwnPassword
        /// Ask whether the app may use the sensor.
        case askPermission
        /// Prompt for this factor once, and check the answer.
        case ask(Factor)
        /// Answer with this decision: granted, denied, or what a preflight would be asked.
        case answer(Decision)
        /// Call ``fail(_:)`` with the denial by this rule, which ended the asking.
        case over(Rule)
    }

    /// The part that an application password plays in a request.
    public enum PasswordUse: UInt8, CaseIterable, Sendable {
        /// It opens the item that the request is about.
        case opens
        /// It is chosen for what is about to be stored.
        case chosen
        /// Any counts: there is no item to check it against.
        case unchecked
    }

    /// The result of trying the application's own password.
    public enum OwnPassword: UInt8, CaseIterable, Sendable {
        /// It is right, and its evidence is in the context.
        case authenticated
        /// It is wrong, and the context notes so.
        case wrong
        /// The application has set none.
        case none
    }

    /// The result of asking for permission.
    public enum Permission: Hashable, Sendable {
        /// The user gave or refused it, and the device has noted so.
        case answered
        /// The prompt ended by this rule before anyone answered.
        case ended(Rule)
    }

    /// How often one request may begin to ask before it fails (semantics 4.4).
    public static let mostRounds: UInt8 = 20

    /// The next step of the driver.
    public private(set) var step = Step.decide
    /// The factors that the prompts were for, and how each prompt ended.
    public private(set) var prompts = Prompts()
    /// The number of the present attempt at the factor that is asked for, counted from one.
    public private(set) var attempt: UInt8 = 0
    /// The item that the last decision was about; number 0 for none.
    public private(set) var item = ItemID(rawValue: 0)
    /// The part that an application password plays there.
    public private(set) var passwordUse = PasswordUse.unchecked

    private let sensor: SensorKind
    private let hidesFallback: Bool
    private let isFallbackImmediate: Bool
    private var fallback = Sheet.Fallback.leadsOn
    private var isPreflight = false
    private var needsPermission = false
    /// The decision to go on with if there is no own password to try.
    private var decided: Decision?
    private var round: UInt8 = 0
    private var sheet: Sheet?
    private var shown: Factor?
    /// The item on which the own password was tried in this round: a second try there would say the same.
    private var triedOn: ItemID?

    /// Creates a request on a device with this kind of sensor.
    ///
    /// The fallback to another factor appears only after failed matches, as Apple's does, unless `isFallbackImmediate`.
    public init(sensor: SensorKind, hidesFallback: Bool = false, isFallbackImmediate: Bool = false) {
        self.sensor = sensor
        self.hidesFallback = hidesFallback
        self.isFallbackImmediate = isFallbackImmediate
    }

    /// Creates one that asks for one of `ways` at once, as unlocking does. ``Step/decide`` follows when it is given.
    public init(asking ways: Ways, sensor: SensorKind) {
        self.init(sensor: sensor)
        begin(ways)
    }

    /// The way out of the present prompt besides Cancel.
    public var wayOut: Sheet.WayOut { sheet?.wayOut ?? .none }

    /// True if the sensor still takes part in the present prompt. After the last match only the way out is left.
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

    /// Records the result of trying the application's own password.
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

    /// Records the result of asking for permission.
    public mutating func record(permission: Permission) {
        guard step == .askPermission else { return }
        switch permission {
        case .answered: endRound(.decide)
        case .ended(let rule): endRound(.over(rule))
        }
    }

    /// Records the result of one answer.
    public mutating func record(_ result: Sheet.Result) {
        guard case .ask = step else { return }
        prompts.record(result)
        // A fallback that is not offered leads nowhere, and the same prompt would follow for ever.
        advance(result == .fallback && wayOut != .offered ? .ended(.sheetCanceled) : result)
    }

    /// Answers with `denial`, once the asking is over.
    public mutating func fail(_ denial: Denial) {
        if case .over = step { step = .answer(.denied(denial)) }
    }

    /// Goes back to deciding, because the device was locked and shows no prompt.
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

    /// Returns false, and ends the asking, where it has begun too often.
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
    /// The ways that would turn it, with or without a prompt.
    fileprivate var missing: Ways {
        switch self {
        case .granted: Ways()
        case .challenge(let ways): ways
        case .denied(let denial): denial.ways
        }
    }
}

extension Request.Subject {
    /// The item that it is about, and the part that an application password plays there.
    fileprivate var password: (ItemID, Negotiation.PasswordUse) {
        switch self {
        case .item(let item, .add, _): (item.id, .chosen)
        case .item(let item, _, _): (item.id, .opens)
        case .accessControl(_, nil): (ItemID(rawValue: 0), .chosen)
        case .accessControl, .policy, .missing: (ItemID(rawValue: 0), .unchecked)
        }
    }

    /// The button beside Cancel in its prompts.
    fileprivate func fallback(isHidden: Bool) -> Sheet.Fallback {
        if isHidden { return .hidden }
        if case .policy(.biometry) = self { return .ends }
        return .leadsOn
    }
}
