/// Shows the public half of a private key to SSH clients, also while the vault is locked. Replaces its former entry.
package struct AddSSHKeyCall: AgentCall {
    package typealias Reply = RawReply
    package static let verb = Verb.addSSHKey
    package var entry = SSHKeyEntry()
    package var subject: CallSubject? { .key(entry.name) }
    package var usesVault: Bool { true }

    package init() {}

    package init(_ entry: SSHKeyEntry) { self.entry = entry }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try entry.describe(to: &coder)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("show a private key to SSH clients") }
}
