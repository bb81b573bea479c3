package import AgentProtocol
internal import Synchronization

/// An event in the vault of a service.
package enum VaultEvent: Sendable {
    /// The vault was locked. Parts hear it on the thread that locks, also before the machine sleeps: they set flags and want
    /// workers, and wait for nothing.
    case locked
    /// A request is done. It may have unlocked the vault, and changed items if `mayHaveChanged`.
    case used(mayHaveChanged: Bool)
    /// The password of a login was checked, which may have unlocked the vault.
    case loginChecked
    /// Another program may have changed the vault.
    case touched
    /// These settings are in effect now.
    case settings(VaultSettings)
    /// The agent ends, and its keys are wiped.
    case closing
}

/// The one place that tells the parts of a service what happens to the vault, in the order in which they subscribed.
package final class VaultEvents: Sendable {
    private let parts = Mutex<[@Sendable (VaultEvent) -> Void]>([])

    /// Calls `hear` for every event from now on.
    package func subscribe(_ hear: @escaping @Sendable (VaultEvent) -> Void) { parts.withLock { $0.append(hear) } }

    /// Ends every part's hearing.
    func end() { parts.withLock { $0 = [] } }

    /// Tells every part, on this thread.
    func tell(_ event: VaultEvent) {
        for hear in parts.withLock({ $0 }) { hear(event) }
    }
}

// The deeds of the parts at each event. A new event has to say them here.

extension KeptContexts {
    func hear(_ event: VaultEvent) {
        switch event {
        case .locked: noteLock()
        case .settings(let settings): noteSettings(settings.reuseLimit)
        case .used, .loginChecked, .touched, .closing: break
        }
    }
}

extension FolderKeeper {
    func hear(_ event: VaultEvent) {
        switch event {
        case .locked: noteLock()
        case .used, .loginChecked, .touched: follow()
        // Without keys, no folder may be open.
        case .closing: close()
        case .settings: break
        }
    }
}

extension Loans {
    func hear(_ event: VaultEvent) {
        switch event {
        case .locked, .closing: noteLock()
        case .used, .loginChecked, .touched, .settings: break
        }
    }
}

extension DesktopStore {
    func hear(_ event: VaultEvent) {
        switch event {
        case .locked: noteLock()
        case .used(let mayHaveChanged): follow(hasChanged: mayHaveChanged)
        case .loginChecked: follow(hasChanged: true)
        case .touched:
            follow(hasChanged: false)
            noteLook()
        case .settings, .closing: break
        }
    }
}
