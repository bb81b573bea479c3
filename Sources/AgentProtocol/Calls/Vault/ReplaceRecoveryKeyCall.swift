/// Makes a new recovery key after asking for the passcode, and returns its letters as the secret. The former one ends.
package struct ReplaceRecoveryKeyCall: AgentCall {
    package typealias Reply = RawReply
    package static let verb = Verb.replaceRecoveryKey
    package var usesVault: Bool { true }
    package var counts: Counting { .nothing }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        RequestPurpose("replace the recovery key of the vault")
    }
}
