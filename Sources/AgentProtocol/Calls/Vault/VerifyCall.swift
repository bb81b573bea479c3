/// Verifies everything that is stored.
package struct VerifyCall: AgentCall {
    package static let verb = Verb.verify
    package var usesVault: Bool { false }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
