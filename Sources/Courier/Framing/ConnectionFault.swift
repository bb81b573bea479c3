internal import HTTPWire
internal import SodiumKit

/// The end of an exchange before its answer was passed on.
enum ConnectionFault: Error {
    /// The client gets this answer, if it got no part of another.
    case refused(Refusal)
    /// The server broke the connection. The client gets this answer, unless the request can be sent once more.
    case broken(Refusal)
    /// The client has left, or a cut has ended the exchange. No answer is sent.
    case clientGone

    /// The answer for the client.
    var refusal: Refusal? {
        switch self {
        case .refused(let refusal), .broken(let refusal): refusal
        case .clientGone: nil
        }
    }
}

/// Runs `body`, and refuses the request if bytes are against the rules.
func checking<Result: ~Copyable>(
    _ body: () throws(WireRefusal) -> Result
) throws(ConnectionFault) -> Result {
    do throws(WireRefusal) { return try body() } catch { throw .refused(Refusal(error)) }
}

/// Runs `body`, and refuses the request if no guarded memory is left.
func guarding<Result: ~Copyable>(
    _ body: () throws(SodiumError) -> Result
) throws(ConnectionFault) -> Result {
    do throws(SodiumError) { return try body() } catch { throw .refused(.noMemory) }
}
