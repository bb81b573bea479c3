/// Locks the vault.
package struct LockCall: AgentCall {
    package typealias Reply = LockReport
    package static let verb = Verb.lock
    package var usesVault: Bool { false }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
