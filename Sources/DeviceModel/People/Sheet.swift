public import AccessPolicy

/// What is shown while factors are asked for: which one, how many tries are left, and where the fallback leads.
///
/// It checks nothing. Its driver has an answer checked and records the result; the sheet says what is next.
public struct Sheet: Hashable, Sendable {
    /// What became of one answer.
    public enum Result: Hashable, Sendable {
        /// The authenticator found it right.
        case authenticated
        /// The authenticator found it wrong.
        case wrong
        /// The authenticator does not take this factor any more, for the reason of this rule.
        case unavailable(Rule)
        /// The user took the fallback.
        case fallback
        /// The sheet was ended from outside or dismissed, by this rule.
        case ended(Rule)
    }

    /// What to do next.
    public enum Step: Hashable, Sendable {
        /// Ask for this factor.
        case ask(Factor)
        /// Everything that one way needs is proved.
        case met
        /// It is over, without a proof, by this rule.
        case over(Rule)
    }

    /// What the caller shows beside Cancel.
    public enum Fallback: UInt8, CaseIterable, Sendable {
        /// Nothing, even where there is a passcode to fall back on: the caller has hidden it.
        case hidden
        /// The way to the passcode, where there is one.
        case leadsOn
        /// A button that ends the sheet: an `LAContext` under a biometry-only policy.
        case ends
    }

    /// The way out besides Cancel, as it stands.
    public enum WayOut: UInt8, CaseIterable, Sendable {
        /// There is none.
        case none
        /// One appears once so many matches have failed (semantics 6.4).
        case afterMisses
        /// One is shown.
        case offered
    }

    /// What it shows now.
    public private(set) var step: Step

    private let ways: Ways
    private let sensor: SensorKind
    private let fallback: Fallback
    private let isFallbackImmediate: Bool
    private var current = 0
    private var authenticated = FactorSet()
    private var misses = 0

    /// Creates a sheet that asks for what `ways` list, on a device with this kind of sensor.
    ///
    /// Apple's prompt for biometry hides the fallback until matches have failed. Pass `isFallbackImmediate` for one that
    /// shows it from the beginning.
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

    /// The way out besides Cancel, as it stands now.
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

    /// True if it shows a way out besides Cancel.
    public var offersFallback: Bool { wayOut == .offered }

    /// True while the sensor takes part. After the last match it does not, and a sheet that stays offers the fallback alone.
    public var acceptsMatch: Bool { !asksBiometry || misses < sensor.triesOnSheet }

    private var asksBiometry: Bool { step == .ask(.biometry) }

    private var hasAnotherWay: Bool { current + 1 < ways.count }

    /// Takes in what became of the answer to what it asked, and goes on.
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

    /// True if it stays after the last match: its button appears only with that one, and leads nowhere by itself.
    private var leavesFallback: Bool {
        asksBiometry && !hasAnotherWay && misses == sensor.triesOnSheet
            && sensor.missesBeforeFallback >= sensor.triesOnSheet && offersFallback
    }

    /// How many wrong answers it takes for `factor`.
    public func tries(for factor: Factor) -> Int {
        switch factor {
        case .biometry: sensor.triesOnSheet
        case .passcode, .applicationPassword: 3
        case .companion: 1
        }
    }

    /// A factor that failed leads on to the next way, and ends the sheet where there is none.
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
