/// Asks for the recovery key, and says if it is that of the vault. Changes nothing.
package struct CheckRecoveryKeyCall: AgentCall {
    package static let verb = Verb.checkRecoveryKey
    package var usesVault: Bool { false }
    package var counts: Counting { .nothing }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("check the recovery key of the vault") }
}
