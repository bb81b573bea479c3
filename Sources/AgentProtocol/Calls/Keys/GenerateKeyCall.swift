/// Generates a private key, in the enclave if `inEnclave` says so.
package struct GenerateKeyCall: AgentCall {
    package typealias Reply = KeyReply
    package static let verb = Verb.generateKey
    package var name = ""
    package var type: GeneratedKeyType = .p256
    package var inEnclave = false
    package var policy: ItemPolicy?
    package var subject: CallSubject? { .key(name) }
    package var usesVault: Bool { true }

    package init() {}

    package init(_ name: String, _ type: GeneratedKeyType, inEnclave: Bool, _ policy: ItemPolicy?) {
        (self.name, self.type, self.inEnclave, self.policy) = (name, type, inEnclave, policy)
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try coder.word("type", &type)
        try coder.flagIfTrue("in-enclave", &inEnclave)
        try coder.policyIfSaid("policy", &policy)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .inWordsOfClient("save a private key") }
}
