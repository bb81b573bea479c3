package import SodiumKit

/// The reply to a request, without its secret.
package protocol CallReply: Sendable {
    /// Creates a reply whose members are still to be set or read.
    init()
    /// The object that represents the reply on the wire.
    var head: WireObject { get }
    /// Reads the members from `head` and removes them.
    mutating func read(from head: inout WireObject) throws(WireError)
}

extension CallReply where Self: WireValue {
    package mutating func read(from head: inout WireObject) throws(WireError) { try read(from: &head, isReply: true) }
}

/// The reply to a request that has nothing to say, or only a secret.
package struct NoReply: CallReply, WireValue, Hashable {
    package init() {}

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {}
}

/// The answer to a request: its reply, and the secret if the request gives one out.
package struct CallResult<Reply: CallReply>: ~Copyable, Sendable {
    package var reply: Reply
    package var secret: SecureBytes?
    /// The room that a large secret takes in the agent; nil for a client.
    private let share: SecretBudget.Share?

    package init(
        _ reply: Reply = Reply(), secret: consuming SecureBytes? = nil, share: SecretBudget.Share? = nil
    ) {
        self.reply = reply
        self.secret = secret
        self.share = share
    }
}
