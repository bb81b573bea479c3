internal import SystemServices

/// The Secret Service on the bus of a session, over a store: `org.freedesktop.secrets`, and the portal's secrets for apps.
///
///     let server = SecretServer(store)
///     server.start()
///     …
///     server.stop()
package final class SecretServer: Sendable {
    /// The choices for a service.
    package typealias Settings = SecretServerSettings

    package enum State: Hashable, Sendable {
        /// It is not on a bus yet.
        case connecting
        /// It owns the name, and programs can call it. The portal's name can belong to another program, which serves
        /// apps then.
        case serving
        /// Another program owns the name. The bus gives it to this one when that program leaves.
        case waiting(process: Int32)
        /// There is no bus, or it was lost. It tries again after a pause.
        case failed(String)
        case stopped

        fileprivate init(_ state: BusService.State) {
            switch state {
            case .connecting: self = .connecting
            case .serving: self = .serving
            case .waiting(let process): self = .waiting(process: process)
            case .failed(let words): self = .failed(words)
            case .stopped: self = .stopped
            }
        }
    }

    /// The name of the service on the bus.
    package static let name = "org.freedesktop.secrets"
    /// The name of the portal's part on the bus, as `Packaging/latchkey.portal` has it.
    package static let portalName = "org.freedesktop.impl.portal.desktop.latchkey"

    private let store: any SecretStore
    private let service: BusService

    /// Creates a service that is not started.
    package init(_ store: any SecretStore, _ settings: Settings = Settings()) {
        self.store = store
        let names = [Self.name] + (settings.servesPortal ? [Self.portalName] : [])
        service = BusService(BusService.Settings(address: settings.address, names: names)) { link in
            SecretHandler(link, store, settings)
        }
    }

    /// Starts to serve, on a thread of its own, and returns at once. Call it once.
    package func start() {
        store.whenChanged { [weak service] change in
            service?.post { handler in (handler as? SecretHandler)?.announce(change) }
        }
        service.start()
    }

    /// Ends all prompts, gives the names back, and waits for the end of the thread.
    package func stop() { service.stop() }

    package var state: State { State(service.state) }

    /// Calls a closure after each change of the state.
    package func whenStateChanges(_ body: @escaping @Sendable (State) -> Void) {
        service.whenStateChanges { body(State($0)) }
    }
}
