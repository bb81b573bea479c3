/// Changes a secret. If the frame has a secret, it becomes the new one.
package struct ChangeCall: AgentCall {
    package static let verb = Verb.change
    package var name = ""
    package var changes = Changes()
    package var subject: CallSubject? { .secret(name) }
    package var usesVault: Bool { true }

    package init() {}

    package init(_ name: String, _ changes: Changes) { (self.name, self.changes) = (name, changes) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try changes.describe(to: &coder)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        let words = changes.name != nil ? "rename a secret" : "change a secret"
        return .inWordsOfClient(
            changes.policy != nil ? "change the access policy of a secret" : words,
            (changes.policy.map { [.note($0)] } ?? []) + (changes.name.map { [.note("New name", $0)] } ?? []))
    }

    /// Changes of a stored secret. Nil leaves a member as it is.
    package struct Changes: WireValue, Hashable, Sendable {
        package var name: String?
        package var policy: ItemPolicy?
        /// The new comment; an empty one removes it.
        package var comment: String?
        /// True if no former version is kept.
        package var forgets: Bool

        package init(
            name: String? = nil, policy: ItemPolicy? = nil, comment: String? = nil, forgets: Bool = false
        ) {
            (self.name, self.policy, self.comment, self.forgets) = (name, policy, comment, forgets)
        }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.textIfSaid("new-name", &name)
            try coder.policyIfSaid("policy", &policy)
            try coder.textIfSaid("comment", &comment)
            try coder.flagIfTrue("forget", &forgets)
        }
    }
}
