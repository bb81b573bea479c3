/// Deletes a private key, and its certificate unless another key needs it.
package struct RemoveKeyCall: AgentCall {
    package static let verb = Verb.removeKey
    package var name = ""
    package var subject: CallSubject? { .key(name) }
    package var usesVault: Bool { true }

    package init() {}

    package init(_ name: String) { self.name = name }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .inWordsOfClient("delete a private key") }
}
