public import AccessPolicy

/// What is shown while factors are asked for: which one, how many tries are left, and where the fallback leads.
///
/// It judges nothing. Whoever shows it has an answer judged and tells it the result; it says what is next.
public struct Sheet: Hashable, Sendable {
    /// What became of one answer.
    public enum Result: Hashable, Sendable {
        /// The judge found it right.
        case proved
        /// The judge found it wrong.
        case wrong
        /// The judge does not take this factor any more, for the reason of this rule.
        case unavailable(Rule)
        /// The holder took the fallback.
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

    /// What it shows now.
    public private(set) var step: Step

    private let ways: Ways
    private let sensor: SensorKind
    private let fallback: Fallback
    private var current = 0
    private var proved = FactorSet()
    private var misses = 0

    /// A sheet that asks for what `ways` list, on a device with this kind of sensor.
    public init(_ ways: Ways, sensor: SensorKind, fallback: Fallback = .leadsOn) {
        self.ways = ways
        self.sensor = sensor
        self.fallback = fallback
        step = .met
        step = next()
    }

    /// Whether it shows a way out besides Cancel.
    public var offersFallback: Bool {
        switch fallback {
        case .hidden: false
        case .leadsOn: hasAnotherWay
        case .ends: hasAnotherWay || asksBiometry
        }
    }

    private var asksBiometry: Bool { step == .ask(.biometry) }

    private var hasAnotherWay: Bool { current + 1 < ways.count }

    /// Takes in what became of the answer to what it asked, and goes on.
    public mutating func take(_ result: Result) {
        guard case .ask(let factor) = step else { return }
        switch result {
        case .proved:
            proved.insert(factor)
            misses = 0
            step = next()
        case .wrong:
            misses += 1
            if misses >= tries(for: factor) { giveUp(.sheetFailed) }
        case .unavailable(let rule): giveUp(rule)
        case .fallback:
            if offersFallback { step = hasAnotherWay ? takeNextWay() : .over(.sheetFallback) }
        case .ended(let rule): step = .over(rule)
        }
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
        step = hasAnotherWay ? takeNextWay() : .over(rule)
    }

    private mutating func takeNextWay() -> Step {
        current += 1
        misses = 0
        return next()
    }

    private func next() -> Step {
        guard current < ways.count else { return .over(.sheetFailed) }
        for factor in ways[current] where !proved.contains(factor) { return .ask(factor) }
        return .met
    }
}
