/// Sets a new passcode after asking for the recovery key.
package struct RecoverCall: AgentCall {
    package typealias Reply = WarningReply
    package static let verb = Verb.recover
    package var usesVault: Bool { true }
    package var counts: Counting { .nothing }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        RequestPurpose("set a new passcode with the recovery key")
    }
}
