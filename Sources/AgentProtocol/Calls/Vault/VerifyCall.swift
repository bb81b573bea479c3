/// Verifies everything that is stored.
package struct VerifyCall: AgentCall {
    package typealias Reply = RawReply
    package static let verb = Verb.verify
    package var usesVault: Bool { false }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
