internal import AccessPolicy
internal import Latchkey
internal import SecretVault
internal import Synchronization

/// A context that ends when nothing needs it any more: neither its connection nor what was kept of it.
final class HeldContext: Sendable {
    let context: KeychainContext

    init(_ context: KeychainContext) { self.context = context }

    deinit { try? context.invalidate() }
}

/// The authentications that count beyond the connection that brought them.
///
/// Nothing is added to a kept context on behalf of another connection: prompts always belong to a connection's own
/// context. So a secret that prompts each time does so whatever other programs of the session are doing.
final class KeptAuthentications: Sendable {
    /// The requests that an authentication counts for.
    private struct Scope: Hashable {
        let holder: Holder
        /// The only item that it counts for; nil for every item that allows reuse.
        let item: ItemIdentifier?

        init(_ holder: Holder, _ item: ItemIdentifier?) {
            self.holder = holder
            // Without a terminal, it counts for the secret that the user was asked about.
            self.item = if case .program = holder { item } else { nil }
        }
    }

    private struct Kept {
        let held: HeldContext
        let began: Instant
        var used: Instant
    }

    /// The number of contexts that one session keeps. A person gives few factors, so a newer one replaces the oldest.
    private static let most = 4

    private let kept = Mutex<[Scope: [Kept]]>([:])
    private let limit = Mutex(ReuseLimit.none)
    private let now: @Sendable () -> Instant

    init(now: @escaping @Sendable () -> Instant) { self.now = now }

    /// The present limit. Setting it forgets what was kept under the former one.
    var reuse: ReuseLimit {
        get { limit.withLock { $0 } }
        set {
            limit.withLock { $0 = newValue }
            forgetAll()
        }
    }

    /// True if anything is kept.
    var isEmpty: Bool { kept.withLock { $0.isEmpty } }

    /// Keeps the authentication of a context for its holder, and for this item alone if the holder has no terminal.
    func keep(_ held: HeldContext, for holder: Holder, item: ItemIdentifier?) {
        let limit = reuse
        if limit.sinceUse <= .zero { return }
        if case .program = holder, item == nil { return }
        let now = now()
        kept.withLock { all in
            var list = all[Scope(holder, item), default: []].filter { $0.held !== held }
            list.append(Kept(held: held, began: now, used: now))
            all[Scope(holder, item)] = list.suffix(Self.most)
        }
    }

    /// Returns the contexts that may be offered for an item, the newest first.
    func contexts(for holder: Holder, item: ItemIdentifier) -> [HeldContext] {
        if isEmpty { return [] }
        forgetOver()
        return kept.withLock { all in (all[Scope(holder, item)] ?? []).reversed().map(\.held) }
    }

    /// Notes that a kept context was used, which renews its time.
    func use(_ held: HeldContext, for holder: Holder, item: ItemIdentifier) {
        let now = now()
        kept.withLock { all in
            guard let place = all[Scope(holder, item)]?.firstIndex(where: { $0.held === held }) else { return }
            all[Scope(holder, item)]?[place].used = now
        }
    }

    /// The moment at which the next one is over; nil if nothing is kept.
    var nextEnd: Instant? {
        let limit = reuse
        return kept.withLock { all in
            all.values.joined().map { limit.end(authenticatedAt: $0.began, usedAt: $0.used) }.min()
        }
    }

    /// Forgets what no longer counts, and what belongs to a session that is gone.
    func forgetOver() {
        let (limit, now) = (reuse, now())
        var over: [Kept] = []
        kept.withLock { all in
            for (scope, list) in all {
                let isThere = scope.holder.isThere
                let valid = list.filter {
                    isThere && limit.allows(at: now, authenticatedAt: $0.began, usedAt: $0.used)
                }
                over += list.filter { kept in !valid.contains { $0.held === kept.held } }
                all[scope] = valid.isEmpty ? nil : valid
            }
        }
        withExtendedLifetime(over) {}  // Contexts end outside the lock.
    }

    /// Forgets everything.
    func forgetAll() {
        let all = kept.withLock { all in
            defer { all = [:] }
            return all
        }
        withExtendedLifetime(all) {}
    }
}
