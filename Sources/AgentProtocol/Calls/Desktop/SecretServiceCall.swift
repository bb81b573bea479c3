/// Returns what the Secret Service of the desktop shows now, and the latest requests of programs.
package struct SecretServiceCall: AgentCall {
    package typealias Reply = SecretServiceReport
    package static let verb = Verb.secretService
    package var usesVault: Bool { false }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
