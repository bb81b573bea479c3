/// Lists the deleted secrets that can be brought back.
package struct DeletedCall: AgentCall {
    package typealias Reply = ListReply
    package static let verb = Verb.deleted
    package var usesVault: Bool { false }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
