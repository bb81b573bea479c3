/// Lists the requests whose prompts wait for a terminal.
package struct WaitingCall: AgentCall {
    package typealias Reply = RawReply
    package static let verb = Verb.waiting
    package var usesVault: Bool { false }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
