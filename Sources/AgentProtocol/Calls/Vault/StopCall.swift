/// Wipes the keys and ends the agent.
package struct StopCall: AgentCall {
    package typealias Reply = RawReply
    package static let verb = Verb.stop
    package var usesVault: Bool { false }
    package var endsAgent: Bool { true }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
