/// The answer to a request.
public enum Decision: Hashable, Sendable {
    /// It may go ahead.
    case granted(Grant)
    /// It may go ahead once one of these sets of factors has been proved on top of what is held. The first is the one to
    /// ask for; the rest are what the user may fall back on.
    case challenge(Ways)
    /// It may not.
    case denied(Denial)

    /// True if it may go ahead.
    public var isGranted: Bool { if case .granted = self { true } else { false } }
    /// The reason, when it may not.
    public var denial: Denial? { if case .denied(let denial) = self { denial } else { nil } }
}

/// Why a request may go ahead.
public struct Grant: Hashable, Sendable {
    /// The way that the evidence satisfies; the same set of gates opens the item. Empty when nothing was demanded.
    public let way: FactorSet
    /// True if the biometry in it is that of the device's last unlock.
    public let reusesUnlock: Bool
}

/// Why a request may not go ahead, and what would change that.
public struct Denial: Hashable, Sendable {
    /// The one reason.
    public let rule: Rule
    /// What could be proved if somebody were asked; empty where nobody would be, or proving does not help.
    ///
    /// An application password that the caller has at hand can be tried without asking anybody.
    public let ways: Ways
    /// Until when to wait, where ``Rule/remedy`` says that waiting helps.
    public let until: Instant?

    /// A denial by `rule`.
    public init(_ rule: Rule, ways: Ways = Ways()) {
        self.rule = rule
        self.ways = ways
        until = nil
    }

    /// A denial by `rule` under conditions that say until when to wait, where waiting helps.
    public init(_ rule: Rule, under conditions: Conditions) {
        self.rule = rule
        ways = Ways()
        until = rule == .passcodeDelayed ? conditions.passcodeDelayedUntil : nil
    }
}
