/// Stores a key on a smart card with the PIN of the frame, after the card has signed with it. The key stays on the card.
package struct AddCardKeyCall: AgentCall {
    package typealias Reply = KeyReply
    package static let verb = Verb.addCardKey
    package var name = ""
    package var card = CardKeyReference()
    package var policy: ItemPolicy?
    package var subject: CallSubject? { .key(name) }
    package var usesVault: Bool { true }

    package init() {}

    package init(_ name: String, _ card: CardKeyReference, _ policy: ItemPolicy?) {
        (self.name, self.card, self.policy) = (name, card, policy)
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try card.describe(to: &coder)
        try coder.policyIfSaid("policy", &policy)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .inWordsOfClient("save a private key") }
}
