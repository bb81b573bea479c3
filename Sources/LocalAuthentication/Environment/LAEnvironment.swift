public import Foundation
internal import Latchkey
internal import Synchronization

/// The means by which the owner of the device can authenticate.
///
/// ```swift
/// let biometry = LAEnvironment.currentUser.state.biometry
/// loginButton.isHidden = biometry?.isUsable != true
/// ```
public final class LAEnvironment: NSObject, Sendable {
    /// The environment of the device that is current where its ``state`` is read.
    public static let currentUser = LAEnvironment()

    private override init() {}

    /// The present state. It shows no prompt.
    public var state: State { State(of: try? CurrentKeychain.of(call: "LAEnvironment.state").keychain) }

    /// Tells `observer` of each change of the state. The observer is kept weakly.
    public func addObserver(_ observer: any Observer) {
        guard let current = try? CurrentKeychain.of(call: "LAEnvironment.addObserver") else { return }
        current.keychain.addDeviceObserver(EnvironmentWatch(observer, current))
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
        var state: LAEnvironment.State
    }

    private let known: Mutex<Known>
    private let hasOwner: Bool

    init(_ observer: any LAEnvironment.Observer, _ current: CurrentKeychain) {
        known = Mutex(
            Known(observer: observer, owner: current.owner, state: LAEnvironment.State(of: current.keychain)))
        hasOwner = current.owner != nil
    }

    func observes(for observer: any LAEnvironment.Observer) -> Bool {
        known.withLock { $0.observer === observer }
    }

    func deviceMayHaveChanged(_ keychain: Keychain) -> Bool {
        let state = LAEnvironment.State(of: keychain)
        let (now, former) = known.withLock { known in
            defer { known.state = state }
            return (known, known.state)
        }
        // The device of a test that ended has nothing to tell.
        guard let observer = now.observer, !hasOwner || now.owner != nil else { return false }
        if state != former {
            CurrentKeychain(keychain, of: now.owner).whileCurrent {
                observer.environment(.currentUser, stateDidChangeFromOldState: former)
            }
        }
        return true
    }
}
