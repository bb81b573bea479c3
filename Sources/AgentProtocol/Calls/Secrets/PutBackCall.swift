/// Brings back a secret that was deleted.
package struct PutBackCall: AgentCall {
    package static let verb = Verb.putBack
    package var name = ""
    package var usesVault: Bool { true }

    package init() {}

    package init(_ name: String) { self.name = name }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("bring back a deleted secret") }
}
