/// A factor proved: what, when, and under which circumstances it counts.
public struct Evidence: Hashable, Sendable {
    /// What was proved.
    public var factor: Factor
    /// When.
    public var at: Instant
    /// In which session of the device; a lock or a restart begins another one, and what was proved before it is gone.
    public var session: UInt64
    /// For biometry: the enrollment set that the match was made against.
    public var domainState: DomainState
    /// For the application password: the item it opened. It proves nothing for another item.
    public var item: ItemID

    /// A factor proved under these conditions; `item` matters for an application password only.
    public init(_ factor: Factor, under conditions: Conditions, item: ItemID = ItemID(rawValue: 0)) {
        self.factor = factor
        self.item = item
        at = conditions.now
        session = conditions.session
        domainState = conditions.domainState
    }
}

extension Evidence {
    /// Why it counts for nothing any more, whatever it is held up to; nil while it may still count for something.
    func voidness(under conditions: Conditions) -> Rule? {
        if session != conditions.session { return .evidenceFromOtherSession }
        let age = conditions.now - at
        let isOutOfTime = age > Context.longestLifetime || age < .zero
        let isExpired = conditions.fidelity.contextLifetime == .tenMinutes && isOutOfTime
        return isExpired ? .evidenceExpired : nil
    }
}

/// What has been proved so far, and what the caller allows. An `LAContext` is one.
public struct Context: Hashable, Sendable {
    /// True if it was ended; it then answers nothing any more.
    public var isInvalidated = false
    /// How old an unlock of the device by biometry may be to count as biometry here; zero means never.
    ///
    /// Longer than ``longestReuse`` counts as that.
    public var reuse = TimeSpan.zero
    /// True if the caller has set an application password, right or wrong.
    public var offersApplicationPassword = false
    /// The item that the caller's application password was tried on and did not open.
    public var passwordRefusedBy: ItemID?

    private var evidence = EvidenceByFactor()

    /// A context in which nothing has been proved.
    public init() {}

    /// The time that a proof counts for if ``Fidelity/contextLifetime`` is ten minutes.
    public static let longestLifetime = TimeSpan.minutes(10)

    /// Apple's bound on the reuse of a device unlock: five minutes.
    public static let longestReuse = TimeSpan.minutes(5)

    /// The evidence held for `factor`, whether or not it still counts.
    public subscript(factor: Factor) -> Evidence? {
        get { evidence[factor] }
        set { evidence[factor] = newValue }
    }

    /// Lets go of what counts for nothing any more, so that what it had opened can be closed; the factors that it was of.
    public mutating func discardVoid(under conditions: Conditions) -> FactorSet {
        var discarded = FactorSet()
        for factor in evidence.factors {
            guard let evidence = self[factor], isInvalidated || evidence.voidness(under: conditions) != nil else {
                continue
            }
            self[factor] = nil
            discarded.insert(factor)
        }
        return discarded
    }

    /// Takes `evidence` in.
    public mutating func add(_ evidence: Evidence) { self[evidence.factor] = evidence }
}

/// The evidence of authentications, one for each factor: a later one replaces the earlier one.
private struct EvidenceByFactor: Hashable, Sendable {
    private(set) var factors = FactorSet()
    private var places = InlineArray<4, Evidence?>(repeating: nil)

    private static func place(of factor: Factor) -> Int {
        switch factor {
        case .biometry: 0
        case .companion: 1
        case .passcode: 2
        case .applicationPassword: 3
        }
    }

    subscript(factor: Factor) -> Evidence? {
        get { places[Self.place(of: factor)] }
        set {
            places[Self.place(of: factor)] = newValue
            if newValue == nil { factors.remove(factor) } else { factors.insert(factor) }
        }
    }

    static func == (left: Self, right: Self) -> Bool {
        left.factors == right.factors && left.factors.allSatisfy { left[$0] == right[$0] }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(factors)
        for factor in factors { hasher.combine(self[factor]) }
    }
}
