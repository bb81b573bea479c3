/// The reply after a new secret was saved.
package struct SavedReply: CallReply, WireValue, Hashable {
    /// The policy that the secret has; nil if the client does not know it.
    package var policy: ItemPolicy?

    package init() {}

    package init(_ policy: ItemPolicy) { self.policy = policy }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.policyIfSaid("policy", &policy)
    }
}
