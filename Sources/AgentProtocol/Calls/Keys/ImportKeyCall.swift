/// Stores the private key of the frame, in Apple's external representation.
package struct ImportKeyCall: AgentCall {
    package typealias Reply = KeyReply
    package static let verb = Verb.importKey
    package var name = ""
    package var family: KeyFamilyName = .ec
    package var policy: ItemPolicy?
    package var subject: CallSubject? { .key(name) }
    package var usesVault: Bool { true }

    package init() {}

    package init(_ name: String, _ family: KeyFamilyName, _ policy: ItemPolicy?) {
        (self.name, self.family, self.policy) = (name, family, policy)
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try coder.word("family", &family)
        try coder.policyIfSaid("policy", &policy)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .inWordsOfClient("save a private key") }
}
