/// The reply after a new secret was saved.
package struct SavedReply: CallReply, WireValue, Hashable {
    /// The policy that the secret has.
    package var policy = ItemPolicy.usual

    package init() {}

    package init(_ policy: ItemPolicy) { self.policy = policy }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.policy("policy", &policy)
    }
}
