/// Lists the private keys.
package struct KeysCall: AgentCall {
    package typealias Reply = ListReply
    package static let verb = Verb.keys
    package var usesVault: Bool { false }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
