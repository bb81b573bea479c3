/// Sets a new passcode after asking for the present one.
package struct ChangePasscodeCall: AgentCall {
    package typealias Reply = WarningReply
    package static let verb = Verb.changePasscode
    package var usesVault: Bool { true }
    package var counts: Counting { .nothing }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("change the passcode of the vault") }
}
