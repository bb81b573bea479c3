package import Prompts
package import SecretService
internal import Synchronization

/// The process around a service: it has the doors, and what only a process knows.
package protocol ServiceHost: AnyObject, Sendable {
    /// The reason why the vault would not be locked before the machine sleeps; nil if it would.
    var sleepTrouble: String? { get }
    /// The resource limits that are too low for full service, each with its consequence.
    var limitTroubles: [String] { get }
    /// The path at which SSH clients connect; nil if they cannot.
    var sshSocket: String? { get }
    /// The reason why they cannot; nil if they can.
    var sshTrouble: String? { get }
    /// The state of the service on the bus in one word, the process that owns its name, and the trouble.
    var busState: (word: String, owner: Int32?, trouble: String?) { get }
    /// Returns the user who answers the prompts for a program of the desktop; nil if none can be shown.
    func user(for caller: SecretCaller) -> (any DeviceUser)?
    /// Ends the process, once the requests under way are answered. Any thread may call this.
    func stop()
    /// Has the process look again when the vault locks itself. Any thread may call this.
    func wake()
}

/// A service and its host, as long as they exist, for the work of its parts.
final class Hosting: Sendable {
    private struct References: Sendable {
        weak var service: VaultService?
        weak var host: (any ServiceHost)?
    }
    private let references = Mutex(References())

    var service: VaultService? { references.withLock { $0.service } }
    var host: (any ServiceHost)? { references.withLock { $0.host } }

    func hold(_ service: VaultService) { references.withLock { $0.service = service } }
    func hold(_ host: any ServiceHost) { references.withLock { $0.host = host } }
}
