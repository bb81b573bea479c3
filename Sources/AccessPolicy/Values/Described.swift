/// A visitor of the fields of a value, which can read, change or list them.
package protocol FieldCoder {
    /// The error that reading a field can throw; `Never` for a coder that does not read.
    associatedtype Failure: Error
    /// Visits a field that holds a choice. `says` describes the field in the documentation.
    mutating func choice<Choice: NamedChoice>(
        _ name: StaticString, _ value: inout Choice, says: StaticString
    ) throws(Failure)
}

/// A value that lists its stored properties, in the order in which a vault stores them.
package protocol Described {
    /// Passes every property to `coder`, in order.
    mutating func describe<Coder: FieldCoder>(to coder: inout Coder) throws(Coder.Failure)
}

/// The names and possible values of the fields of a value, for tests, scenario files and documentation.
package struct FieldNames: FieldCoder {
    package struct Field: Sendable {
        /// The name of the property.
        package let name: String
        /// The description of the field in the documentation.
        package let says: String
        /// The possible values, each with its name and number.
        package let choices: [(name: String, number: UInt8)]
        /// The name of the present value.
        package let choice: String
    }

    /// All fields, in the order in which a vault stores them.
    package private(set) var all: [Field] = []

    /// Collects the fields of `value`.
    package init(of value: some Described) {
        var value = value
        value.describe(to: &self)
    }

    /// Adds the field to ``all``.
    package mutating func choice<Choice: NamedChoice>(
        _ name: StaticString, _ value: inout Choice, says: StaticString
    ) {
        all.append(
            Field(
                name: name.description, says: says.description,
                choices: Choice.allCases.map { ($0.name, $0.rawValue) }, choice: value.name))
    }
}

/// A setter of one field, by name.
package struct FieldSetter: FieldCoder {
    private let field: String
    private let word: String

    /// Creates a setter of `field` to the value with the name `word`.
    package init(_ field: String, to word: String) {
        self.field = field
        self.word = word
    }

    /// Sets the field if it has the right name and such a value exists. Otherwise nothing changes.
    package mutating func choice<Choice: NamedChoice>(_ name: StaticString, _ value: inout Choice, says: StaticString) {
        guard name.description == field, let found = Choice(name: word) else { return }
        value = found
    }
}
