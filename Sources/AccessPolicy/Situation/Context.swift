/// A record of one successful authentication, with what decides whether it still counts.
public struct Evidence: Hashable, Sendable {
    /// The factor that the user gave.
    public var factor: Factor
    /// The moment of the authentication.
    public var at: Instant
    /// The session of the device, ``Conditions/session``. Evidence counts only in its own session.
    public var session: UInt64
    /// For biometry, the enrolled set that the match was made against.
    public var domainState: DomainState
    /// For the application password, the item that it opened. It counts for no other item.
    public var item: ItemID

    /// Creates the evidence of a factor that the user gave under these conditions.
    ///
    /// - Parameters:
    ///   - factor: The factor.
    ///   - conditions: The state of the device at the moment of the authentication.
    ///   - item: The item that an application password opened. Other factors ignore it.
    public init(_ factor: Factor, under conditions: Conditions, item: ItemID = ItemID(rawValue: 0)) {
        self.factor = factor
        self.item = item
        at = conditions.now
        session = conditions.session
        domainState = conditions.domainState
    }
}

extension Evidence {
    /// Returns the rule by which the evidence no longer counts for any item; nil if it can still count.
    func voidness(under conditions: Conditions) -> Rule? {
        if session != conditions.session { return .evidenceFromOtherSession }
        let age = conditions.now - at
        let isOutOfTime = age > Context.longestLifetime || age < .zero
        let isExpired = conditions.fidelity.contextLifetime == .tenMinutes && isOutOfTime
        return isExpired ? .evidenceExpired : nil
    }
}

/// The authentications that a caller holds, like those of an `LAContext`.
public struct Context: Hashable, Sendable {
    /// True if the context was invalidated. Every request with it is then denied.
    public var isInvalidated = false
    /// The age up to which a biometric unlock of the device counts as biometry; zero means that it never counts.
    ///
    /// A value above ``longestReuse`` means ``longestReuse``.
    public var reuse = TimeSpan.zero
    /// True if the caller supplies an application password, right or wrong.
    public var offersApplicationPassword = false
    /// The item that the caller's application password did not open; nil if it was not tried or was right.
    public var passwordRefusedBy: ItemID?

    private var evidence = EvidenceByFactor()

    /// Creates a context without any authentication.
    public init() {}

    /// The time for which an authentication counts if ``Fidelity/contextLifetime`` is ten minutes.
    public static let longestLifetime = TimeSpan.minutes(10)

    /// Apple's limit on the reuse of a biometric device unlock: five minutes.
    public static let longestReuse = TimeSpan.minutes(5)

    /// The evidence for a factor, even if it no longer counts.
    public subscript(factor: Factor) -> Evidence? {
        get { evidence[factor] }
        set { evidence[factor] = newValue }
    }

    /// Removes evidence that no longer counts, and returns its factors so that the caller can close what they had
    /// opened.
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

    /// Adds evidence. It replaces former evidence for the same factor.
    public mutating func add(_ evidence: Evidence) { self[evidence.factor] = evidence }
}

/// The evidence of a context, at most one for each factor.
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
