public import Foundation
internal import Latchkey
internal import Synchronization

/// The means by which the owner of the device can authenticate.
///
///     let biometry = LAEnvironment.currentUser.state.biometry
///     loginButton.isHidden = biometry?.isUsable != true
public final class LAEnvironment: NSObject, Sendable {
    /// The environment of the device that is current where its ``state`` is read.
    public static let currentUser = LAEnvironment()

    private override init() {}

    /// The present state. It shows no prompt.
    public var state: State { State(of: try? CurrentKeychain.of(call: "LAEnvironment.state").keychain) }

    /// Tells `observer` of each change of the state that this process makes. The observer is kept weakly.
    public func addObserver(_ observer: any Observer) {
        guard let current = try? CurrentKeychain.of(call: "LAEnvironment.addObserver") else { return }
        let watch = EnvironmentWatch(observer, current)
        // A change after the first reading has to reach the watch.
        current.keychain.addDeviceObserver(watch)
        watch.begin(with: current.keychain)
    }

    /// Tells `observer` of no further changes.
    public func removeObserver(_ observer: any Observer) {
        guard let current = try? CurrentKeychain.of(call: "LAEnvironment.removeObserver") else { return }
        current.keychain.removeDeviceObservers { ($0 as? EnvironmentWatch)?.observes(for: observer) == true }
    }

    /// An object that hears of changes.
    public protocol Observer: NSObjectProtocol {
        /// Takes note of a change. The environment already has the new state.
        ///
        /// It is called on the thread that changed the device, before the event ends.
        func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: State)
    }
}

extension LAEnvironment.Observer {
    /// Does nothing, because the call is optional.
    public func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State) {}
}

/// An observer with the last state of the device that it knows.
private final class EnvironmentWatch: DeviceObserver {
    // The observer is only called, and Apple's framework calls it from a queue of its own too.
    private struct Known: @unchecked Sendable {
        weak var observer: (any LAEnvironment.Observer)?
        weak var owner: (any AnyObject & Sendable)?
        var state: LAEnvironment.State?

        /// Reads the state, and returns the former one.
        mutating func update(_ keychain: Keychain) -> LAEnvironment.State? {
            defer { state = LAEnvironment.State(of: keychain) }
            return state
        }
    }

    private let known: Mutex<Known>
    private let hasOwner: Bool

    init(_ observer: any LAEnvironment.Observer, _ current: CurrentKeychain) {
        known = Mutex(Known(observer: observer, owner: current.owner))
        hasOwner = current.owner != nil
    }

    /// Reads the first state, unless an event has done so.
    func begin(with keychain: Keychain) {
        known.withLock { known in if known.state == nil { _ = known.update(keychain) } }
    }

    func observes(for observer: any LAEnvironment.Observer) -> Bool {
        // Another observer may end here, so the comparison is outside of the lock.
        let now = known.withLock { $0 }
        return now.observer === observer
    }

    func deviceMayHaveChanged(_ keychain: Keychain) -> Bool {
        // The state is read under the lock, so that of two threads the later one keeps the later state. The lock of the vault is
        // always the inner one, because events come here without it.
        let (former, now) = known.withLock { ($0.update(keychain), $0) }
        // The device of a test that ended has nothing to tell.
        guard let observer = now.observer, !hasOwner || now.owner != nil else { return false }
        if let former, now.state != former {
            CurrentKeychain(keychain, of: now.owner).whileCurrent {
                observer.environment(.currentUser, stateDidChangeFromOldState: former)
            }
        }
        return true
    }
}
