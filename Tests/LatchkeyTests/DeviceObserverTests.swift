import Latchkey
import Synchronization
import TestSupport
import Testing

/// Tests of the objects that hear of changes to a device.
@Suite struct DeviceObserverTests {
    /// An observer that counts its calls, and wants a number of them.
    private final class Counter: DeviceObserver {
        private let count = Mutex(0)
        private let wanted: Int

        init(wanting wanted: Int = .max) { self.wanted = wanted }

        var calls: Int { count.withLock { $0 } }

        func deviceMayHaveChanged(_ keychain: Keychain) -> Bool {
            count.withLock { count in
                count += 1
                return count < wanted
            }
        }
    }

    @Test func anObserverIsCalledUntilItWantsNoMore() throws {
        let keychain = try Keychain.simulated()
        let (once, always) = (Counter(wanting: 1), Counter())
        for observer in [once, always] { keychain.addDeviceObserver(observer) }
        for finger in ["a", "b", "c"] { _ = try keychain.enroll(finger) }
        #expect(once.calls == 1 && always.calls >= 3)
    }

    /// The condition of a removal may use the observers: no lock is held around it.
    @Test func aConditionMayAddAndRemoveObservers() throws {
        let keychain = try Keychain.simulated()
        let (first, second, late) = (Counter(), Counter(), Counter())
        for observer in [first, second] { keychain.addDeviceObserver(observer) }
        keychain.removeDeviceObservers { observer in
            if observer === first { keychain.addDeviceObserver(late) }
            keychain.removeDeviceObservers { $0 === second }
            return observer === first
        }
        _ = try keychain.enroll("left thumb")
        #expect(first.calls == 0 && second.calls == 0 && late.calls > 0)
    }
}
