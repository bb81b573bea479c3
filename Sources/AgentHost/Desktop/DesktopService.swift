internal import AgentProtocol
internal import SecretService
internal import Synchronization
internal import VaultService

/// Serves the vault on the bus of the session while its settings say so.
final class DesktopService: Sendable {
    private struct State: Sendable {
        var isStarted = false
        var server: SecretServer?
        /// The reason why the service could not be started.
        var trouble: String?
        var isClosed = false
    }

    private let service: VaultService
    private let served = Mutex(State())
    /// Held while the service is started or stopped.
    private let starting = Mutex(())

    init(_ service: VaultService) { self.service = service }

    // MARK: - Starting and ending

    /// Follows the settings from now on.
    func start() {
        served.withLock { $0.isStarted = true }
        apply(service.storedSettings[.secretService].flag)
    }

    /// Follows the settings: starts the service, or ends it.
    private func apply(_ isEnabled: Bool) {
        let isReady = served.withLock { $0.isStarted && !$0.isClosed }
        guard isReady else { return }
        starting.withLock { _ in
            if isEnabled {
                guard served.withLock({ $0.server == nil }) else { return }
                do throws(AgentError) {
                    var choices = SecretServer.Settings()
                    choices.reserve = { [budget = service.budget] bytes in
                        try? budget.share(of: bytes, isOfDesktop: true)
                    }
                    let server = SecretServer(try service.desktopStore(), choices)
                    served.withLock { ($0.server, $0.trouble) = (server, nil) }
                    server.start()
                } catch {
                    served.withLock { $0.trouble = error.message }
                }
            } else {
                let server = served.withLock { state in
                    defer { state.server = nil }
                    return state.server
                }
                server?.stop()
            }
        }
    }

    /// Ends the service, and its prompts. The name on the bus is free then.
    private func close() {
        let server = served.withLock { state in
            state.isClosed = true
            defer { state.server = nil }
            return state.server
        }
        server?.stop()
    }

    func hear(_ event: VaultEvent) {
        switch event {
        case .settings(let settings): apply(settings[.secretService].flag)
        case .closing: close()
        case .locked, .used, .loginChecked, .touched: break
        }
    }

    /// The state of the service in one word, the process that owns the name, and the trouble.
    var state: (word: String, owner: Int32?, trouble: String?) {
        let (server, trouble) = served.withLock { ($0.server, $0.trouble) }
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
