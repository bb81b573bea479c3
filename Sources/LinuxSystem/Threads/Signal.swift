internal import Dispatch

/// A signal that one thread gives and another waits for.
package struct Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Creates a signal that has not been given.
    package init() {}

    /// Lets one waiting thread continue.
    package func give() { semaphore.signal() }
    package func wait() { semaphore.wait() }
    /// Waits up to this many milliseconds, and returns true if the signal was given.
    package func wait(upTo milliseconds: Int) -> Bool {
        semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
    }
}
