internal import Synchronization

/// An object that hears of changes to the device of a keychain.
package protocol DeviceObserver: AnyObject, Sendable {
    /// Compares the device with what it knows of it. It is called after each event that may have changed the device, on the thread of that
    /// event, while the vault is not locked. Returns false to hear of no further ones.
    func deviceMayHaveChanged(_ keychain: Keychain) -> Bool
}

/// The observers of the device of one keychain.
final class DeviceObservers: Sendable {
    private let observers = Mutex<[any DeviceObserver]>([])

    func add(_ observer: any DeviceObserver) { observers.withLock { $0.append(observer) } }

    /// Removes the observers for which `isMeant` returns true.
    func remove(_ isMeant: (any DeviceObserver) -> Bool) {
        // The condition runs outside of the lock, because it may end the last reference to an object whose end comes back here.
        remove(observers.withLock { $0 }.filter(isMeant))
    }

    private func remove(_ some: [any DeviceObserver]) {
        if some.isEmpty { return }
        observers.withLock { $0.removeAll { observer in some.contains { $0 === observer } } }
    }

    /// Calls every observer, and drops those that want no further calls.
    func tell(of keychain: Keychain) {
        remove(observers.withLock { $0 }.filter { !$0.deviceMayHaveChanged(keychain) })
    }
}

extension Keychain {
    /// Calls `observer` after each event that may have changed the device.
    package func addDeviceObserver(_ observer: any DeviceObserver) { deviceObservers.add(observer) }

    /// Calls the observers for which `isMeant` returns true no more.
    package func removeDeviceObservers(where isMeant: (any DeviceObserver) -> Bool) { deviceObservers.remove(isMeant) }
}
