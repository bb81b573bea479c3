/// Shows the public half of a private key to SSH clients, also while the vault is locked. Replaces its former entry.
package struct AddSSHKeyCall: AgentCall {
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

    /// The key as SSH clients see it now.
    package struct Reply: CallReply, WireValue, Hashable {
        package var entry = SSHKeyEntry()
        /// The path of the file with the public key.
        package var file = ""

        package init() {}

        package init(_ entry: SSHKeyEntry, file: String) { (self.entry, self.file) = (entry, file) }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.object("key", &entry)
            try coder.text("file", &file)
        }
    }
}
