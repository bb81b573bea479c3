internal import Dispatch

/// Something that one thread waits for and another gives.
struct Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func give() { semaphore.signal() }
    func wait() { semaphore.wait() }
}
