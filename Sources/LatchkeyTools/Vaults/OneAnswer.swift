internal import LatchkeyCLI
internal import SodiumKit
internal import Synchronization
internal import UserPresence

/// A passcode that answers one prompt, and dismisses every later one.
final class OneAnswer: Sendable {
    private let typed: Mutex<SecureBytes?>

    init(_ typed: consuming sending SecureBytes) { self.typed = Mutex(consume typed) }

    func take() -> Response {
        typed.withLock { typed in
            switch typed.take() {
            case .some(let bytes): .typed(bytes)
            case .none: .cancel
            }
        }
    }
}
