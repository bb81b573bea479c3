internal import PlainText

/// A request that a client sends to the agent: its name, its members, what it is about, and its reply. Secrets go in the secret
/// part of the frame, or are asked for by prompts.
package protocol AgentCall<Reply>: WireValue, Hashable, Sendable {
    /// The reply, without its secret.
    associatedtype Reply: CallReply = NoReply
    /// A value of the long answer that goes ahead of the reply.
    associatedtype Part: AnswerPart = NoPart
    /// The member of a frame that has such values.
    static var parts: String { get }
    /// The name of the request on the wire.
    static var verb: Verb { get }
    /// The secret or the private key that the request is about; nil if it is about none.
    var subject: CallSubject? { get }
    /// True if the request uses or changes something, which restarts the time until the vault locks itself. Requests that only
    /// look do not keep it unlocked.
    var usesVault: Bool { get }
    /// The requests beyond this one that the factors of its user count for.
    var counts: Counting { get }
    /// True if the agent ends once it has answered the request.
    var endsAgent: Bool { get }

    /// Creates a request whose members are still to be read.
    init()

    /// Returns the purpose of the request for a prompt at another terminal. `usual` is the policy of a new secret for which the
    /// client names none.
    func purpose(usual: ItemPolicy) -> RequestPurpose
}

/// The item that a request is about.
package enum CallSubject: Hashable, Sendable {
    case secret(String)
    case key(String)

    package var name: String {
        switch self {
        case .secret(let name), .key(let name): name
        }
    }
}

/// The requests beyond one that the factors of its user count for, as far as policies allow.
package enum Counting: Sendable {
    /// Nothing: the request compares what the user gives, and keeps nothing of it.
    case nothing
    /// Other items. A change asks each time, so for the item itself the answer counts once.
    case others
    /// The item that the request is about, and others.
    case item
    /// Every item.
    case all
}

extension AgentCall {
    package static var parts: String { "items" }
    package var subject: CallSubject? { nil }
    package var counts: Counting { .others }
    package var endsAgent: Bool { false }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {}

    /// The object that represents the request on the wire: its name and its members.
    package var head: WireObject {
        var (copy, writer) = (self, MembersWriter())
        copy.describe(to: &writer)
        writer.head["do"] = .string(Self.verb.rawValue)
        return writer.head
    }

    /// Reads a request of this type.
    package static func read(from head: inout WireObject) throws(WireError) -> Self {
        var call = Self()
        try call.read(from: &head)
        return call
    }
}

/// A request with one member: the name of what it is about.
package protocol NamedCall: AgentCall {
    var name: String { get set }
}

extension NamedCall {
    package init(_ name: String) {
        self.init()
        self.name = name
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
    }
}

/// A request that only looks: it changes nothing, gives no secret out, and does not keep the vault unlocked.
package protocol LookingCall: AgentCall {}

extension LookingCall {
    package var usesVault: Bool { false }
    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
