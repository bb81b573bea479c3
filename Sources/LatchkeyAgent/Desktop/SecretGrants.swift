internal import AgentProtocol
internal import Latchkey
internal import LinuxSystem
internal import SecretService
internal import Synchronization

/// A context in which the user authenticated for a program of the desktop. It ends with the last grant that has it.
final class GrantedContext: Sendable {
    let context: KeychainContext

    init(_ context: KeychainContext) { self.context = context }

    deinit { try? context.invalidate() }
}

/// Grants to read without another prompt: one item, by one connection, for some seconds; or the items
/// of a rule that says once per session, by any program, until the vault is locked.
///
/// A grant is only a context: `decide` says at each read what it opens. Nothing here waits for the vault. Ending a context
/// can, and a thread of its own does that.
final class SecretGrants: Sendable {
    private struct Key: Hashable {
        let connection: String
        let item: SecretService.ItemID
    }

    private struct Grant {
        let held: GrantedContext
        var end: Int64
        var isUsed = false
    }

    private struct State {
        var grants: [Key: Grant] = [:]
        /// The contexts of rules that say once per session, by the text of the rule.
        var sessions: [String: GrantedContext] = [:]
        var ended: [GrantedContext] = []
        /// The number of locks so far. A call that began before a lock grants nothing after it.
        var locks = 0
    }

    /// How long a grant lasts that is not used, and how long after it is, in milliseconds.
    static let unused: Int64 = 10_000
    static let used: Int64 = 2_000
    /// The number of grants at a time. One more ends the oldest.
    private static let most = 1024

    /// The state, which the thread that ends contexts shares.
    private final class Store: Sendable {
        let state = Mutex(State())

        /// Ends what is over. Returns the milliseconds until more is.
        func endOver(at now: Int64) -> Int? {
            let (ended, next) = state.withLock { state in
                for (key, grant) in state.grants where grant.end <= now {
                    state.ended.append(grant.held)
                    state.grants[key] = nil
                }
                defer { state.ended = [] }
                return (state.ended, state.grants.values.map(\.end).min())
            }
            withExtendedLifetime(ended) {}
            return next.map { Int(max(1, $0 - now)) }
        }
    }

    private let store = Store()
    private let ending: Worker
    private let now: @Sendable () -> Int64

    /// Creates no grants. `now` is a clock in milliseconds that also counts while the machine sleeps.
    init(now: @escaping @Sendable () -> Int64) throws(AgentError) {
        self.now = now
        ending = try Worker.repeating { [store] in store.endOver(at: now()) }
    }

    /// The number of locks so far, which a call passes on when it adds what the user has allowed.
    var locks: Int { store.state.withLock { $0.locks } }

    /// Adds a grant for an item, unless there was a lock since `locks` was read.
    func add(_ held: GrantedContext, for item: SecretService.ItemID, to caller: SecretCaller, since locks: Int) {
        let end = now() + Self.unused
        store.state.withLock { state in
            guard state.locks == locks else { return }
            if state.grants.count >= Self.most, let oldest = state.grants.min(by: { $0.value.end < $1.value.end }) {
                state.ended.append(oldest.value.held)
                state.grants[oldest.key] = nil
            }
            let key = Key(connection: caller.connection, item: item)
            if let former = state.grants[key]?.held { state.ended.append(former) }
            state.grants[key] = Grant(held: held, end: end)
        }
        ending.want()
    }

    /// Returns true if a caller has a grant for an item, or any program has the items of the rule.
    func has(_ item: SecretService.ItemID, for caller: SecretCaller, under rule: SecretRules.Rule?) -> Bool {
        let now = now()
        return store.state.withLock { state in
            if let grant = state.grants[Key(connection: caller.connection, item: item)], grant.end > now { return true }
            return rule.map { state.sessions[$0.text] != nil } ?? false
        }
    }

    /// Returns the context of a grant; nil if the caller has none.
    func grant(for item: SecretService.ItemID, to caller: SecretCaller) -> GrantedContext? {
        let now = now()
        return store.state.withLock { state in
            guard let grant = state.grants[Key(connection: caller.connection, item: item)], grant.end > now else {
                return nil
            }
            return grant.held
        }
    }

    /// Notes that a grant was used, after which it ends soon.
    func use(_ item: SecretService.ItemID, by caller: SecretCaller) {
        let end = now() + Self.used
        store.state.withLock { state in
            let key = Key(connection: caller.connection, item: item)
            guard let grant = state.grants[key], !grant.isUsed else { return }
            state.grants[key]?.isUsed = true
            state.grants[key]?.end = min(grant.end, end)
        }
        ending.want()
    }

    /// Returns the context of a rule that says once per session; nil if no user authenticated for it since the last lock.
    func session(of rule: SecretRules.Rule) -> GrantedContext? {
        store.state.withLock { $0.sessions[rule.text] }
    }

    /// Keeps a context for a rule that says once per session, unless there was a lock since `locks` was read.
    func begin(_ rule: SecretRules.Rule, _ held: GrantedContext, since locks: Int) {
        store.state.withLock { state in
            guard state.locks == locks else { return }
            if let former = state.sessions[rule.text] { state.ended.append(former) }
            state.sessions[rule.text] = held
        }
        ending.want()
    }

    /// Ends every grant for these items, of all callers, and of these rules.
    func end(items: Set<SecretService.ItemID>, rules: Set<String>) {
        store.state.withLock { state in
            for (key, grant) in state.grants where items.contains(key.item) {
                state.ended.append(grant.held)
                state.grants[key] = nil
            }
            for rule in rules {
                if let held = state.sessions.removeValue(forKey: rule) { state.ended.append(held) }
            }
        }
        ending.want()
    }

    /// Ends the grants of a caller that has left.
    func end(of caller: SecretCaller) {
        store.state.withLock { state in
            for (key, grant) in state.grants where key.connection == caller.connection {
                state.ended.append(grant.held)
                state.grants[key] = nil
            }
        }
        ending.want()
    }

    /// Ends everything at once, and waits for nothing.
    func endAll() {
        store.state.withLock { state in
            state.ended += state.grants.values.map(\.held) + state.sessions.values
            (state.grants, state.sessions) = ([:], [:])
            state.locks += 1
        }
        ending.want()
    }
}
