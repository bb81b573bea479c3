internal import Synchronization
internal import UserPresence

/// Carries an answer from the thread of the user to the one that asked.
final class ResponseBox: Sendable {
    private let response = Mutex<Response?>(nil)

    func fill(_ answer: consuming sending Response) {
        var answer: Response? = consume answer
        response.withLock { $0 = answer.take() }
    }

    /// What was answered; a dismissal where nothing was.
    func take() -> Response {
        response.withLock { $0.take() } ?? .cancel
    }
}
