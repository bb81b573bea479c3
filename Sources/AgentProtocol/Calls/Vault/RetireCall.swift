/// Destroys the keys of this vault, and ends the agent. Another machine showed the code when it had received the vault.
package struct RetireCall: AgentCall {
    package static let verb = Verb.retire
    package var code = ""
    package var usesVault: Bool { true }
    package var endsAgent: Bool { true }

    package init() {}

    package init(_ code: String) { self.code = code }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("code", &code)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("destroy the keys of the vault") }
}
