/// Takes a key off the list that SSH clients see. The private key stays in the vault.
package struct RemoveSSHKeyCall: AgentCall {
    package static let verb = Verb.removeSSHKey
    package var name = ""
    package var usesVault: Bool { false }

    package init() {}

    package init(_ name: String) { self.name = name }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("hide a private key from SSH clients") }
}
