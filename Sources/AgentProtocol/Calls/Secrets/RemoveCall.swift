/// Deletes a secret. The deletion can be undone for a while, unless it `isFinal`.
package struct RemoveCall: AgentCall {
    package static let verb = Verb.remove
    package var name = ""
    package var isFinal = false
    package var subject: CallSubject? { .secret(name) }
    package var usesVault: Bool { true }

    package init() {}

    package init(_ name: String, isFinal: Bool) { (self.name, self.isFinal) = (name, isFinal) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try coder.flagIfTrue("final", &isFinal)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .inWordsOfClient("delete a secret") }

    /// The reply after a secret was deleted.
    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of seconds for which the deletion can be undone; nil if it cannot.
        package var keptFor: Int?

        package init() {}

        package init(keptFor: Int?) { self.keptFor = keptFor }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.numberIfSaid("kept-for", &keptFor)
        }
    }
}
