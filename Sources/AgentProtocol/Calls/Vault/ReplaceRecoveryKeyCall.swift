/// Makes a new recovery key after asking for the passcode, and returns its letters as the secret. The former one ends.
package struct ReplaceRecoveryKeyCall: AgentCall {
    package static let verb = Verb.replaceRecoveryKey
    package var usesVault: Bool { true }
    package var counts: Counting { .nothing }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        RequestPurpose("replace the recovery key of the vault")
    }

    /// The fate of the former recovery key. The new one is the secret.
    package struct Reply: CallReply, WireValue, Hashable {
        /// True if the vault had no recovery key before.
        package var isFirst = false

        package init() {}

        package init(isFirst: Bool) { self.isFirst = isFirst }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.flagIfTrue("first", &isFirst)
        }
    }
}
