/// Unlocks the vault with the secret of the frame, the password of a login. The agent answers before it checks it.
package struct UnlockAtLoginCall: AgentCall {
    package typealias Reply = LoginPasswordReply
    package static let verb = Verb.unlockAtLogin
    package var usesVault: Bool { true }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("unlock the vault at the login") }
}
