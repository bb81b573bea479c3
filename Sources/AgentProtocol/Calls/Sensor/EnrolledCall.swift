/// Lists the enrolled fingers or faces.
package struct EnrolledCall: AgentCall {
    package typealias Reply = RawReply
    package static let verb = Verb.enrolled
    package var usesVault: Bool { false }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
