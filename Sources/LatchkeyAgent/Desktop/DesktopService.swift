internal import AgentProtocol
internal import Glibc
internal import Latchkey
internal import SecretService
internal import Synchronization
internal import UserPresence

/// Serves the vault on the bus of the session while its settings say so.
///
/// The store exists as soon as a request needs it, so that `latchkey secret-service` works without a bus too.
final class DesktopService: Sendable {
    /// The parts of the agent that the service needs.
    struct Host: Sendable {
        /// The settings of the vault that are in effect.
        var settings: @Sendable () -> VaultSettings
        /// Returns the user for a process without a place for prompts, who answers at another terminal.
        var approving: @Sendable (_ process: Int32) -> (any DeviceUser)?
        /// Locks the vault at once.
        var lock: @Sendable () -> Void
        /// Called after each call that uses the vault, with true if the user has authenticated in it. A call that runs does
        /// not keep the vault unlocked: a program can always have one.
        var noteCall: @Sendable (_ hasAuthenticated: Bool) -> Void
    }

    private struct State: Sendable {
        var isEnabled = false
        var host: Host?
        var store: DesktopStore?
        var server: SecretServer?
        /// The reason why the service could not be started.
        var trouble: String?
        var isClosed = false
    }

    private let keychain: Keychain
    private let group: String
    private let service: String
    private let budget: SecretBudget
    private let kept: KeptContexts
    private let now: @Sendable () -> Int64
    private let state = Mutex(State())
    /// Held while the service is started or stopped.
    private let starting = Mutex(())

    init(
        _ keychain: Keychain, group: String, service: String, _ budget: SecretBudget,
        _ kept: KeptContexts, now: @escaping @Sendable () -> Int64
    ) {
        (self.keychain, self.group, self.service) = (keychain, group, service)
        (self.budget, self.kept, self.now) = (budget, kept, now)
    }

    // MARK: - Starting and ending

    func start(_ isEnabled: Bool, _ host: Host) {
        state.withLock { state in
            state.host = host
        }
        apply(isEnabled)
    }

    /// The settings of the vault that are in effect.
    private var settings: VaultSettings {
        state.withLock { $0.host }?.settings() ?? VaultSettings().strictest
    }

    /// Follows the settings: starts the service, or ends it.
    func apply(_ isEnabled: Bool) {
        let (isReady, isClosed) = state.withLock { state in
            state.isEnabled = isEnabled
            return (state.host != nil, state.isClosed)
        }
        guard isReady, !isClosed else { return }
        starting.withLock { _ in
            if isEnabled {
                guard state.withLock({ $0.server == nil }) else { return }
                do throws(AgentError) {
                    var choices = SecretServer.Settings()
                    choices.reserve = { [budget] bytes in try? budget.share(of: bytes, isOfDesktop: true) }
                    let server = SecretServer(try store(), choices)
                    state.withLock { ($0.server, $0.trouble) = (server, nil) }
                    server.start()
                } catch {
                    state.withLock { $0.trouble = error.message }
                }
            } else {
                let server = state.withLock { state in
                    defer { state.server = nil }
                    return state.server
                }
                server?.stop()
            }
        }
    }

    /// Ends the service, and its prompts. The name on the bus is free then.
    func close() {
        let server = state.withLock { state in
            state.isClosed = true
            defer { state.server = nil }
            return state.server
        }
        server?.stop()
    }

    /// The store.
    ///
    /// - Throws: ``AgentError`` if the vault cannot be read.
    func store() throws(AgentError) -> DesktopStore {
        if let store = state.withLock({ $0.store }) { return store }
        var surroundings = DesktopStore.Surroundings(
            settings: { [weak self] in self?.settings ?? VaultSettings().strictest },
            user: { [weak self] caller in self?.user(for: caller) },
            lock: { [weak self] in self?.state.withLock { $0.host }?.lock() }, now: now)
        surroundings.noteCall = { [weak self] in self?.state.withLock { $0.host }?.noteCall($0) }
        let made = try DesktopStore(keychain, group: group, service: service, kept, surroundings)
        return state.withLock { state in
            if let store = state.store { return store }
            state.store = made
            return made
        }
    }

    /// Returns the user at a pinentry on the display of the calling process, or else at its terminal, or else at one that
    /// `latchkey approve` offers; nil if no prompt can be shown.
    private func user(for caller: SecretCaller) -> (any DeviceUser)? {
        settings.user(at: caller.process) ?? state.withLock { $0.host }?.approving(caller.process)
    }

    // MARK: - Following the vault

    /// Notes that a request is done.
    func follow(hasChanged: Bool) {
        guard let store = state.withLock({ $0.store }) else { return }
        store.follow()
        if hasChanged { store.noteChange() }
    }

    /// Notes that another program may have changed the vault.
    func noteLook() { state.withLock { $0.store }?.noteLook() }

    /// Ends all grants, because the vault is locked, and waits for nothing.
    func noteLock() { state.withLock { $0.store }?.noteLock() }

    /// Lets every program prompt again, because the user has authenticated at the terminal of a command.
    func endSilences() { state.withLock { $0.store }?.limits.endSilences() }

    /// The state of the service in one word, the process that owns the name, and the trouble.
    var report: (word: String, owner: Int32?, trouble: String?) {
        let (server, trouble) = state.withLock { ($0.server, $0.trouble) }
        guard let server else { return ("off", nil, trouble) }
        switch server.state {
        case .connecting: return ("connecting", nil, nil)
        case .serving: return ("serving", nil, nil)
        case .waiting(let process): return ("waiting", process, nil)
        case .failed(let words): return ("failed", nil, words)
        case .stopped: return ("stopped", nil, nil)
        }
    }
}
