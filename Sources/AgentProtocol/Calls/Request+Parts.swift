// Parts of a secret: its value, its fields, and its former versions.

extension Request {
    /// A part of a secret.
    package struct SecretSelection: Hashable, Sendable {
        /// The name of a field; nil for the value.
        package var field: String?
        /// The version: nil or 0 for the present one, 1 for the one before.
        package var version: Int?

        package init(field: String? = nil, version: Int? = nil) {
            self.field = field
            self.version = version
        }
    }

    /// A change of one part of a secret. Exactly one member is set.
    package struct PartChange: Hashable, Sendable {
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
            self.amends = amends
            self.field = field
            self.removedField = removedField
            self.restored = restored
            self.forgets = forgets
        }
    }
}

extension Request.SecretSelection: WireValue {
    /// Hands every member to `coder`.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.textIfSaid("field", &field)
        try coder.numberIfSaid("version", &version)
    }
}

extension Request.PartChange: WireValue {
    /// Hands every member to `coder`.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.textIfSaid("field", &field)
        try coder.textIfSaid("remove-field", &removedField)
        try coder.numberIfSaid("restore", &restored)
        try coder.flagIfTrue("forget", &forgets)
        try coder.flagIfTrue("amend", &amends)
    }
}

extension Request.Changes: WireValue {
    /// Hands every member to `coder`.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.textIfSaid("new-name", &name)
        try coder.policyIfSaid("policy", &policy)
        try coder.textIfSaid("comment", &comment)
        try coder.flagIfTrue("forget", &forgets)
    }
}
