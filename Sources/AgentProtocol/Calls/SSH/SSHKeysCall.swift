/// Lists the keys that SSH clients see, and says where they connect.
package struct SSHKeysCall: AgentCall {
    package typealias Reply = RawReply
    package static let verb = Verb.sshKeys
    package var usesVault: Bool { false }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
