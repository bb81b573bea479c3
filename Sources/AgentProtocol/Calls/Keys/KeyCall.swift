/// Returns a private key's entry and its public key. It never prompts.
package struct KeyCall: AgentCall {
    package typealias Reply = KeyReply
    package static let verb = Verb.key
    package var name = ""
    package var subject: CallSubject? { .key(name) }
    package var usesVault: Bool { false }
    package var counts: Counting { .item }

    package init() {}

    package init(_ name: String) { self.name = name }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
