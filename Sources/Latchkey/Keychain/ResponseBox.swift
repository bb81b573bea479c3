internal import Synchronization
internal import UserPresence

/// A box that carries an answer from the user's thread to the thread that asked.
final class ResponseBox: Sendable {
    private let response = Mutex<Response?>(nil)

    func fill(_ answer: consuming sending Response) {
        var answer: Response? = consume answer
        response.withLock { $0 = answer.take() }
    }

    /// Takes the answer out; a cancellation if there is none.
    func take() -> Response {
        response.withLock { $0.take() } ?? .cancel
    }
}
