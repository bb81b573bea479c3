/// Changes one part of a secret. A field takes the secret of the frame.
package struct EditPartCall: AgentCall {
    package static let verb = Verb.editPart
    package var name = ""
    package var change = Change()
    package var subject: CallSubject? { .secret(name) }
    package var usesVault: Bool { true }

    package init() {}

    package init(_ name: String, _ change: Change) { (self.name, self.change) = (name, change) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try change.describe(to: &coder)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .inWordsOfClient("change a secret") }

    /// A change of one part of a secret. Exactly one member is set.
    package struct Change: WireValue, Hashable, Sendable {
        /// The name of the field that becomes the secret of the frame.
        package var field: String?
        package var removedField: String?
        /// The number of the former version that becomes the present one: 1 for the last one.
        package var restored: Int?
        /// True if the former versions are deleted.
        package var forgets = false
        /// True if the secret of the frame becomes the value, and nothing is kept of the one before.
        package var amends = false

        package init(
            field: String? = nil, removedField: String? = nil, restored: Int? = nil, forgets: Bool = false,
            amends: Bool = false
        ) {
            (self.field, self.removedField, self.restored) = (field, removedField, restored)
            (self.forgets, self.amends) = (forgets, amends)
        }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.textIfSaid("field", &field)
            try coder.textIfSaid("remove-field", &removedField)
            try coder.numberIfSaid("restore", &restored)
            try coder.flagIfTrue("forget", &forgets)
            try coder.flagIfTrue("amend", &amends)
        }
    }
}
