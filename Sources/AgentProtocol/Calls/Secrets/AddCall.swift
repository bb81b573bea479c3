/// Stores the secret of the frame. Replaces a secret of the same name only if it `replaces`. A policy that is nil is the default of
/// the vault. With names of fields, the secret is the value and each field, each after its length in four bytes.
package struct AddCall: AgentCall {
    package typealias Reply = SavedReply
    package static let verb = Verb.add
    package var name = ""
    package var policy: ItemPolicy?
    package var comment: String?
    package var replaces = false
    package var fields: [String] = []
    package var subject: CallSubject? { .secret(name) }
    package var usesVault: Bool { true }

    package init() {}

    package init(_ name: String, _ policy: ItemPolicy?, comment: String?, replaces: Bool, fields: [String] = []) {
        (self.name, self.policy, self.comment, self.replaces, self.fields) = (name, policy, comment, replaces, fields)
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try coder.policyIfSaid("policy", &policy)
        try coder.textIfSaid("comment", &comment)
        try coder.flagIfTrue("replace", &replaces)
        try coder.textsIfAny("fields", &fields)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        replaces
            ? .inWordsOfClient("save or replace a secret", [.note(policy ?? usual)]) : .inWordsOfClient("save a secret")
    }
}
