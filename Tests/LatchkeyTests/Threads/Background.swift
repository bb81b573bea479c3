import Dispatch
import Foundation
import Latchkey
import Synchronization
import TestSupport
import UserPresence

/// Work that runs on a thread of its own.
final class Background<Value: Sendable>: Sendable {
    struct Late: Error {}

    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () throws -> Value) {
        Thread.detachNewThread { [self] in
            let ended = Result { try body() }
            result.withLock { $0 = ended }
            done.signal()
        }
    }

    /// Returns the result. Throws if the work takes longer than this many seconds.
    func value(within seconds: Double = Double(Patience.seconds)) throws -> Value {
        guard done.wait(timeout: .now() + seconds) == .success, let result = result.withLock({ $0 }) else {
            throw Late()
        }
        done.signal()
        return try result.get()
    }
}

/// A condition that a test waits for, once or often, for a limited time.
final class Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func give() { semaphore.signal() }

    /// Returns true if it happened within this many seconds.
    @discardableResult
    func wait(_ seconds: Double = Double(Patience.seconds)) -> Bool {
        guard semaphore.wait(timeout: .now() + seconds) == .success else { return false }
        semaphore.signal()
        return true
    }
}

/// Returns the number of seconds that `body` takes.
func seconds(_ body: () throws -> Void) throws -> Double {
    let begin = DispatchTime.now()
    try body()
    return Double(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1e9
}

extension Keychain {
    /// Sets `body` as the answer from now on. It may use the keychain first.
    func answered(by body: @escaping @Sendable (Keychain, Prompt) throws -> Response) {
        user = ClosureUser { [weak self] prompt in
            guard let self else { return .cancel }
            do { return try body(self, prompt) } catch { return .cancel }
        }
    }
}
