internal import Dispatch

/// Something that one thread waits for and another gives.
struct Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func give() { semaphore.signal() }
    func wait() { semaphore.wait() }
    /// Waits up to this many milliseconds; true if the signal came.
    func wait(upTo milliseconds: Int) -> Bool {
        semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
    }
}
