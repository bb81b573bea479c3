internal import Foundation

/// A call on a thread of its own, whose result the test waits for.
public final class Background<Value: Sendable>: @unchecked Sendable {  // the signal orders the result
    private let done = DispatchSemaphore(value: 0)
    private var result: Value?

    /// The call did not return in time.
    public struct Unfinished: Error {}

    /// Starts the call.
    public init(_ body: @escaping @Sendable () -> Value) {
        Thread.detachNewThread { [self] in
            result = body()
            done.signal()
        }
    }

    /// The result of the call.
    public var value: Value {
        get throws {
            guard done.wait(timeout: .now() + .seconds(Patience.seconds)) == .success, let result else {
                throw Unfinished()
            }
            done.signal()
            return result
        }
    }

    /// True if the call has returned.
    public var isOver: Bool {
        guard done.wait(timeout: .now()) == .success else { return false }
        done.signal()
        return true
    }
}
