package import AccessPolicy
package import AgentProtocol
package import Latchkey
internal import LinuxSystem
package import SecretVault
internal import Synchronization

/// A context that ends when nothing needs it any more: neither its connection nor what was kept of it.
package final class HeldContext: Sendable {
    let context: KeychainContext

    package init(_ context: KeychainContext) { self.context = context }

    deinit { try? context.invalidate() }
}

/// The authentications that count beyond the connection that brought them.
///
/// Nothing is added to a kept context on behalf of another connection: prompts always belong to a connection's own
/// context. So a secret that prompts each time does so whatever other programs of the session are doing.
///
/// Nothing here waits for the vault, so that a lock does not either. Ending a context can wait, and a thread of its own
/// does that.
package final class KeptAuthentications: Sendable {
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

    private struct State {
        var kept: [Scope: [Kept]] = [:]
        var limit = ReuseLimit.none
        /// The contexts that were forgotten and have yet to be ended.
        var forgotten: [HeldContext] = []

        mutating func forget(_ scope: Scope, where isOver: (Kept) -> Bool) {
            let list = kept[scope] ?? []
            let over = list.filter(isOver)
            if over.isEmpty { return }
            forgotten += over.map(\.held)
            let rest = list.filter { !isOver($0) }
            kept[scope] = rest.isEmpty ? nil : rest
        }

        mutating func forgetAll() {
            for list in kept.values { forgotten += list.map(\.held) }
            kept = [:]
        }
    }

    /// The number of contexts that one session keeps. A person gives few factors, so a newer one replaces the oldest.
    private static let most = 4
    /// The number of sessions, and of secrets of programs without a terminal, for which something is kept.
    static let mostScopes = 256

    /// The state, which the thread that ends contexts shares.
    private final class Store: Sendable {
        let state = Mutex(State())

        func endForgotten() {
            let forgotten = state.withLock { state in
                defer { state.forgotten = [] }
                return state.forgotten
            }
            withExtendedLifetime(forgotten) {}
        }
    }

    private let store: Store
    private let ending: Worker
    private let now: @Sendable () -> Instant

    /// Creates an empty store, whose time is that of `now`.
    package init(now: @escaping @Sendable () -> Instant) throws(AgentError) {
        let store = Store()
        self.store = store
        self.now = now
        ending = try Worker.doing { store.endForgotten() }
    }

    private func change(_ body: (inout State) -> Void) {
        let hasForgotten = store.state.withLock { state in
            body(&state)
            return !state.forgotten.isEmpty
        }
        if hasForgotten { ending.want() }
    }

    /// The present limit. Setting it forgets what was kept under the former one.
    package var reuse: ReuseLimit {
        get { store.state.withLock { $0.limit } }
        set {
            change {
                $0.limit = newValue
                $0.forgetAll()
            }
        }
    }

    /// Sets the limit if it is another one.
    func follow(_ limit: ReuseLimit) {
        change {
            if $0.limit == limit { return }
            $0.limit = limit
            $0.forgetAll()
        }
    }

    /// True if anything is kept.
    var isEmpty: Bool { store.state.withLock { $0.kept.isEmpty } }

    /// Keeps the authentication of a context for its holder, and for this item alone if the holder has no terminal.
    package func keep(_ held: HeldContext, for holder: Holder, item: ItemIdentifier?) {
        if case .program = holder, item == nil { return }
        let now = now()
        let scope = Scope(holder, item)
        change { state in
            if state.limit.sinceUse <= .zero { return }
            if state.kept[scope] == nil, state.kept.count >= Self.mostScopes { Self.forgetOldest(&state) }
            var list = (state.kept[scope] ?? []).filter { $0.held !== held }
            list.append(Kept(held: held, began: now, used: now))
            state.kept[scope] = list
            if list.count > Self.most { state.forget(scope) { $0.held === list[0].held } }
        }
    }

    private static func forgetOldest(_ state: inout State) {
        func lastUse(_ list: [Kept]) -> Instant { list.map(\.used).max() ?? Instant(milliseconds: 0) }
        if let oldest = state.kept.min(by: { lastUse($0.value) < lastUse($1.value) })?.key {
            state.forget(oldest) { _ in true }
        }
    }

    /// Returns the contexts that may be offered for an item, the newest first.
    package func contexts(for holder: Holder, item: ItemIdentifier) -> [HeldContext] {
        if isEmpty { return [] }
        forgetOver()
        return store.state.withLock { ($0.kept[Scope(holder, item)] ?? []).reversed().map(\.held) }
    }

    /// Notes that a kept context was used, which renews its time.
    func use(_ held: HeldContext, for holder: Holder, item: ItemIdentifier) {
        let now = now()
        store.state.withLock { state in
            guard let place = state.kept[Scope(holder, item)]?.firstIndex(where: { $0.held === held }) else { return }
            state.kept[Scope(holder, item)]?[place].used = now
        }
    }

    /// The moment at which the next one is over; nil if nothing is kept.
    var nextEnd: Instant? {
        store.state.withLock { state in
            state.kept.values.joined().map { state.limit.end(authenticatedAt: $0.began, usedAt: $0.used) }.min()
        }
    }

    /// Forgets what no longer counts, and what belongs to a session that is gone.
    func forgetOver() {
        let now = now()
        change { state in
            let limit = state.limit
            for scope in Array(state.kept.keys) {
                let isThere = scope.holder.isThere
                state.forget(scope) { !isThere || !limit.allows(at: now, authenticatedAt: $0.began, usedAt: $0.used) }
            }
        }
    }

    func forgetAll() { change { $0.forgetAll() } }
}
