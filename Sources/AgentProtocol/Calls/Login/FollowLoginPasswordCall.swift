/// Follows a change of the login password. The secret of the frame has the old one and the new one.
package struct FollowLoginPasswordCall: AgentCall {
    package typealias Reply = LoginPasswordReply
    package static let verb = Verb.followLoginPassword
    package var usesVault: Bool { true }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        RequestPurpose("follow a change of the login password")
    }
}
