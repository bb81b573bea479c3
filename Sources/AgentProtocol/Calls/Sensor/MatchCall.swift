/// Tries the sensor: waits for one match.
package struct MatchCall: AgentCall {
    package static let verb = Verb.match
    package var usesVault: Bool { true }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .inWordsOfClient("try the sensor") }

    /// The reply after a match.
    package struct Reply: CallReply, WireValue, Hashable {
        /// True if the sensor found a match.
        package var matched = false

        package init() {}

        package init(matched: Bool) { self.matched = matched }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.flag("matched", &matched)
        }
    }
}
