/// Deletes the `former` secrets and stores the secret of the frame, in one step. It shows no prompt.
package struct ExchangeCall: AgentCall {
    package typealias Reply = SavedReply
    package static let verb = Verb.exchange
    package var former: [String] = []
    package var name = ""
    package var policy: ItemPolicy?
    package var comment: String?
    package var subject: CallSubject? { .secret(name) }
    package var usesVault: Bool { true }

    package init() {}

    package init(_ former: [String], for name: String, _ policy: ItemPolicy?, comment: String?) {
        (self.former, self.name, self.policy, self.comment) = (former, name, policy, comment)
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.texts("former", &former)
        try coder.text("name", &name)
        try coder.policyIfSaid("policy", &policy)
        try coder.textIfSaid("comment", &comment)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        .inWordsOfClient("save a secret and delete others", [.note("It deletes", former.joined(separator: ", "))])
    }
}
