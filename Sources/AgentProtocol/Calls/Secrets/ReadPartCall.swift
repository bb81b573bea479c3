/// Returns a part of a secret: its value, a field, or one of a former version.
package struct ReadPartCall: AgentCall {
    package static let verb = Verb.readPart
    package var name = ""
    package var selection = Selection()
    package var subject: CallSubject? { .secret(name) }
    package var usesVault: Bool { true }
    package var counts: Counting { .item }

    package init() {}

    package init(_ name: String, _ selection: Selection) { (self.name, self.selection) = (name, selection) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try selection.describe(to: &coder)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .inWordsOfClient("read a secret") }

    /// A part of a secret.
    package struct Selection: WireValue, Hashable, Sendable {
        /// The name of a field; nil for the value.
        package var field: String?
        /// The version: nil or 0 for the present one, 1 for the one before.
        package var version: Int?

        package init(field: String? = nil, version: Int? = nil) { (self.field, self.version) = (field, version) }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.textIfSaid("field", &field)
            try coder.numberIfSaid("version", &version)
        }
    }
}
