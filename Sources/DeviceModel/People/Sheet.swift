public import AccessPolicy

/// The state of a prompt: the factor it asks for, the attempts so far, and its fallback.
///
/// It does not check answers. Its driver has an answer checked and records the result, and ``step`` says what comes
/// next.
public struct Sheet: Hashable, Sendable {
    /// The result of one answer.
    public enum Result: Hashable, Sendable {
        /// The answer is right.
        case authenticated
        /// The answer is wrong.
        case wrong
        /// The factor is no longer accepted, by this rule.
        case unavailable(Rule)
        /// The user took the fallback.
        case fallback
        /// The prompt was canceled or ended from outside, by this rule.
        case ended(Rule)
    }

    /// The next step of a prompt.
    public enum Step: Hashable, Sendable {
        /// Ask for this factor.
        case ask(Factor)
        /// All factors of one way are authenticated.
        case met
        /// The prompt is over without authentication, by this rule.
        case over(Rule)
    }

    /// The fallback that a prompt may have in addition to Cancel.
    public enum Fallback: UInt8, CaseIterable, Sendable {
        /// No fallback, even if there is another way: the caller hides it.
        case hidden
        /// A fallback to the next way, if there is one.
        case leadsOn
        /// A fallback that ends the prompt, as for an `LAContext` under a biometry-only policy.
        case ends
    }

    /// The state of the fallback in a prompt.
    public enum WayOut: UInt8, CaseIterable, Sendable {
        /// The prompt has no fallback.
        case none
        /// The fallback appears after more failed matches (semantics 6.4).
        case afterMisses
        /// The fallback is shown.
        case offered
    }

    /// The next step.
    public private(set) var step: Step

    private let ways: Ways
    private let sensor: SensorKind
    private let fallback: Fallback
    private let isFallbackImmediate: Bool
    private var current = 0
    private var authenticated = FactorSet()
    private var misses = 0

    /// Creates a prompt for one of `ways`, on a device with this kind of sensor.
    ///
    /// Apple's prompt for biometry shows the fallback after failed matches. Pass true for `isFallbackImmediate` to show
    /// it at once.
    public init(
        _ ways: Ways, sensor: SensorKind, fallback: Fallback = .leadsOn, isFallbackImmediate: Bool = false
    ) {
        self.ways = ways
        self.sensor = sensor
        self.fallback = fallback
        self.isFallbackImmediate = isFallbackImmediate
        step = .met
        step = next()
    }

    /// The present state of the fallback.
    public var wayOut: WayOut {
        let isThere =
            switch fallback {
            case .hidden: false
            case .leadsOn: hasAnotherWay
            case .ends: hasAnotherWay || asksBiometry
            }
        if !isThere { return .none }
        let isHidden = asksBiometry && !isFallbackImmediate && misses < sensor.missesBeforeFallback
        return isHidden ? .afterMisses : .offered
    }

    /// True if the prompt shows a fallback.
    public var offersFallback: Bool { wayOut == .offered }

    /// True if the prompt still accepts a match. After the last one, a prompt that remains offers only its fallback and
    /// Cancel.
    public var acceptsMatch: Bool { !asksBiometry || misses < sensor.triesOnSheet }

    private var asksBiometry: Bool { step == .ask(.biometry) }

    private var hasAnotherWay: Bool { current + 1 < ways.count }

    /// Records the result of an answer, and moves on to the next step.
    public mutating func record(_ result: Result) {
        guard case .ask(let factor) = step else { return }
        switch result {
        case .authenticated:
            authenticated.insert(factor)
            misses = 0
            step = next()
        case .wrong:
            misses += 1
            if misses >= tries(for: factor) && !leavesFallback { giveUp(.sheetFailed) }
        case .unavailable(let rule): giveUp(rule)
        case .fallback:
            if offersFallback { step = hasAnotherWay ? nextWay() : .over(.sheetFallback) }
        case .ended(let rule): step = .over(rule)
        }
    }

    /// True if the prompt remains after the last failed match, because its fallback appears only then.
    private var leavesFallback: Bool {
        asksBiometry && !hasAnotherWay && misses == sensor.triesOnSheet
            && sensor.missesBeforeFallback >= sensor.triesOnSheet && offersFallback
    }

    /// Returns the number of answers for a factor that the prompt accepts.
    public func tries(for factor: Factor) -> Int {
        switch factor {
        case .biometry: sensor.triesOnSheet
        case .passcode, .applicationPassword: 3
        case .companion: 1
        }
    }

    /// Moves on to the next way after a factor failed, or ends the prompt if there is none.
    private mutating func giveUp(_ rule: Rule) {
        step = hasAnotherWay ? nextWay() : .over(rule)
    }

    private mutating func nextWay() -> Step {
        current += 1
        misses = 0
        return next()
    }

    private func next() -> Step {
        guard current < ways.count else { return .over(.sheetFailed) }
        for factor in ways[current] where !authenticated.contains(factor) { return .ask(factor) }
        return .met
    }
}
