/// The reply after a new secret was saved.
package struct SavedReply: CallReply, WireValue, Hashable {
    /// The policy that the secret has; nil if the client does not know it.
    package var policy: ItemPolicy?
    /// True if an authentication counts for a while for the secret: its policy and the vault allow that.
    package var isReused = false

    package init() {}

    package init(_ policy: ItemPolicy, isReused: Bool) { (self.policy, self.isReused) = (policy, isReused) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.policyIfSaid("policy", &policy)
        try coder.flagIfTrue("reused", &isReused)
    }
}
