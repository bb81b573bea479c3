package import AccessPolicy
package import AgentProtocol
package import Latchkey
internal import LinuxSystem
package import SecretService
package import SecretVault
internal import Synchronization

/// A context that ends when nothing needs it any more: neither its visit nor what was kept of it.
package final class HeldContext: Sendable {
    let context: KeychainContext

    package init(_ context: KeychainContext) { self.context = context }

    deinit { try? context.invalidate() }
}

/// The requests that a kept authentication counts for.
package enum KeptScope: Hashable, Sendable {
    /// Every item that allows reuse, for the programs of one session on a terminal.
    case session(Holder)
    /// One item that allows reuse, for a program without a terminal: the secret that its user was asked about.
    case program(Holder, ItemIdentifier)
    /// One item, for one connection to the bus, for some seconds.
    case connection(String, ShelfItemID)
    /// The items of a rule that says once per session, for any program, until the vault is locked.
    case rule(String)

    /// Creates the scope of a holder; nil if the user was asked about no item, and none other would count.
    package init?(_ holder: Holder, _ item: ItemIdentifier?) {
        switch (holder, item) {
        case (.session, _): self = .session(holder)
        case (.program, let item?): self = .program(holder, item)
        case (.program, nil): return nil
        }
    }

    /// True if a kept context counts as the use of an earlier authentication. After an `Unlock` on the bus it does not: the next read
    /// needs no prompt, even if the policy prompts each time.
    var isReuse: Bool { holder != nil }

    /// The holder, whose authentications count as long as the setting `reuse` says; nil in other scopes.
    fileprivate var holder: Holder? {
        switch self {
        case .session(let holder), .program(let holder, _): holder
        case .connection, .rule: nil
        }
    }

    /// The number of contexts that are kept. A person gives few factors, so a newer one replaces the oldest.
    fileprivate var most: Int { holder == nil ? 1 : 4 }

    fileprivate func isAlike(_ other: KeptScope) -> Bool {
        switch (self, other) {
        case (.session, .session), (.session, .program), (.program, .session), (.program, .program): true
        case (.connection, .connection), (.rule, .rule): true
        case (.session, _), (.program, _), (.connection, _), (.rule, _): false
        }
    }
}

/// The authentications that count beyond the visit that brought them.
///
/// A kept context only holds what its user has proved: `decide` says at each request what that opens. Nothing is added to it on
/// behalf of another visit: prompts always belong to a visit's own context. So a secret that prompts each time does so whatever
/// other programs of the session are doing.
///
/// Nothing here waits for the vault, so that a lock does not either. Ending a context can wait, and a thread of its own
/// does that.
package final class KeptContexts: Sendable {
    private struct Kept {
        let held: HeldContext
        let began: Instant
        /// The last use; for a connection the first one.
        var used: Instant?

        /// Returns the moment at which it stops counting; nil if only a lock ends it.
        func end(in scope: KeptScope, _ reuse: ReuseLimit) -> Instant? {
            switch scope {
            case .session, .program: reuse.end(authenticatedAt: began, usedAt: used ?? began)
            case .connection:
                min(began + KeptContexts.unused, used.map { $0 + KeptContexts.afterUse } ?? KeptContexts.never)
            case .rule: nil
            }
        }

        func counts(at now: Instant, in scope: KeptScope, _ reuse: ReuseLimit) -> Bool {
            // One that lies in the future does not count.
            guard began <= used ?? began, used ?? began <= now else { return false }
            return end(in: scope, reuse).map { now < $0 } ?? true
        }
    }

    /// The time that a program of the bus has to use what its user has unlocked, and the time after its first use.
    package static let unused = TimeSpan.seconds(10)
    package static let afterUse = TimeSpan.seconds(2)
    private static let never = Instant(milliseconds: .max)

    private struct State {
        var kept: [KeptScope: [Kept]] = [:]
        var reuse = ReuseLimit.none
        /// The number of scopes of one kind.
        let mostAlike: Int
        /// The number of locks so far. What began before a lock is not kept after it.
        var locks = 0
        /// The contexts that were forgotten and have yet to be ended.
        var forgotten: [HeldContext] = []

        mutating func forget(_ scope: KeptScope, where isOver: (Kept) -> Bool = { _ in true }) {
            guard let list = kept[scope] else { return }
            let rest = list.filter { !isOver($0) }
            if rest.count == list.count { return }
            forgotten += list.filter(isOver).map(\.held)
            kept[scope] = rest.isEmpty ? nil : rest
        }

        mutating func forget(scopes isOver: (KeptScope) -> Bool) {
            for scope in kept.keys.filter(isOver) { forget(scope) }
        }

        /// Ends the scope of the same kind that would end next, if there are too many. The settings say how many rules there are.
        mutating func makeRoom(for scope: KeptScope) {
            guard kept[scope] == nil, kept.count >= mostAlike else { return }
            let alike = kept.filter { $0.key.isAlike(scope) }
            if alike.count < mostAlike { return }
            func end(_ list: [Kept], _ scope: KeptScope) -> Instant {
                list.compactMap { $0.end(in: scope, reuse) }.max() ?? KeptContexts.never
            }
            if let next = alike.min(by: { end($0.value, $0.key) < end($1.value, $1.key) })?.key { forget(next) }
        }
    }

    /// The state, which the thread that ends contexts shares.
    private final class Store: Sendable {
        let state: Mutex<State>
        /// The longest pause, in milliseconds: a session may end, and the clock of pauses stops while the machine sleeps.
        private static let longestPause: Int64 = 30_000

        init(mostAlike: Int) { state = Mutex(State(mostAlike: mostAlike)) }

        /// Ends what no longer counts, and what belongs to a session that is gone. Returns the milliseconds until more does.
        func endOver(_ clock: () -> Instant) -> Int? {
            let (over, pause): ([HeldContext], Int64?) = state.withLock { state in
                // Read under the lock: what is kept later would lie in the future of a time that was read before.
                let now = clock()
                for scope in Array(state.kept.keys) {
                    let reuse = state.reuse
                    let isThere = scope.holder?.isThere ?? true
                    state.forget(scope) { !isThere || !$0.counts(at: now, in: scope, reuse) }
                }
                defer { state.forgotten = [] }
                let ends = state.kept.flatMap { scope, list in list.compactMap { $0.end(in: scope, state.reuse) } }
                return (state.forgotten, ends.min().map { max(1, $0.milliseconds - now.milliseconds) })
            }
            withExtendedLifetime(over) {}
            return pause.map { Int(min($0, Self.longestPause)) }
        }
    }

    private let store: Store
    private let ending: Worker
    private let now: @Sendable () -> Instant

    /// Creates an empty table of at most `mostAlike` scopes of each kind. `now` is a clock that also counts while the machine
    /// sleeps.
    package init(mostAlike: Int = 1024, now: @escaping @Sendable () -> Instant) throws(AgentError) {
        let store = Store(mostAlike: mostAlike)
        self.store = store
        self.now = now
        ending = try Worker.repeating { store.endOver(now) }
    }

    private func change(_ body: (inout State) -> Void) {
        store.state.withLock { body(&$0) }
        ending.want()
    }

    /// The limit on authentications of commands and SSH clients. Setting another one forgets what was kept under the former.
    package var reuse: ReuseLimit {
        get { store.state.withLock { $0.reuse } }
        set {
            if reuse != newValue { noteSettings(newValue) }
        }
    }

    /// Puts another limit into effect, and forgets what holders have proved before: other settings may ask for more.
    package func noteSettings(_ limit: ReuseLimit) {
        change {
            $0.reuse = limit
            $0.forget { $0.holder != nil }
        }
    }

    /// True if an authentication of a command or an SSH client is kept.
    var hasHolders: Bool { store.state.withLock { $0.kept.keys.contains { $0.holder != nil } } }

    /// The number of locks so far, which a visit passes on when it keeps what its user has proved.
    package var locks: Int { store.state.withLock { $0.locks } }

    /// Keeps a context in a scope, unless there was a lock since `locks` was read.
    package func keep(_ held: HeldContext, in scope: KeptScope, since locks: Int) {
        change { state in
            let now = now()
            guard state.locks == locks, scope.holder == nil || state.reuse.sinceUse > .zero else { return }
            state.makeRoom(for: scope)
            state.forget(scope) { $0.held === held }
            state.kept[scope, default: []].append(Kept(held: held, began: now, used: nil))
            if let list = state.kept[scope], list.count > scope.most {
                state.forget(scope) { $0.held === list[0].held }
            }
        }
    }

    /// Returns the contexts that may be offered in a scope, the newest first.
    package func contexts(in scope: KeptScope) -> [HeldContext] {
        let found: [HeldContext] = store.state.withLock { state in
            guard let list = state.kept[scope] else { return [] }
            let now = now()
            return list.filter { $0.counts(at: now, in: scope, state.reuse) }.reversed().map(\.held)
        }
        return found.isEmpty || scope.holder?.isThere == false ? [] : found
    }

    /// Notes that a kept context was used: that renews the time of an authentication, and ends a grant of the bus soon.
    package func use(_ held: HeldContext, in scope: KeptScope) {
        store.state.withLock { state in
            guard let place = state.kept[scope]?.firstIndex(where: { $0.held === held }) else { return }
            if scope.holder == nil, state.kept[scope]?[place].used != nil { return }
            state.kept[scope]?[place].used = now()
        }
        // For a holder the end only comes later.
        if scope.holder == nil { ending.want() }
    }

    /// Forgets every scope for which `isOver` returns true.
    package func forget(_ isOver: (KeptScope) -> Bool) { change { $0.forget(scopes: isOver) } }

    /// Forgets everything, because the vault is locked, and waits for nothing.
    package func noteLock() {
        change {
            $0.locks += 1
            $0.forget { _ in true }
        }
    }
}
