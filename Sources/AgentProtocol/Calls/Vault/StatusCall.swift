/// Returns the state of the vault.
package struct StatusCall: AgentCall {
    package typealias Reply = StatusReport
    package static let verb = Verb.status
    package var usesVault: Bool { false }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
