/// The answer to a request.
public enum Decision: Hashable, Sendable {
    /// The request may go ahead.
    case granted(Grant)
    /// The request may go ahead once the user gives all factors of one of these ways.
    ///
    /// The ways leave out factors that the context already holds. Prompt for the first way; the others are its
    /// fallbacks.
    case challenge(Ways)
    /// The request may not go ahead.
    case denied(Denial)

    /// True if the request may go ahead.
    public var isGranted: Bool { if case .granted = self { true } else { false } }
    /// The reason for a denial; nil for any other answer.
    public var denial: Denial? { if case .denied(let denial) = self { denial } else { nil } }
}

/// The reason why a request may go ahead.
public struct Grant: Hashable, Sendable {
    /// The factors that satisfied the access policy; empty if the request needed no authentication.
    ///
    /// A vault encrypts an item once for each way, and decrypts it by this one.
    public let way: FactorSet
    /// True if the biometry in ``way`` is the match that last unlocked the device.
    public let reusesUnlock: Bool
}

/// The reason why a request may not go ahead, and what would change that.
public struct Denial: Hashable, Sendable {
    /// The rule that denies the request.
    public let rule: Rule
    /// The ways that would satisfy the request if a prompt were possible; empty if authentication would not help.
    ///
    /// An application password in one of them may still work: the app can supply it without a prompt.
    public let ways: Ways
    /// The end of the delay, if `Rule.remedy` is to wait and the conditions are known; otherwise nil.
    public let until: Instant?

    /// Creates a denial by a rule.
    public init(_ rule: Rule, ways: Ways = Ways()) {
        self.rule = rule
        self.ways = ways
        until = nil
    }

    /// Creates a denial by a rule, with the end of the passcode delay if that is the reason.
    public init(_ rule: Rule, under conditions: Conditions) {
        self.rule = rule
        ways = Ways()
        until = rule == .passcodeDelayed ? conditions.passcodeDelayedUntil : nil
    }
}
