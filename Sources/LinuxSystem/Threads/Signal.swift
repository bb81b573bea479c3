internal import Dispatch

/// Something that one thread waits for and another gives.
package struct Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Creates a signal that is not given yet.
    package init() {}

    /// Lets one waiting thread go on.
    package func give() { semaphore.signal() }
    /// Waits until it is given.
    package func wait() { semaphore.wait() }
    /// Waits up to this many milliseconds; true if the signal came.
    package func wait(upTo milliseconds: Int) -> Bool {
        semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
    }
}
