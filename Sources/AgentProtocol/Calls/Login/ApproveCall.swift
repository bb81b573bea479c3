/// Shows the prompts of a waiting request at the terminal of the client, until that request is over.
package struct ApproveCall: AgentCall {
    package static let verb = Verb.approve
    package var number = 0
    package var usesVault: Bool { false }

    package init() {}

    package init(_ number: Int) { self.number = number }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.number("number", &number)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
