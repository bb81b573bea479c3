/// The bounds of a courier.
struct CourierLimits: Sendable {
    /// The most connections that are served at a time.
    var connections = 32
    /// The milliseconds without a byte after which a side counts as gone, and those that a client has for a whole head.
    var idleMilliseconds = 120_000
    /// The milliseconds that a part of a word may be held back. A longer beginning of the secret waits for the next byte.
    var heldBackMilliseconds = 25
    /// The milliseconds for an answer that a server may have sent before it broke the connection.
    var lateAnswerMilliseconds = 1_000
    /// The milliseconds for which a refused client may go on sending. A connection that is closed before could lose the refusal.
    var lingerMilliseconds = 1_000
    /// The milliseconds that a cut waits until all guarded memory is wiped.
    var cutMilliseconds = 50
}
