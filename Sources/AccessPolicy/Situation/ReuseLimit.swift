/// How long an authentication counts for later requests of the session in which the user gave it.
///
/// In the model, the session keeps its context. Whether the kept context satisfies an item's policy is decided as with
/// any other; this type says only whether it may be offered at all.
public struct ReuseLimit: Hashable, Sendable {
    /// The time since the last use, which each use renews. Zero means that every request prompts.
    public var sinceUse: TimeSpan

    /// The longest time since the authentication, however often it is used.
    public static let sinceAuthentication = TimeSpan.minutes(12 * 60)

    /// A limit under which every request prompts.
    public static let none = ReuseLimit(sinceUse: .zero)

    /// Creates a limit.
    public init(sinceUse: TimeSpan) { self.sinceUse = sinceUse }

    /// Returns the moment at which an authentication stops counting.
    public func end(authenticatedAt began: Instant, usedAt used: Instant) -> Instant {
        min(began + Self.sinceAuthentication, used + sinceUse)
    }

    /// Returns true if an authentication still counts. One that lies in the future does not.
    public func allows(at now: Instant, authenticatedAt began: Instant, usedAt used: Instant) -> Bool {
        began <= used && used <= now && now < end(authenticatedAt: began, usedAt: used)
    }
}

extension AccessControl {
    /// True if a kept authentication can count for an item with this policy. An application password never does,
    /// because it belongs to one item and not to the person.
    public var canReuse: Bool { isProtected && !needsApplicationPassword }
}
